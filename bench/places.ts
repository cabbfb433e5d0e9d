// Measures the CPU time of the page of a place, at 100,000 reports, 2,000 places with 50 reports and 10
// open audits each, and two facilities in each park that daily checks open.
//   node bench/places.ts            SQLite
//   DATABASE_URL=… node bench/places.ts    an empty PostgreSQL database. The CPU time is then only that
//   of this process, so compare the time elapsed.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fromDayNumber, toDayNumber } from '#shared/calendar.ts';
import { parks } from '#shared/choices.ts';
import { connect } from '../src/server/db/connect.ts';
import { migrate } from '../src/server/db/migrate.ts';
import { insertLinks } from '../src/server/db/place-links.ts';
import { placeHandlers } from '../src/server/places/handlers.ts';
import { insertUser } from '../src/server/users/store.ts';
import { median } from './median.ts';
import { insertAll, seedReports } from './seed.ts';

const [reports, placesInPark, audits, runs] = [100_000, 100, 20_000, 200];
const now = new Date('2026-06-15T12:00:00.000Z');
const at = now.toISOString();

const folder = mkdtempSync(join(tmpdir(), 'places-'));
const db = await connect({ databaseUrl: process.env.DATABASE_URL ?? '', dataDir: folder });
await migrate(db);
const person = { username: 'bench', passwordHash: 'x', role: 'Admin' as const, park: '', mustChangePassword: false };
const author = { id: await insertUser(db, person, now), username: 'bench' };
await seedReports(db, reports, author);

const places = parks.flatMap((park, index) =>
  Array.from({ length: placesInPark }, (_, number) => ({
    ...{ id: `p${index}-${number}`, park, name: `Plot ${number}`, name_key: `plot ${number}` },
  })),
);
await insertAll(db, 'places', places);
await insertAll(
  db,
  'folders',
  parks.map((park, index) => ({
    ...{ id: `f${index}`, name: 'Hazards', description: '', thumbnail: null, park, version: 1 },
    ...{ created_at: at, created_by: author.id },
  })),
);
await insertAll(
  db,
  'audits',
  Array.from({ length: audits }, (_, index) => ({
    ...{ id: `a${index}`, folder_id: `f${index % parks.length}`, title: 'Fire: Plot', date: '2026-07-01', time: null },
    ...{ due: '2026-07-01 24:00', is_urgent: 0, completed: 0, version: 1, data: '{}' },
    ...{ created_at: at, created_by: author.id },
  })),
);
const ids = {
  report: (await db.selectFrom('reports').select('id').execute()).map(({ id }) => id),
  audit: Array.from({ length: audits }, (_, index) => `a${index}`),
};
for (const [number, { id }] of places.entries())
  for (const thing of ['report', 'audit'] as const) {
    // Audits are spread over the parks in the same order as places are over them.
    const isHere = (_: string, index: number) =>
      thing === 'report'
        ? index % places.length === number
        : index % parks.length === Math.floor(number / placesInPark) &&
          Math.floor(index / parks.length) % placesInPark === number % placesInPark;
    const links = ids[thing].filter(isHere).map((thing_id) => ({ thing, thing_id, is_later: 0 as const }));
    await insertLinks(db, id, links, { by: author, now });
  }
const version = { checklist_id: 'c', version: 1, title: 'Pool', created_at: at };
await insertAll(db, 'checklists', [{ id: 'c', title: 'Pool', version: 1, created_at: at, updated_at: at }]);
await insertAll(db, 'checklist_versions', [{ ...version, sections: '[]', created_by: author.id }]);
for (const gate of ['Plot 0', 'Plot 1']) {
  await insertAll(db, 'schedules', [
    {
      ...{ id: gate, checklist_id: 'c', parks: JSON.stringify(parks), repeat: 'daily', opens_at: '06:00' },
      ...{ closes_at: '10:00', starts_on: '2020-01-01', gate: '', opens: 1, version: 1, written_until: '2026-07-06' },
      ...{ created_at: at, created_by: author.id },
    },
  ]);
  const opened = places.filter(({ name }) => name === gate);
  const placeOf = new Map(opened.map(({ id, park }) => [park, id]));
  await insertAll(
    db,
    'schedule_places',
    opened.map(({ id }) => ({ schedule_id: gate, place_id: id })),
  );
  await insertAll(
    db,
    'due_checks',
    Array.from({ length: 2000 }, (_, index) => fromDayNumber(toDayNumber('2026-07-06') - index)).flatMap((day) =>
      parks.map((park) => ({
        ...{ id: `${gate}${day}${park}`, schedule_id: gate, checklist_id: 'c', park, day, gate, failures: 0 },
        place_id: placeOf.get(park) ?? '',
        ...{ opens_at: `${day}T05:00:00.000Z`, closes_at: `${day}T09:00:00.000Z` },
      })),
    ),
  );
}

for (const [title, numbers] of [
  ['a place that checks open', [0, 1]],
  ['another place', [2, 50, 99]],
] as const) {
  const [cpuTimes, elapsed]: [number[], number[]] = [[], []];
  for (let run = 0; run < runs; run += 1) {
    const id = `p${run % parks.length}-${numbers[run % numbers.length]}`;
    const before = process.cpuUsage();
    const started = performance.now();
    const context = { db, params: { id }, user: { ...author, role: 'Admin', parks: null }, now };
    await placeHandlers.getPlace(context as never);
    elapsed.push(performance.now() - started);
    const { user, system } = process.cpuUsage(before);
    cpuTimes.push((user + system) / 1000);
  }
  console.log(
    `${title}: ${median(cpuTimes).toFixed(1)} ms of CPU (median), ${Math.max(...cpuTimes).toFixed(1)} ms at most; ${median(elapsed).toFixed(1)} ms elapsed`,
  );
}
await db.destroy();
rmSync(folder, { recursive: true });
