// Measures submitting, the newest 50 reports and searches, compared with their baselines.
// Run: node bench/http.ts
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '../src/server/db/connect.ts';
import { addWriters, reportsPerUser, type Writer } from './compare/product.ts';
import { jsonHeaders, newReport } from './compare/product-requests.ts';
import { measure, type RequestToSend } from './compare/requests.ts';
import { median } from './median.ts';
import { signIn, startProduct, startServer } from './product.ts';
import { seedReports } from './seed.ts';

const reports = 100_000;
const rounds = 5;

const folders = await Promise.all([mkdtemp(join(tmpdir(), 'bench-a-')), mkdtemp(join(tmpdir(), 'bench-b-'))]);
const [productData, baselineData] = folders as [string, string];
// The first start creates the tables and the admin.
for (const folder of folders) await (await startProduct(folder)).stop();
const submitCount = 400;
const writers = await Promise.all(
  folders.map(async (dataDir) => {
    const location = { databaseUrl: '', dataDir };
    const db = await connect(location);
    const author = await db.selectFrom('users').select(['id', 'username']).executeTakeFirstOrThrow();
    await seedReports(db, reports, author);
    await db.destroy();
    return addWriters(location, Math.ceil((submitCount * (rounds + 1)) / reportsPerUser), true);
  }),
);
const [productWriters, baselineWriters] = writers as [Writer[], Writer[]];

const product = await startProduct(productData);
const baseline = await startServer('bench/baseline.ts', baselineData);
const headers = { cookie: await signIn(product.url) };

const createGet = (path: string): RequestToSend => ({ path, headers });
const createSubmit =
  (path: string, writers: Writer[], from: number) =>
  (index: number): RequestToSend => {
    const { id, cookie, uploads } = writers[Math.floor((from + index) / reportsPerUser)] as Writer;
    const body = JSON.stringify(newReport(uploads[(from + index) % reportsPerUser] ?? []));
    return { method: 'POST', path, headers: { ...jsonHeaders, cookie, 'x-writer': id }, body };
  };

/** Measures requests a second. */
const measureRate = async (...args: Parameters<typeof measure>) => (await measure(...args)).perSecond;

type MeasureRound = (round: number) => Promise<number>;

/**
 * Runs the product and its baseline alternately and compares them pair by pair. The first pair is
 * a warm-up.
 */
async function compare(
  name: string,
  target: string,
  measureProduct: MeasureRound,
  measureBaseline: MeasureRound,
): Promise<void> {
  const pairs: [number, number][] = [];
  for (let round = 0; round <= rounds; round++) pairs.push([await measureProduct(round), await measureBaseline(round)]);
  pairs.shift();
  const ratio = median(pairs.map(([product, baseline]) => product / baseline));
  const getMedian = (side: 0 | 1) => Math.round(median(pairs.map((pair) => pair[side])));
  console.log(`| ${name} | ${getMedian(0)}/s | ${getMedian(1)}/s | ${ratio.toFixed(2)} | ${target} |`);
}

console.log(`| ${reports} reports | product | compared with | ratio | target |\n|---|---|---|---|---|`);
await compare(
  'submit a report, against bare Fastify with the same SQL',
  'at least 0.5',
  (round) =>
    measureRate(product, submitCount, 8, createSubmit('/api/submit-accident', productWriters, round * submitCount)),
  (round) => measureRate(baseline, submitCount, 8, createSubmit('/submit', baselineWriters, round * submitCount)),
);
await compare(
  'the newest 50, against bare Fastify with the same SQL',
  'at least 0.5',
  () => measureRate(product, 600, 8, () => createGet('/api/get-reports?limit=50')),
  () => measureRate(baseline, 600, 8, () => createGet('/newest')),
);
for (const query of ['pool', 'gas ladder', 'gwenllian vaughan', 'llywel', 'ACC-2015-7776'])
  await compare(
    `search "${query}", against the newest 50 by index`,
    'over 0.33',
    () => measureRate(product, 300, 4, () => createGet(`/api/get-reports?limit=50&q=${encodeURIComponent(query)}`)),
    () => measureRate(product, 300, 4, () => createGet('/api/get-reports?limit=50')),
  );
await product.stop();
await baseline.stop();
await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
