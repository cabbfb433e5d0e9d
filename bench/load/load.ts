// npm run load [-- --minutes 30] [--postgres]
// Measures the server with a database of several years while sixty simulated users work.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { connect, getEngine } from '../../src/server/db/connect.ts';
import { drawSignature } from '../../src/server/demo/signatures.ts';
import { createPostgresDatabase, password, startProduct } from '../product.ts';
import { createClient, createPhotoForm } from './client.ts';
import { createRecorder, printTable } from './figures.ts';
import { type Person, simulateUser, type TestData } from './people.ts';
import { seed } from './seed.ts';
import { readEventLoopLag, watchMemory } from './watch.ts';

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '2' },
    users: { type: 'string', default: '60' },
    /** Average seconds between two tasks of a user. */
    think: { type: 'string', default: '3' },
    reports: { type: 'string', default: '50000' },
    log: { type: 'string', default: '1000000' },
    postgres: { type: 'boolean', default: false },
  },
});
const [minutes, userCount] = [Number(options.minutes), Number(options.users)];

const database = options.postgres ? await createPostgresDatabase() : undefined;
const dataDir = await mkdtemp(join(tmpdir(), 'load-'));
try {
  await runLoad(database?.url ?? '');
} finally {
  await database?.drop();
  await rm(dataDir, { recursive: true, force: true });
}

async function runLoad(databaseUrl: string): Promise<void> {
  // All connections come from one IP address, as they do behind a proxy.
  const settings = { DATABASE_URL: databaseUrl, TRUST_PROXY: '127.0.0.1' };
  // The first start creates the tables and the admin.
  await (await startProduct(dataDir, settings)).stop();
  const { people, reportsWithTenPhotos } = await fillDatabase(databaseUrl);

  let metricsPort = '';
  // Runs with the default rate limits, which sixty users behind one address do not reach.
  const server = await startProduct(dataDir, { ...settings, METRICS_PORT: '0' }, (text) => {
    metricsPort ||= /"port":(\d+),[^\n]*figures for Prometheus/.exec(text)?.[1] ?? '';
  });
  const memory = watchMemory(server.pid);
  try {
    await wait(2500);
    const recorder = createRecorder();
    const testData = await createTestData(reportsWithTenPhotos);
    await readEventLoopLag(metricsPort);
    const endTime = performance.now() + minutes * 60_000;
    const warmUpMs = Math.min(300_000, minutes * 15_000);
    const work = async (person: Person) => {
      const client = createClient(server.url, recorder);
      await wait(Math.random() * Math.min(10_000, warmUpMs)); // users do not all sign in within the same second
      await simulateUser(client, person, password, testData, endTime).finally(() => client.close());
    };
    const usersDone = Promise.all(people.slice(0, userCount).map(work));
    await wait(warmUpMs);
    const warmMb = memory.getCurrent().server;
    await usersDone;
    console.log(`\n${userCount} people at work for ${minutes} minutes\n`);
    const hasMissedTarget = recorder.print();
    const lag = await readEventLoopLag(metricsPort);
    const endMb = memory.getCurrent().server;
    const growth = (100 * (endMb - warmMb)) / warmMb;
    printTable(
      ['the server', 'figure', 'target'],
      [
        ['memory', `${endMb.toFixed(0)} MB`, ''],
        [`its growth after ${warmUpMs / 1000} s`, `${growth.toFixed(0)} %`, 'under 10 %, from 5 minutes'],
        ['the most memory, with its children', `${memory.getMaximumMb().toFixed(0)} MB`, 'under 900 MB'],
        ['lag of the event loop, p99', `${lag.p99.toFixed(0)} ms`, 'under 100 ms'],
        ['lag of the event loop, most', `${lag.max.toFixed(0)} ms`, ''],
      ],
    );
    if (hasMissedTarget) process.exitCode = 1;
  } finally {
    memory.stop();
    await server.stop();
  }
}

async function createTestData(reportsWithTenPhotos: string[]): Promise<TestData> {
  const photo = await readFile(join(import.meta.dirname, '../../fixtures/photos/phone-jolla.jpg'));
  const signature = await drawSignature();
  return {
    photo: createPhotoForm(photo, 'photo.jpg'),
    signature: createPhotoForm(signature, 'signature.png'),
    signatureUrl: `data:image/png;base64,${signature.toString('base64')}`,
    reportsWithTenPhotos,
    thinkMs: Number(options.think) * 1000,
  };
}

async function fillDatabase(databaseUrl: string) {
  const db = await connect({ databaseUrl, dataDir });
  const admin = await db.selectFrom('users').select(['id', 'username']).executeTakeFirstOrThrow();
  const [reports, log] = [Number(options.reports), Number(options.log)];
  const amounts = { reports, audits: 20_000, users: 300, submissions: 5000, log };
  const filled = await seed(db, dataDir, amounts, admin, password);
  // PostgreSQL would update its statistics by itself within a minute; the load starts sooner.
  if (getEngine(db) === 'postgres') await sql`analyze`.execute(db);
  await db.destroy();
  return filled;
}
