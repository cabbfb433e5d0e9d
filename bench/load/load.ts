// npm run load [-- --minutes 30] [--postgres] [--no-messages]
// Measures the server with a database of several years while sixty simulated users work, and then
// three hundred at once.
import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import type { Checklist } from '#shared/checklists.ts';
import { connect, getEngine } from '../../src/server/db/connect.ts';
import { drawSignature } from '../../src/server/demo/demo.ts';
import { drawHeavyPng } from '../heavy-png.ts';
import { createPostgresDatabase, password, startProduct } from '../product.ts';
import { type Client, createClient, createPhotoForm } from './client.ts';
import { createRecorder, printTable, type Recorder } from './figures.ts';
import { enableFollowUp, printDeliveries, type Receivers, startReceivers } from './follow-up.ts';
import { type Person, simulateUser, submitChecklist, type TestData } from './people.ts';
import { seed } from './seed.ts';
import { readEventLoopLag, watchMemory } from './watch.ts';
import { readWholeList } from './whole-list.ts';

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '2' },
    users: { type: 'string', default: '60' },
    burst: { type: 'string', default: '300' },
    /** Average seconds between two tasks of a user. */
    think: { type: 'string', default: '3' },
    reports: { type: 'string', default: '50000' },
    log: { type: 'string', default: '1000000' },
    postgres: { type: 'boolean', default: false },
    /** Email, push, failing answers and scheduled checks. */
    messages: { type: 'boolean', default: true },
  },
  allowNegative: true,
});
const getNumber = (name: 'minutes' | 'users' | 'burst' | 'think' | 'reports' | 'log') => Number(options[name]);

const database = options.postgres ? await createPostgresDatabase() : undefined;

/** Maximum milliseconds for 95 % of the requests that read, and of those that save. */
const readTargetMs = 100;
const saveTargetMs = 150;
const targetsMs: Record<string, number> = {
  'sign in': 400,
  session: readTargetMs,
  'reports, newest 50': readTargetMs,
  'reports, next 50': readTargetMs,
  'reports, months': readTargetMs,
  search: readTargetMs,
  'one report': readTargetMs,
  thumbnail: readTargetMs,
  'audit folders': readTargetMs,
  "a folder's audits": readTargetMs,
  'one audit': readTargetMs,
  checklists: readTargetMs,
  'checks due today': readTargetMs,
  'audits assigned to me': readTargetMs,
  'all open audits': readTargetMs,
  'unread notifications': readTargetMs,
  notifications: readTargetMs,
  'submissions, newest 50': readTargetMs,
  'one submission': readTargetMs,
  'upload a photo, 0.8 MB': 700,
  'upload a signature': 700,
  'submit a report': saveTargetMs,
  'submit a checklist': saveTargetMs,
  'create an audit': saveTargetMs,
  'change an audit': saveTargetMs,
  'complete an audit': saveTargetMs,
  'mark all read': saveTargetMs,
  'sign out': saveTargetMs,
  'PDF, 10 photos': 2000,
};

const dataDir = await mkdtemp(join(tmpdir(), 'load-'));
const receivers = options.messages ? await startReceivers() : undefined;
try {
  await runLoad(database?.url ?? '', receivers);
} finally {
  await receivers?.stop();
  await database?.drop();
  await rm(dataDir, { recursive: true, force: true });
}

async function runLoad(databaseUrl: string, receivers: Receivers | undefined): Promise<void> {
  // All connections come from one IP address, as they do behind a proxy.
  const settings = { DATABASE_URL: databaseUrl, TRUST_PROXY: '127.0.0.1', ...receivers?.settings };
  // The first start creates the tables and the admin.
  await (await startProduct(dataDir, settings)).stop();
  const { people, reportsWithTenPhotos } = await fillDatabase(databaseUrl, receivers);

  const serverLog = createWriteStream(join(dataDir, 'server.log'));
  let metricsPort = '';
  // Runs with the default rate limits, which sixty users behind one address do not reach, and
  // neither do three hundred sign-ins.
  const server = await startProduct(dataDir, { ...settings, METRICS_PORT: '0' }, (text) => {
    serverLog.write(text);
    metricsPort ||= /"port":(\d+),[^\n]*figures for Prometheus/.exec(text)?.[1] ?? '';
  });
  const memory = watchMemory(server.pid);
  const readLag = () => readEventLoopLag(`http://127.0.0.1:${metricsPort}/metrics`);
  const signature = await drawSignature();
  const testData: TestData = {
    photo: createPhotoForm(
      await readFile(join(import.meta.dirname, '../../fixtures/photos/phone-jolla.jpg')),
      'photo.jpg',
    ),
    signature: createPhotoForm(signature, 'signature.png'),
    signatureUrl: `data:image/png;base64,${signature.toString('base64')}`,
    reportsWithTenPhotos,
    thinkMs: getNumber('think') * 1000,
  };
  try {
    await wait(2500);
    const startMemory = memory.getCurrent();
    await readLag();

    const minutes = getNumber('minutes');
    const mixedRecorder = createRecorder();
    const endTime = performance.now() + minutes * 60_000;
    const warmUpMs = Math.min(300_000, minutes * 15_000);
    const usersDone = Promise.all(
      people.slice(0, getNumber('users')).map(async (person) => {
        const client = createClient(server.url, mixedRecorder);
        await wait(Math.random() * Math.min(10_000, warmUpMs)); // users do not all sign in within the same second
        await simulateUser(client, person, password, testData, endTime).finally(() => client.close());
      }),
    );
    await wait(warmUpMs);
    const warmMemory = memory.getCurrent();
    await usersDone;
    console.log(`\n${getNumber('users')} people at work for ${minutes} minutes\n`);
    mixedRecorder.print(targetsMs);
    printErrors(mixedRecorder);
    const mixedLag = await readLag();
    const endMemory = memory.getCurrent();

    const growth = (100 * (endMemory.server - warmMemory.server)) / warmMemory.server;
    const formatMb = (value: number) => `${value.toFixed(0)} MB`;
    printTable(
      ['the server', 'figure', 'target'],
      [
        ['memory at the start', formatMb(startMemory.server), ''],
        [
          `memory after ${warmUpMs / 1000} s, and of its children`,
          `${formatMb(warmMemory.server)} + ${formatMb(warmMemory.children)}`,
          '',
        ],
        [
          'memory at the end, and of its children',
          `${formatMb(endMemory.server)} + ${formatMb(endMemory.children)}`,
          '',
        ],
        [
          'growth since then, of the server alone',
          `${growth.toFixed(0)} %`,
          minutes < 5 ? 'under 10 %, in a round of 5 minutes and more' : formatTarget(growth < 10, 'under 10 %'),
        ],
        [
          'the most memory ever, with its children',
          formatMb(memory.getMaximumMb()),
          formatTarget(memory.getMaximumMb() < 900, 'under 900 MB'),
        ],
        [
          'lag of the event loop, p99',
          `${mixedLag.p99.toFixed(0)} ms`,
          formatTarget(mixedLag.p99 < 100, 'under 100 ms'),
        ],
        ['lag of the event loop, most', `${mixedLag.max.toFixed(0)} ms`, ''],
      ],
    );

    await measureHeavyPhotos(server.url, people, testData);

    await measureDuringFullListRead(server.url, people);
    const listLag = await readLag();
    console.log(
      `Lag of the event loop at that time: p99 ${listLag.p99.toFixed(0)} ms, most ${listLag.max.toFixed(0)} ms\n`,
    );

    const burstRecorder = createRecorder();
    const started = performance.now();
    const clients = people
      .slice(0, getNumber('burst'))
      .map((person) => runBurstUser(createClient(server.url, burstRecorder), person, testData));
    await Promise.all(clients);
    const burstLag = await readLag();
    console.log(
      `${clients.length} people at once: all done after ${((performance.now() - started) / 1000).toFixed(1)} s\n`,
    );
    burstRecorder.print({});
    printErrors(burstRecorder);
    console.log(
      `Lag of the event loop at that time: p99 ${burstLag.p99.toFixed(0)} ms, most ${burstLag.max.toFixed(0)} ms`,
    );
    console.log(`The most memory ever, with its children: ${memory.getMaximumMb().toFixed(0)} MB\n`);
    if (receivers) {
      const db = await connect({ databaseUrl, dataDir });
      await printDeliveries(db, receivers);
      await db.destroy();
    }
    if (mixedRecorder.listErrors().length + burstRecorder.listErrors().length > 0) process.exitCode = 1;
  } finally {
    memory.stop();
    await server.stop();
    serverLog.end();
  }
}

async function fillDatabase(databaseUrl: string, receivers: Receivers | undefined) {
  const started = performance.now();
  const db = await connect({ databaseUrl, dataDir });
  const admin = await db.selectFrom('users').select(['id', 'username']).executeTakeFirstOrThrow();
  const amounts = {
    reports: getNumber('reports'),
    files: 40_000,
    audits: 20_000,
    users: 300,
    submissions: 5000,
    log: getNumber('log'),
  };
  const filled = await seed(db, dataDir, amounts, admin, password);
  if (receivers) await enableFollowUp(db, receivers, filled.people, admin.id);
  // PostgreSQL would update its statistics by itself within a minute; the load starts sooner.
  if (getEngine(db) === 'postgres') await sql`analyze`.execute(db);
  await db.destroy();
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  console.log(
    `${Object.entries(amounts)
      .map(([name, count]) => `${count} ${name}`)
      .join(', ')}: filled in ${seconds} s (${options.postgres ? 'PostgreSQL' : 'SQLite'})`,
  );
  return filled;
}

/**
 * One user sends 40 PNGs of 50 megapixels while another repeatedly uploads a photo as the app
 * prepares it.
 */
async function measureHeavyPhotos(url: string, people: Person[], testData: TestData): Promise<void> {
  const heavyPhoto = createPhotoForm(await drawHeavyPng(), 'heavy.png');
  const uploadRecorder = createRecorder();
  const otherRecorder = createRecorder();
  const [uploadClient, otherClient] = [createClient(url, uploadRecorder), createClient(url, otherRecorder)];
  await uploadClient.signIn(people[0]?.username ?? '', password);
  await otherClient.signIn(people[1]?.username ?? '', password);
  const uploadRequest = { method: 'POST', path: '/api/upload/image' } as const;
  let isSending = true;
  const sending = Promise.all(
    Array.from({ length: 40 }, () => uploadClient.send('a heavy PNG', { ...uploadRequest, photo: heavyPhoto })),
  ).finally(() => {
    isSending = false;
  });
  while (isSending) {
    await otherClient.send("another user's photo beside them", { ...uploadRequest, photo: testData.photo });
    await wait(1100);
  }
  await sending;
  console.log('40 heavy PNGs of one user\n');
  uploadRecorder.print({});
  otherRecorder.print({ "another user's photo beside them": 700 });
  printErrors(otherRecorder);
  uploadClient.close();
  otherClient.close();
}

/** Reads the whole list, as an API client may, and measures the requests of other users meanwhile. */
async function measureDuringFullListRead(url: string, people: Person[]): Promise<void> {
  const recorder = createRecorder();
  const reviewer = createClient(url, recorder);
  await reviewer.signIn(people.find(({ isReviewer }) => isReviewer)?.username ?? '', password);
  const otherRecorder = createRecorder();
  const otherClient = createClient(url, otherRecorder);
  await otherClient.signIn(people.findLast(({ isReviewer }) => isReviewer)?.username ?? '', password);
  for (let round = 0; round < 3; round++) {
    let isListing = true;
    const reading = (async () => {
      while (isListing) {
        await otherClient.send('reports, newest 50, at the same time', { path: '/api/get-reports?limit=50' });
        await wait(50);
      }
    })();
    const list = await readWholeList(url, reviewer.cookie(), 10_000);
    isListing = false;
    await reading;
    if (list.first !== undefined) recorder.addTime('its first 10000', list.first);
    recorder.addTime(`all ${list.count}, ${(list.bytes / 1e6).toFixed(1)} MB gzipped`, list.ms);
  }
  console.log('The whole list of reports, in one call\n');
  recorder.print({ 'its first 10000': 800 });
  otherRecorder.print({ 'reports, newest 50, at the same time': readTargetMs });
  printErrors(recorder);
  printErrors(otherRecorder);
  reviewer.close();
  otherClient.close();
}

/** Signs in, reads a list and submits a checklist, as all users do at once. */
async function runBurstUser(client: Client, person: Person, testData: TestData): Promise<void> {
  if (await client.signIn(person.username, password)) {
    const [kind, path] = person.isReviewer
      ? ['reports, newest 50', '/api/get-reports?limit=50']
      : ['audit folders', '/api/audit-folders'];
    await client.send(kind, { path });
    const checklists = await client.json<Checklist[]>('checklists', { path: '/api/checklists' });
    if (checklists?.[0]) await submitChecklist(client, checklists[0], testData, person);
  }
  client.close();
}

function printErrors(recorder: Recorder): void {
  const counts = new Map<string, number>();
  for (const { kind, reason } of recorder.listErrors())
    counts.set(`${kind}: ${reason}`, (counts.get(`${kind}: ${reason}`) ?? 0) + 1);
  for (const [errorText, count] of [...counts].slice(0, 20)) console.log(`${count} times: ${errorText}`);
}

function formatTarget(isMet: boolean, target: string): string {
  return `${target}: ${isMet ? 'met' : '**not met**'}`;
}
