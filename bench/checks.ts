// Measures what is due now, and saving a schedule, at 200 places of each of 20 parks with four schedules a day.
// Part of: npm run bench. On PostgreSQL: node bench/checks.ts --postgres. With --closed, today's windows have closed.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { defaultParks as parks } from '#shared/choices.ts';
import { getToday } from '#shared/dates.ts';
import { findChecklist, insertChecklist } from '../src/server/checklists/store.ts';
import { insertSubmission } from '../src/server/checklists/submissions.ts';
import { serverActor } from '../src/server/db/activity-log.ts';
import { connect, connectReadOnly } from '../src/server/db/connect.ts';
import type { Database } from '../src/server/db/schema.ts';
import { writeTransaction } from '../src/server/db/write-transaction.ts';
import { insertPlace } from '../src/server/places/links/place-links.ts';
import { insertComingChecks } from '../src/server/schedules/due-checks.ts';
import { insertSchedule } from '../src/server/schedules/store.ts';
import { getCookieName, insertSession } from '../src/server/sign-in/session/session.ts';
import { insertUser } from '../src/server/users/store.ts';
import { createPostgresDatabase, startProduct } from './product.ts';

const [schedules, daysBefore, rounds] = [4, 28, 20];
const [now, begun] = [new Date(), new Date(Date.now() - daysBefore * 24 * 60 * 60_000)];
const days = { repeat: 'daily' as const, month_day: null, season_from: null, season_to: null, ends_on: null };
const closes_at = process.argv.includes('--closed') ? '00:01' : '00:00';
const times = { starts_on: getToday(begun), opens_at: '00:00', closes_at, more_windows: [] };
const rule = { ...days, ...times, parks: [...parks] };
const database = process.argv.includes('--postgres') ? await createPostgresDatabase() : undefined;
const [databaseUrl, dataDir] = [database?.url ?? '', await mkdtemp(join(tmpdir(), 'checks-'))];
const settings = { DATABASE_URL: databaseUrl, RATE_PER_SESSION: '100000000', RATE_SCALE: '1000000' };
// The first start creates the tables.
await (await startProduct(dataDir, settings)).stop();
const { places, checklists, scheduleId, staff, reviewer } = await seed();
const server = await startProduct(dataDir, settings);
const db = await connectReadOnly({ databaseUrl, dataDir });
console.log(`| ${places.length} places, ${schedules} schedules a day | figure | target |\n|---|---|---|`);
const ofPark = `/api/due-checks?park=${encodeURIComponent(parks[0])}`;
await measureCpu('Due now for a park', () => send(staff, ofPark));
await measureCpu('Due now for all parks: counts and 50 rows', () => send(reviewer, '/api/due-checks'));
console.log(`| p95 of others, nothing saved | ${await measureOthers(() => wait(10_000))} | |`);
const created = { ...rule, places, opens: true, checklist_id: checklists[0] };
await measureSaving('create a schedule', () => send(reviewer, '/api/admin/schedules', 'POST', created));
const moved = { ...rule, places, opens: true, opens_at: '01:00', closes_at: '23:00' };
await measureSaving('change its times', () => send(reviewer, `/api/admin/schedules/${scheduleId}`, 'PUT', moved));
await Promise.all([db.destroy(), server.stop()]);
await database?.drop();
await rm(dataDir, { recursive: true, force: true });

/** Adds places, schedules that began four weeks ago, and a submission of each checklist today at half of the places. */
async function seed() {
  const db = await connect({ databaseUrl, dataDir });
  const write = <T>(at: Date, work: (db: Database) => Promise<T>) => writeTransaction(db, serverActor, at, work);
  const addUser = async (role: 'None' | 'Health & Safety Manager', park: string) => {
    const id = await insertUser(db, { username: role, role, park, passwordHash: '', mustChangePassword: false }, now);
    return { id, username: role, parks: null, cookie: `${getCookieName(false)}=${await insertSession(db, id, now)}` };
  };
  const [by, reviewer] = [await addUser('None', parks[0]), await addUser('Health & Safety Manager', '')];
  const added = Array.from({ length: 4000 }, (_, at) => ({ park: parks[at % parks.length] ?? '', id: '' }));
  await write(begun, async (db) => {
    for (const [at, place] of added.entries()) place.id = (await insertPlace(db, place.park, `Chalet ${at}`)) ?? '';
  });
  const onFail = { when: 'No', photo: 'optional' } as const;
  const sections = [{ title: 'Is it safe?', type: 'na' as const, required: false, onFail }];
  const fields = { ...rule, every: 1, weekdays: [], month: null, opens: true, places: added.map(({ id }) => id) };
  const [checklists, ids]: [string[], string[]] = [[], []];
  for (let at = 1; at <= schedules; at++) {
    const id = await insertChecklist(db, { title: `Check ${at}`, sections }, reviewer.id, begun);
    ids.push(await write(begun, (db) => insertSchedule(db, id, fields, { user: reviewer, now: begun })));
    checklists.push(id);
  }
  for (const at of [begun, now]) await insertComingChecks(db, at);
  for (const id of checklists)
    await write(now, async (db) => {
      const checklist = await findChecklist(db, id);
      if (!checklist) return;
      const rest = { checklist, answers: { 0: 'Yes' }, signatures: new Map(), passed: true, by, now };
      for (const { id: placeId, park } of added.slice(2000)) await insertSubmission(db, { ...rest, park, placeId });
    });
  if (database) await sql`analyze`.execute(db);
  await db.destroy();
  return { places: fields.places, checklists, scheduleId: ids[0], staff: by.cookie, reviewer: reviewer.cookie };
}

async function send(cookie: string, path: string, method = 'GET', body?: object) {
  const headers = { cookie, 'accept-encoding': 'br, gzip', 'content-type': 'application/json', 'x-types': '2' };
  const response = await fetch(server.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  await response.arrayBuffer();
}

async function readServerCpuMs(): Promise<number> {
  const [user = 0, system = 0] = (await readFile(`/proc/${server.pid}/stat`, 'utf8')).split(' ').slice(13).map(Number);
  return (user + system) * 10;
}

async function measureCpu(what: string, request: () => Promise<void>): Promise<void> {
  for (let round = 0; round < 5; round++) await request();
  const [began, cpuBefore] = [performance.now(), await readServerCpuMs()];
  for (let round = 0; round < rounds; round++) await request();
  const [cpu, ms] = [((await readServerCpuMs()) - cpuBefore) / rounds, (performance.now() - began) / rounds];
  console.log(`| ${what} | ${cpu} ms of CPU, answered in ${ms.toFixed(0)} ms | 150 ms |`);
}

/** Sends a request every 50 ms until `work` is done: lists, and a checklist as every fourth. Returns their p95. */
async function measureOthers(work: () => Promise<unknown>): Promise<string> {
  const answers = { checklistId: checklists[1], data: { 0: 'Yes' }, placeId: places[0] };
  const [times, requests, state]: [number[], Promise<unknown>[], { isDone: boolean }] = [[], [], { isDone: false }];
  requests.push(work().finally(() => (state.isDone = true)));
  for (let at = 0; !state.isDone; at++) {
    const [path = '', began] = [['/api/notifications/count', ofPark, '/api/checklists'][at % 4], performance.now()];
    const request = path ? send(staff, path) : send(staff, '/api/submit-checklist', 'POST', answers);
    requests.push(request.then(() => times.push(performance.now() - began)));
    await wait(50);
  }
  await Promise.all(requests);
  return `${times.sort((a, b) => a - b)[Math.floor(times.length * 0.95)]?.toFixed(0)} ms`;
}

async function measureSaving(what: string, save: () => Promise<void>): Promise<void> {
  const [began, cpuBefore] = [performance.now(), await readServerCpuMs()];
  const others = await measureOthers(async () => {
    await save();
    const [ms, cpu] = [performance.now() - began, (await readServerCpuMs()) - cpuBefore];
    console.log(`| ${what} of all places | answered in ${ms.toFixed(0)} ms, ${cpu} ms of CPU | 250 ms |`);
    const changed = db.selectFrom('schedules').select('id').where('changed_at', 'is not', null);
    while ((await changed.execute()).length > 0) await wait(50);
  });
  console.log(
    `| p95 of others until all rows follow, after ${Math.round(performance.now() - began)} ms | ${others} | 250 ms |`,
  );
}
