// Measures the CPU time of the overview at 100,000 reports, 20,000 audits, 20,000 submissions and
// 40,000 due checks.
//   node bench/overview.ts            SQLite
//   DATABASE_URL=… node bench/overview.ts    an empty PostgreSQL database. The CPU time is then only
//   that of this process, so compare the time elapsed.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { fromDayNumber, toDayNumber } from '#shared/calendar.ts';
import { parks } from '#shared/choices.ts';
import type { OverviewQuery } from '#shared/overview/overview.ts';
import { expandSchedule } from '#shared/schedules/expand-schedule.ts';
import { connect } from '../src/server/db/connect.ts';
import { migrate } from '../src/server/db/migrate.ts';
import type { Database } from '../src/server/db/schema.ts';
import { countOverview } from '../src/server/overview/store.ts';
import { insertUser } from '../src/server/users/store.ts';
import { median } from './median.ts';
import { insertAll, seedReports } from './seed.ts';

const reports = 100_000;
const audits = 20_000;
const submissions = 20_000;
const runs = 15;
const today = '2025-12-14';

const folder = mkdtempSync(join(tmpdir(), 'overview-'));
const db = await connect({ databaseUrl: process.env.DATABASE_URL ?? '', dataDir: folder });
await migrate(db);
const author = { id: await insertUser(db, newUser(), new Date()), username: 'bench' };
await seedReports(db, reports, author);
await varyTimesAndTypes(db);
await seedOtherRecords(db, author.id);

const times = { today, now: `${today}T12:00:00.000Z` };
const person = { role: 'Admin', parks: null } as const;
for (const [title, query] of [
  ['30 days, all parks', { from: '2025-11-15', to: today }],
  ['12 months, all parks', { from: '2024-12-15', to: today }],
  ['12 months, one park', { from: '2024-12-15', to: today, park: [parks[3]] }],
  ['all 10 years', { from: '2015-12-15', to: today }],
] satisfies [string, OverviewQuery][]) {
  await countOverview(db, person, query, times);
  const [cpuTimes, elapsed]: [number[], number[]] = [[], []];
  for (let run = 0; run < runs; run += 1) {
    const before = process.cpuUsage();
    const started = performance.now();
    await countOverview(db, person, query, times);
    elapsed.push(performance.now() - started);
    const { user, system: systemTime } = process.cpuUsage(before);
    cpuTimes.push((user + systemTime) / 1000);
  }
  console.log(
    `${title}: ${median(cpuTimes).toFixed(0)} ms of CPU (median), ${Math.max(...cpuTimes).toFixed(0)} ms at most; ${median(elapsed).toFixed(0)} ms elapsed`,
  );
}
await db.destroy();
rmSync(folder, { recursive: true });
measureSchedules();

/** Measures a month of 20 parks with 30 daily schedules each, which run for ten years. */
function measureSchedules() {
  const cpuTimes: number[] = [];
  for (let month = 1; month <= 12; month += 1) {
    const days = `2025-${String(month).padStart(2, '0')}`;
    const before = process.cpuUsage();
    for (const _ of parks)
      for (let number = 0; number < 30; number += 1) {
        const hour = String(6 + (number % 12)).padStart(2, '0');
        const windows = [{ opensAt: `${hour}:${number % 2 ? '30' : '00'}`, closesAt: '20:00' }];
        expandSchedule({ repeat: 'daily', windows, startsOn: '2016-01-01', endsOn: today }, `${days}-01`, `${days}-31`);
      }
    const { user, system: systemTime } = process.cpuUsage(before);
    cpuTimes.push((user + systemTime) / 1000);
  }
  console.log(
    `a month of ${parks.length * 30} schedules: ${median(cpuTimes).toFixed(0)} ms of CPU (median), ${Math.max(...cpuTimes).toFixed(0)} ms at most`,
  );
}

/** Gives the reports times and types that vary as real ones do. */
async function varyTimesAndTypes(db: Database) {
  for (let hour = 0; hour < 24; hour += 1) {
    const type = `Type ${hour % 17}`;
    await db
      .updateTable('reports')
      .set({ time: `${String(hour).padStart(2, '0')}:15`, type, type_key: type.toLowerCase() })
      .where(sql<boolean>`position % 24 = ${hour}`)
      .execute();
  }
}

function newUser() {
  return { username: 'bench', passwordHash: 'x', role: 'Admin' as const, park: '', mustChangePassword: false };
}

async function seedOtherRecords(db: Database, by: string) {
  const at = '2015-01-01T00:00:00.000Z';
  const getDayAt = (index: number) => fromDayNumber(toDayNumber('2015-01-01') + ((index * 7919) % 4000));
  const folders = parks.map((park, index) => ({
    ...{ id: `f${index}`, name: park, description: '', thumbnail: null, park, version: 1 },
    ...{ created_at: at, created_by: by, deletion_id: null },
  }));
  await insertAll(db, 'folders', folders);
  await insertAll(
    db,
    'audits',
    Array.from({ length: audits }, (_, index) => ({
      ...{ id: `a${index}`, folder_id: `f${index % parks.length}`, title: 'Audit', date: getDayAt(index), time: null },
      ...{ is_urgent: 0, completed: index % 10 === 0 ? 0 : 1, completed_by: 'x', version: 1, deletion_id: null },
      ...{ completed_at: index % 10 === 0 ? null : `${getDayAt(index + 3)}T12:00:00.000Z`, data: '{}' },
      ...{ created_at: `${getDayAt(index)}T08:00:00.000Z`, created_by: by, captured_at: null },
    })),
  );
  const version = { checklist_id: 'c', version: 1, title: 'Pool', created_at: at };
  await insertAll(db, 'checklists', [
    { id: 'c', title: 'Pool', version: 1, created_at: at, updated_at: at, deletion_id: null },
  ]);
  await insertAll(db, 'checklist_versions', [{ ...version, sections: '[]', created_by: by }]);
  await insertAll(db, 'schedules', [
    {
      ...{ id: 's', checklist_id: 'c', parks: '[]', repeat: 'daily', opens_at: '06:00', closes_at: '10:00' },
      ...{ starts_on: '2020-01-01', gate: '', version: 1, written_until: today, created_at: at, created_by: by },
    },
  ]);
  const days = Array.from({ length: 2000 }, (_, index) => fromDayNumber(toDayNumber(today) - index));
  await insertAll(
    db,
    'submissions',
    Array.from({ length: submissions }, (_, index) => ({
      ...{ id: `u${index}`, position: index + 1, number: `CHK-${index}`, checklist_id: 'c', checklist_version: 1 },
      ...{ checklist_title: 'Pool', data: '{}', search_text: '', submitted_at: `${days[index % 2000]}T07:00:00.000Z` },
      ...{ submitted_by: by, submitted_by_name: 'x', park: parks[index % parks.length], captured_at: null },
    })),
  );
  await insertAll(
    db,
    'due_checks',
    days.flatMap((day, index) =>
      parks.map((park) => ({
        ...{ id: `d${index}${park}`, schedule_id: 's', checklist_id: 'c', park, day, gate: '', failures: 0 },
        ...{ opens_at: `${day}T06:00:00.000Z`, closes_at: `${day}T10:00:00.000Z`, submission_id: null },
        filled_in_at: (index + park.length) % 2 ? `${day}T07:00:00.000Z` : null,
        received_at: null,
      })),
    ),
  );
}
