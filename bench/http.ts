// Measures submitting, the newest 50 reports, searches and the overview, compared with their baselines.
// Run: node bench/http.ts
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '../src/server/db/connect.ts';
import { seedReports } from '../src/server/testing/seed-reports.ts';
import { median } from './median.ts';
import { signIn, startProduct, startServer } from './product.ts';
import { createSubmits, measureRate } from './requests.ts';

const reports = 100_000;
const rounds = 5;
/** More than either side can answer in a round. */
const submitsPerRound = 3000;

const folders = await Promise.all([mkdtemp(join(tmpdir(), 'bench-a-')), mkdtemp(join(tmpdir(), 'bench-b-'))]);
const [productData, baselineData] = folders as [string, string];
for (const dataDir of folders) {
  // The first start creates the tables and the admin.
  await (await startProduct(dataDir)).stop();
  const db = await connect({ databaseUrl: '', dataDir });
  await seedReports(db, reports, await db.selectFrom('users').select(['id', 'username']).executeTakeFirstOrThrow());
  await db.destroy();
}
const submits = {
  product: await createSubmits(productData, '/api/submit-accident', submitsPerRound * (rounds + 1)),
  baseline: await createSubmits(baselineData, '/submit', submitsPerRound * (rounds + 1)),
};

const product = await startProduct(productData);
const baseline = await startServer('bench/baseline.ts', baselineData);
const headers = { cookie: await signIn(product.url) };
const newest = '/api/get-reports?limit=50';

const get = (path: string) => measureRate(product.url, [{ path, headers }]);
const submit = (side: 'product' | 'baseline', round: number) => {
  const requests = submits[side].slice(round * submitsPerRound, (round + 1) * submitsPerRound);
  return measureRate({ product, baseline }[side].url, requests, { canRepeat: false });
};

type MeasureRound = (round: number) => Promise<number>;

/**
 * Runs the product and its baseline alternately and compares them pair by pair. The first pair is
 * a warm-up.
 */
async function compare(name: string, target: string, measureProduct: MeasureRound, measureBaseline: MeasureRound) {
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
  (round) => submit('product', round),
  (round) => submit('baseline', round),
);
await compare(
  'the newest 50, against bare Fastify with the same SQL',
  'at least 0.5',
  () => get(newest),
  () => measureRate(baseline.url, [{ path: '/newest' }]),
);
for (const query of ['pool', 'gas ladder', 'gwenllian vaughan', 'llywel', 'ACC-2015-7776'])
  await compare(
    `search "${query}", against the newest 50`,
    'over 0.33',
    () => get(`${newest}&q=${encodeURIComponent(query)}`),
    () => get(newest),
  );
await compare(
  'the overview of 12 months, against the newest 50',
  'over 0.02',
  () => get('/api/overview?from=2024-12-15&to=2025-12-14'),
  () => get(newest),
);
await product.stop();
await baseline.stop();
await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
