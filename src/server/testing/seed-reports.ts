// Generates reports in large numbers: plausible words, spread over eleven years.

import { emergencyServices, employmentStatuses, defaultParks as parks } from '#shared/choices.ts';
import { getMonth } from '#shared/dates.ts';
import { mapReportFields } from '#shared/reports/report-fields.ts';
import { getPosition } from '../db/position.ts';
import { getReportSearchText } from '../db/report-search-text.ts';
import type { Database, Tables } from '../db/schema.ts';
import { mergeSearchIndexes } from '../db/search.ts';
import { newId } from '../ids.ts';
import { createReportBody } from './factories.ts';
import { insertRows } from './rows.ts';

const vocabulary =
  'slipped pool kitchen caravan fell wet step bicycle gas burn gate evening morning child guest water hose ladder boiler first aider attended ambulance called grass'.split(
    ' ',
  );
const firstNames =
  'Gwen Tomos Aoife Priya Owain Hannah Siân Rhys Megan Ifan Carys Dylan Ffion Harri Lowri Gethin Nia Osian Gwenllian Emyr'.split(
    ' ',
  );
const lastNames =
  'Jones Evans Byrne Natarajan Prys Whitfield Roberts Hughes Morgan Thomas Parry Lloyd Bowen Howell Meredith Pritchard Llywelyn Tudor Vaughan Yorath'.split(
    ' ',
  );
const dayMs = 24 * 60 * 60 * 1000;
const batchSize = 400;

/** Returns a pseudo-random integer below `limit`, the same for the same seed. */
const pickNumber = (seed: number, limit: number) => Math.abs(Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) >>> 7) % limit;

/** Returns the report with this index: the same each time, except for its id. */
export function createSeedReport(index: number, author: { id: string; username: string }): Tables['reports'] {
  const date = new Date(Date.UTC(2015, 0, 1) + pickNumber(index, 4000) * dayMs).toISOString().slice(0, 10);
  const number = `${index % 2 ? 'INC' : 'ACC'}-2015-${index}`;
  const name = `${firstNames[pickNumber(index, firstNames.length)]} ${lastNames[pickNumber(index * 7, lastNames.length)]}`;
  const selectedPlace = parks[index % parks.length] as string;
  const details = Array.from(
    { length: 40 },
    (_, at) => vocabulary[pickNumber(index * 41 + at, vocabulary.length)],
  ).join(' ');
  const report = {
    ...mapReportFields(() => ''),
    id: newId(),
    position: getPosition(date, '12:00', index + 1),
    number,
    reportType: index % 2 ? ('incident' as const) : ('accident' as const),
    selectedPlace,
    name,
    age: 30,
    contactNumber: '07700900123',
    reporter: 'Huw Parry',
    date,
    time: '12:00',
    month: getMonth(date),
    type: 'Slip',
    location: `Plot ${index % 300}`,
    employmentStatus: employmentStatuses[pickNumber(index * 3, employmentStatuses.length)] as string,
    emergencyService: emergencyServices[Math.max(0, pickNumber(index * 5, 40) - 35)] as string,
    details,
    mediaFiles: '[]',
    signature: null,
    affectedUserSignature: null,
    affectedUserSignedBy: null,
    fingerprint: '',
    created_at: `${date}T12:00:00.000Z`,
    created_by: author.id,
    created_by_name: author.username,
    captured_at: null,
    first_opened_at: `${date}T12:00:00.000Z`,
    type_key: 'slip',
    deletion_id: null,
  };
  return { ...report, search_text: getReportSearchText(report) };
}

export async function seedReports(
  db: Database,
  count: number,
  author: { id: string; username: string },
): Promise<void> {
  for (let from = 0; from < count; from += batchSize) {
    const length = Math.min(batchSize, count - from);
    const rows = Array.from({ length }, (_, at) => createSeedReport(from + at, author));
    await insertRows(db, 'reports', rows);
  }
  await db.insertInto('counters').values({ name: 'reports', value: count }).execute();
  // The server does this every hour.
  await mergeSearchIndexes(db);
}

/**
 * Inserts unattached uploads of a user and returns their paths. Inserts only rows, because
 * submitting does not read the files.
 */
export async function seedUploads(db: Database, count: number, userId: string): Promise<string[]> {
  const rows = Array.from({ length: count }, () => ({
    ...{ path: `/uploads/2026/01/${newId()}.png`, label: 'photo.png', type: 'image/png', size: 1000 },
    ...{ uploaded_by: userId, created_at: new Date().toISOString() },
  }));
  await insertRows(db, 'uploads', rows);
  return rows.map(({ path }) => path);
}

/** The body of a new report, with rows of uploads but no files: receiving an image takes longer than all else. */
export async function newReportWithoutFiles(db: Database, userId: string, changes: Record<string, unknown> = {}) {
  const [photo = '', signature = '', affected = ''] = await seedUploads(db, 3, userId);
  return { ...createReportBody(photo, signature, affected), ...changes };
}
