// Measures memory and time of exporting the largest lists, each with 100,000 rows, as CSV and XLSX.
//   node bench/exports.ts              needs a build, because it starts the built product
//   node bench/exports.ts FOLDER       keeps the files there
import { createWriteStream, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { fromDayNumber, toDayNumber } from '#shared/calendar.ts';
import { parks } from '#shared/choices.ts';
import { type ExportFormat, exportFormats } from '#shared/exports.ts';
import { serializeData } from '../src/server/audits/stored-data.ts';
import { hashPassword } from '../src/server/auth/passwords.ts';
import { connect } from '../src/server/db/connect.ts';
import { migrate } from '../src/server/db/migrate.ts';
import type { Database } from '../src/server/db/schema.ts';
import { insertUser } from '../src/server/users/store.ts';
import { readMemory } from './load/watch.ts';
import { password, type Server, signIn, startProduct } from './product.ts';
import { insertAll, seedReports } from './seed.ts';

const count = 100_000;
const answersPerSubmission = 10;
const at = '2025-01-01T12:00:00.000Z';
/** The number of users while the other lists are exported: every export loads the names of all. */
const userCount = 2000;
const lists = {
  reports: '',
  'submissions, a row each': 'title=Pool',
  'submissions, a row for each answer': 'q=first',
  audits: '',
  checks: '',
  activity: '',
};
type ExportFigures = { bytes: number; seconds: number; beforeMb: number; maxMb: number };

const outputFolder = process.argv[2];
if (outputFolder) mkdirSync(outputFolder, { recursive: true });
const folder = mkdtempSync(join(tmpdir(), 'exports-'));
try {
  const db = await connect({ databaseUrl: '', dataDir: folder });
  await migrate(db);
  await seed(db);
  await db.destroy();
  console.log('Each in a server of its own:\n');
  console.log('| list | format | file | time | memory before | at most |\n|---|---|---|---|---|---|');
  for (const [name, query] of Object.entries(lists)) await measureInOwnServer(name, query);
  await measureInOneServer();
  await addUsers(count);
  await measureInOwnServer('users', '');
} finally {
  rmSync(folder, { recursive: true });
}

async function measureInOwnServer(name: string, query: string): Promise<void> {
  for (const format of exportFormats) {
    const figures = await withServer((product, cookie) => exportList(product, cookie, name, query, format));
    const { bytes, seconds, beforeMb, maxMb } = figures;
    console.log(
      `| ${name} | ${format} | ${(bytes / 1e6).toFixed(1)} MB | ${seconds.toFixed(1)} s | ${beforeMb.toFixed(0)} MB | ${maxMb.toFixed(0)} MB |`,
    );
  }
}

/** Exports all lists from one server, to show whether memory grows from one export to the next. */
async function measureInOneServer(): Promise<void> {
  const figures = await withServer(async (product, cookie) => {
    const figures: ExportFigures[] = [];
    for (const [name, query] of Object.entries(lists))
      for (const format of exportFormats) figures.push(await exportList(product, cookie, name, query, format));
    return figures;
  });
  const maxima = figures.map(({ maxMb }) => maxMb.toFixed(0)).join(', ');
  console.log(`\nAll of them in one server, one after another: at most ${maxima} MB.\n`);
}

async function withServer<T>(work: (product: Server, cookie: string) => Promise<T>): Promise<T> {
  const product = await startProduct(folder);
  try {
    const cookie = await signIn(product.url);
    await wait(3000);
    return await work(product, cookie);
  } finally {
    await product.stop();
  }
}

async function exportList(
  { url, pid }: Server,
  cookie: string,
  name: string,
  query: string,
  format: ExportFormat,
): Promise<ExportFigures> {
  const readServerMemory = async () => (await readMemory(pid)).server;
  const beforeMb = await readServerMemory();
  let maxMb = beforeMb;
  const watch = setInterval(async () => {
    maxMb = Math.max(maxMb, await readServerMemory());
  }, 50);
  try {
    const started = performance.now();
    const [path] = name.split(',');
    const response = await fetch(`${url}/api/export/${path}?format=${format}&${query}`, { headers: { cookie } });
    if (!response.ok || !response.body) throw new Error(`${name}: ${response.status}`);
    let bytes = 0;
    const source = Readable.fromWeb(response.body as never).on('data', (chunk: Buffer) => {
      bytes += chunk.length;
    });
    if (outputFolder) await pipeline(source, createWriteStream(join(outputFolder, `${name}.${format}`)));
    else for await (const _ of source);
    return { bytes, seconds: (performance.now() - started) / 1000, beforeMb, maxMb };
  } finally {
    clearInterval(watch);
  }
}

async function addUsers(total: number): Promise<void> {
  const db = await connect({ databaseUrl: '', dataDir: folder });
  const { users } = await db
    .selectFrom('users')
    .select((eb) => eb.fn.countAll<number>().as('users'))
    .executeTakeFirstOrThrow();
  await insertAll(db, 'users', createRows(createUser).slice(users, total));
  await db.destroy();
}

function createUser(index: number): object {
  return {
    ...{ id: `p${index}`, username: `person.${index}`, username_key: `person.${index}`, password_hash: '' },
    ...{ must_change_password: 0, role: 'None', created_at: at },
    parks: JSON.stringify([parks[index % parks.length]]),
    ...{ full_name: `Gwen Jones ${index}`, email: `person.${index}@example.org` },
  };
}

function createRows(create: (index: number) => object): object[] {
  return Array.from({ length: count }, (_, index) => create(index));
}

async function seed(db: Database) {
  const passwordHash = await hashPassword(password);
  const admin = { username: 'admin', passwordHash, role: 'Admin' as const, park: '', mustChangePassword: false };
  const author = { id: await insertUser(db, admin, new Date()), username: 'admin' };
  const by = author.id;
  await seedReports(db, count, author);
  await insertAll(db, 'users', createRows(createUser).slice(0, userCount));
  const folders = Array.from({ length: 200 }, (_, index) => ({
    ...{ id: `f${index}`, name: `Round ${index}`, description: '', thumbnail: null, park: parks[index % parks.length] },
    ...{ version: 1, created_at: at, created_by: by, deletion_id: null },
  }));
  await insertAll(db, 'folders', folders);
  const data = serializeData({
    ...{ location: 'Clubhouse', assignee: 'Siân', media_files: [] },
    description: 'All floors. Note the dates on the tags. '.repeat(5),
  });
  await insertAll(
    db,
    'audits',
    createRows((index) => ({
      ...{ id: `a${index}`, folder_id: `f${index % folders.length}`, title: `Round ${index}`, date: '2025-02-01' },
      ...{ time: null, is_urgent: 0, completed: 0, completed_by: null, completed_at: null, data, version: 1 },
      ...{ created_at: at, created_by: by, captured_at: null, deletion_id: null, due: '2025-02-01 24:00' },
    })),
  );
  const sections = Array.from({ length: answersPerSubmission }, (_, index) => ({
    ...{ title: `Question ${index}`, type: 'text', required: false },
  }));
  const answers = JSON.stringify(Object.fromEntries(sections.map((_, index) => [index, 'Checked, all in order'])));
  await insertAll(db, 'checklists', [
    { id: 'c', title: 'Pool', version: 1, created_at: at, updated_at: at, deletion_id: null },
  ]);
  await insertAll(db, 'checklist_versions', [
    {
      checklist_id: 'c',
      version: 1,
      title: 'Pool',
      sections: JSON.stringify(sections),
      created_at: at,
      created_by: by,
    },
  ]);
  await insertAll(
    db,
    'submissions',
    createRows((index) => ({
      ...{ id: `u${index}`, position: index + 1, number: `CHK-${index}`, checklist_id: 'c', checklist_version: 1 },
      // A tenth as many submissions as the other lists have rows, because each has ten answers.
      ...{
        checklist_title: 'Pool',
        data: answers,
        search_text: index % answersPerSubmission === 0 ? 'first' : 'other',
      },
      ...{ submitted_at: at, submitted_by: by, submitted_by_name: 'admin', park: parks[index % parks.length] },
      captured_at: null,
    })),
  );
  await insertAll(db, 'schedules', [
    {
      ...{ id: 's', checklist_id: 'c', parks: '[]', repeat: 'daily', opens_at: '06:00', closes_at: '10:00' },
      ...{ starts_on: '2000-01-01', gate: '', version: 1, written_until: '2099-01-01', created_at: at, created_by: by },
    },
  ]);
  await insertAll(
    db,
    'due_checks',
    createRows((index) => {
      const day = fromDayNumber(toDayNumber('2025-12-01') - Math.floor(index / parks.length));
      return {
        ...{ id: `d${index}`, schedule_id: 's', checklist_id: 'c', park: parks[index % parks.length], day, gate: '' },
        ...{ opens_at: `${day}T06:00:00.000Z`, closes_at: `${day}T10:00:00.000Z`, failures: 0 },
      };
    }),
  );
  await insertAll(
    db,
    'activity',
    createRows((index) => ({
      ...{ seq: 1000 + index, at, actor_id: by, actor: 'admin', ip: '127.0.0.1', action: 'opened', thing: 'report' },
      ...{ thing_id: null, label: `ACC-2025-${index}`, changes: null, search_text: 'opened', request_id: '' },
      ...{ previous_hash: '', hash: '' },
    })),
  );
}
