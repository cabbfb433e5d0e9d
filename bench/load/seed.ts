// Inserts the records and files of several years directly into the database and the data folder.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { defaultParks as parks } from '#shared/choices.ts';
import { insertChecklist, listChecklists } from '../../src/server/checklists/store.ts';
import { insertSubmission } from '../../src/server/checklists/submissions.ts';
import { appendActivity, createActivitySearchText, hashEntry, lockActivity } from '../../src/server/db/activity-log.ts';
import { getAuditSearchText, serializeData } from '../../src/server/db/audit-data.ts';
import type { Database, Tables } from '../../src/server/db/schema.ts';
import { readDemoChecklists } from '../../src/server/demo/checks.ts';
import { drawSignature } from '../../src/server/demo/signatures.ts';
import { newFilePath } from '../../src/server/files/store.ts';
import { newId } from '../../src/server/ids.ts';
import { hashPassword } from '../../src/server/sign-in/session/passwords.ts';
import { insertRows } from '../../src/server/testing/rows.ts';
import { createSeedReport } from '../../src/server/testing/seed-reports.ts';
import { toMediaFile } from '../../src/server/uploads/store.ts';
import { insertUser } from '../../src/server/users/store.ts';
import type { Person } from './people.ts';

type Amounts = Record<'reports' | 'audits' | 'users' | 'submissions' | 'log', number>;
type Author = { id: string; username: string };
type Upload = Tables['uploads'];

const seedDate = new Date('2026-01-15T12:00:00Z');
const tenPhotosInterval = 250;

/**
 * Fills an empty database and data folder. Returns the users, who all have the same password, and
 * the ids of the reports with ten photos.
 */
export async function seed(db: Database, dataDir: string, amounts: Amounts, author: Author, password: string) {
  const signature = await drawSignature();
  const people = await seedPeople(db, amounts.users, password);
  const addPhoto = await createPhotoWriter(dataDir, author.id);
  const reportsWithTenPhotos = await db.transaction().execute(async (db) => {
    await seedAudits(db, amounts.audits, author);
    return seedReports(db, amounts.reports, author, addPhoto);
  });
  await db.transaction().execute((db) => seedSubmissions(db, amounts.submissions, author, signature));
  await db.transaction().execute((db) => seedLog(db, amounts.log, author));
  return { people, reportsWithTenPhotos };
}

async function seedPeople(db: Database, count: number, password: string): Promise<Person[]> {
  const passwordHash = await hashPassword(password);
  const people = Array.from({ length: count }, (_, index) => ({
    username: `person.${index + 1}`,
    isReviewer: index % 3 === 0,
    // Ten reviewers see all parks; each park has four or five of its own.
    park: index % 30 === 0 ? '' : (parks[index % parks.length] ?? ''),
  }));
  await db.transaction().execute(async (db) => {
    for (const { username, isReviewer, park } of people) {
      const role = isReviewer ? 'Health & Safety Manager' : 'None';
      await insertUser(db, { username, passwordHash, role, park, mustChangePassword: false }, new Date());
    }
  });
  return people;
}

/** Returns what writes a photo and its preview as the server would store them, each with another comment, so that no cache helps a PDF. */
async function createPhotoWriter(dataDir: string, userId: string) {
  const original = sharp(join(import.meta.dirname, '../../fixtures/photos/phone-jolla.jpg')).autoOrient();
  const jpeg = await original.resize(1280, 1280, { fit: 'inside' }).jpeg({ quality: 80 }).toBuffer();
  const preview = await sharp(jpeg).resize(320, 320, { fit: 'inside' }).jpeg({ quality: 85 }).toBuffer();
  let count = 0;
  return (reportId: string): Upload => {
    count += 1;
    const comment = Buffer.from([0xff, 0xfe, 0, 10, ...Buffer.from(String(count).padStart(8, '0'))]);
    const bytes = Buffer.concat([jpeg.subarray(0, 2), comment, jpeg.subarray(2)]);
    const path = newFilePath('jpg', seedDate);
    for (const [folder, content] of Object.entries({ uploads: bytes, previews: preview })) {
      mkdirSync(dirname(join(dataDir, folder, path)), { recursive: true });
      writeFileSync(join(dataDir, folder, path), content);
    }
    return {
      ...{ path: `/uploads/${path}`, label: `photo-${count}.jpg`, type: 'image/jpeg', size: bytes.length },
      ...{ blank: 0, cut_off: 0, sha256_received: '', sha256_stored: '', uploaded_by: userId },
      ...{ created_at: seedDate.toISOString(), attached_to: 'report', attached_id: reportId },
    };
  };
}

/** Every 250th report has ten photos, the others none. Returns the ids of those. */
async function seedReports(db: Database, count: number, author: Author, addPhoto: (reportId: string) => Upload) {
  const rows = Array.from({ length: count }, (_, index) => createSeedReport(index, author));
  const withPhotos = rows.filter((_, index) => index % tenPhotosInterval === 0);
  for (const row of withPhotos) {
    const photos = Array.from({ length: 10 }, () => addPhoto(row.id));
    await insertRows(db, 'uploads', photos);
    row.mediaFiles = JSON.stringify(photos.map((photo) => toMediaFile(photo, photo.label)));
  }
  await insertRows(db, 'reports', rows);
  await db.insertInto('counters').values({ name: 'reports', value: count }).execute();
  return withPhotos.map(({ id }) => id);
}

/** Inserts ten folders per park, and their audits, a third of which are open. */
async function seedAudits(db: Database, count: number, author: Author) {
  const created = { version: 1, created_at: seedDate.toISOString(), created_by: author.id };
  const folders = Array.from({ length: 10 * parks.length }, (_, at) => ({
    ...{ id: newId(), name: `Round ${at + 1}`, description: 'Monthly rounds', park: parks[at % parks.length] },
    ...created,
  }));
  const data = serializeData({
    ...{ location: 'Clubhouse', assignee: 'Siân', media_files: [] },
    description: 'All floors. Note the dates on the tags. '.repeat(5),
  });
  const rows = Array.from({ length: count }, (_, index) => {
    const texts = { title: `Check the extinguishers, round ${index}`, data };
    const isCompleted = index % 3 !== 0;
    return {
      ...{ ...texts, id: newId(), folder_id: folders[index % folders.length]?.id ?? '', date: '2026-02-01' },
      search_text: getAuditSearchText(texts, []),
      position: index - count, // below those of the server
      ...({ is_urgent: index % 17 === 0 ? 1 : 0, due: '2026-02-01 24:00', completed: isCompleted ? 1 : 0 } as const),
      completed_by: isCompleted ? author.username : null,
      completed_by_id: isCompleted ? author.id : null,
      completed_at: isCompleted ? seedDate.toISOString() : null,
      ...{ ...created, created_at: new Date(seedDate.getTime() + index * 60_000).toISOString() },
    };
  });
  await insertRows(db, 'folders', folders);
  await insertRows(db, 'audits', rows);
}

async function seedSubmissions(db: Database, count: number, by: Author, signature: Buffer) {
  for (const checklist of await readDemoChecklists()) await insertChecklist(db, checklist, by.id, seedDate);
  const checklists = await listChecklists(db);
  const url = `data:image/png;base64,${signature.toString('base64')}`;
  for (let index = 0; index < count; index++) {
    const checklist = checklists[index % checklists.length];
    if (!checklist) return;
    const signed = checklist.sections.findIndex(({ type }) => type === 'signature');
    const answers = Object.fromEntries(checklist.sections.map((_, at) => [at, 'Checked, all as expected']));
    delete answers[signed];
    await insertSubmission(db, {
      ...{ park: parks[index % parks.length] ?? '', checklist, answers, passed: true, by },
      signatures: new Map([[signed, url]]),
      now: new Date(seedDate.getTime() + index * 60_000),
    });
  }
}

/** Inserts log entries with the hash chain that the server checks. */
async function seedLog(db: Database, count: number, by: Author) {
  let { seq, hash } = await lockActivity(db);
  const batchSize = 50_000;
  for (let from = 0; from < count; from += batchSize) {
    const rows = Array.from({ length: Math.min(batchSize, count - from) }, (_, at) => {
      seq += 1;
      const row = {
        ...{ seq, at: new Date(seedDate.getTime() + (from + at) * 10).toISOString(), previous_hash: hash },
        ...{ actor_id: by.id, actor: by.username, ip: '127.0.0.1', request_id: '' },
        ...{ action: 'opened', thing: 'report', thing_id: null, label: `ACC-2015-${seq % 50_000}`, changes: null },
      };
      hash = hashEntry(row);
      return { ...row, hash, search_text: createActivitySearchText(row) };
    });
    await insertRows(db, 'activity', rows);
  }
  const actor = { ...by, name: by.username, ip: '', requestId: '' };
  const entry = { action: 'signed in', thing: 'session', thing_id: by.id } as const;
  await appendActivity(db, { seq, hash }, [{ actor, now: seedDate, entry }]);
}
