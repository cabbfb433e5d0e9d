// npm run compare [-- --reports 100000 --rounds 5 --only newest,search,create,upload,neighbours,growth,postgres]
// Compares the product with PocketBase on the same reports, alternately: medians of the rounds.
import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import { reportWith } from '../../src/server/testing/factories.ts';
import { createDatabase } from '../../src/server/testing/server.ts';
import { password, signIn, startProduct } from '../product.ts';
import { median } from '../rate.ts';
import { pocketbaseAsks, pocketbaseVersion, preparePocketBase, startPocketBase } from './pocketbase.ts';
import { watchMemory } from './process-tree.ts';
import {
  addWriters,
  type Place,
  prepareProduct,
  reportsPerUser,
  settingsOf,
  uploadsPerUser,
  type Writer,
} from './product.ts';
import { type Ask, type Figures, keepAsking, measure, measureBeside, percentile, type Target } from './requests.ts';

const parts = ['newest', 'search', 'create', 'upload', 'neighbours', 'growth', 'postgres'];
const { values } = parseArgs({
  options: {
    reports: { type: 'string', default: '100000' },
    grown: { type: 'string', default: '500000' },
    rounds: { type: 'string', default: '5' },
    /** Scales the number of requests per round. */
    share: { type: 'string', default: '1' },
    only: { type: 'string', default: parts.join() },
  },
});
const reports = Number(values.reports);
const rounds = Number(values.rounds);
const share = Number(values.share);
const only = values.only.split(',');

if (only.includes('postgres') && !process.env.TEST_DATABASE_URL) {
  const script = join(import.meta.dirname, '../../scripts/postgres.mjs');
  const again = [script, '--', process.execPath, ...process.argv.slice(1)];
  process.exit(spawnSync(process.execPath, again, { stdio: 'inherit' }).status ?? 1);
}
const startedAt = performance.now();

const some = (count: number) => Math.max(32, Math.round(count * share));

const searches = [
  'pool',
  'gas ladder',
  'gwenllian vaughan',
  'llywel',
  'ACC-2015-7776',
  'boiler hose',
  'lowri',
  'plot 17',
];
const json = { 'content-type': 'application/json' };
const newest = '/api/get-reports?limit=50';
const months = '/api/report-months?reportType=accident';
const search = (words: string) => `${newest}&q=${encodeURIComponent(words)}`;

const photo = await makePhoto();
const folders: string[] = [];

/** 400 KB, as the browser sends it. */
async function makePhoto(): Promise<Buffer> {
  const original = await readFile(join(import.meta.dirname, '../../fixtures/photos/phone-iphone-hdr.jpg'));
  const resized = sharp(original).rotate().resize(1280, 1280, { fit: 'inside' });
  let bytes = Buffer.alloc(0);
  for (let quality = 70; bytes.length < 400_000 && quality <= 100; quality += 2)
    bytes = await resized.jpeg({ quality }).toBuffer();
  return bytes;
}

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'compare-'));
  folders.push(folder);
  return folder;
}

const form = (field: string, bytes: Buffer) => ({
  headers: { 'content-type': 'multipart/form-data; boundary=x' },
  body: Buffer.concat([
    Buffer.from(
      `--x\r\ncontent-disposition: form-data; name="${field}"; filename="photo.jpg"\r\ncontent-type: image/jpeg\r\n\r\n`,
    ),
    bytes,
    Buffer.from('\r\n--x--\r\n'),
  ]),
});

const newReport = ([image = '', signature = '', affected = '']: string[]) => ({
  ...reportWith(image, signature, affected),
  details: 'Slipped on the wet step by the pool. A first aider attended. '.repeat(4),
});

const submit =
  (writers: Writer[]) =>
  (index: number): Ask => {
    const writer = writers[Math.floor(index / reportsPerUser)];
    const body = JSON.stringify(newReport(writer?.uploads[index % reportsPerUser] ?? []));
    return { method: 'POST', path: '/api/submit-accident', headers: { ...json, cookie: writer?.cookie ?? '' }, body };
  };

const image = form('image', photo);
const upload =
  (writers: Writer[]) =>
  (index: number): Ask => ({
    method: 'POST',
    path: '/api/upload/image',
    headers: { ...image.headers, cookie: writers[index % writers.length]?.cookie ?? '' },
    body: image.body,
  });

const middle = (all: Figures[]): Figures => ({
  perSecond: median(all.map((one) => one.perSecond)),
  cpuMs: median(all.map((one) => one.cpuMs)),
  p50: median(all.map((one) => one.p50)),
  p99: median(all.map((one) => one.p99)),
});

const ms = (value: number) => (value < 10 ? value.toFixed(2) : value.toFixed(0));

type Side = (count: number, atOnce: number) => Promise<Figures>;

/** Runs the two alternately; the first pair is a warm-up. */
async function compare(name: string, atOnce: number, count: number, product: Side, other: Side): Promise<void> {
  const [ours, theirs]: [Figures[], Figures[]] = [[], []];
  for (let round = 0; round <= rounds; round++) {
    const pair = [
      await product(count, atOnce),
      await other(Math.max(32, Math.round(count * otherShare(name))), atOnce),
    ] as const;
    if (round === 0) continue;
    ours.push(pair[0]);
    theirs.push(pair[1]);
  }
  const [a, b] = [middle(ours), middle(theirs)];
  const times = (left: number, right: number) => `${(left / right).toFixed(2)}×`;
  console.log(
    `| ${name} | ${atOnce} | ${ms(a.cpuMs)} | ${ms(b.cpuMs)} | ${a.perSecond.toFixed(0)} | ${b.perSecond.toFixed(0)} | ${times(a.perSecond, b.perSecond)} | ${ms(a.p50)} | ${ms(b.p50)} | ${ms(a.p99)} | ${ms(b.p99)} | ${aims[`${name} ${atOnce}`] ?? ''} |`,
  );
}

/** Its searches take a tenth of a second each, so a few are enough. */
const otherShare = (name: string) => (name.startsWith('search') ? 0.1 : 1);

/** Requests a second as a share of PocketBase's, and times, where they have an aim. */
const aims: Record<string, string> = {
  'newest 50 1': '≥ 2.50×',
  'newest 50 32': '≥ 5.00×, p99 ≤ its own',
  'search mix 1': '≥ 25×',
  'search mix 32': 'p99 ≤ 0.1×',
  'create 32': '≥ 0.60×, CPU ≤ 1.7 ms, p99 ≤ 0.8×',
  'upload 400 KB 32': '≥ 0.15×, CPU ≤ 26 ms',
};

const heading =
  '| operation | connections | CPU ms | PocketBase | req/s | PocketBase | ratio | p50 ms | PocketBase | p99 ms | PocketBase | aim |\n|---|---|---|---|---|---|---|---|---|---|---|---|';

/** Each connection is another user's, because requests per user are limited. */
async function addReaders(place: Place): Promise<(index: number) => { cookie: string }> {
  const readers = await addWriters(place, 32, false);
  return (index) => ({ cookie: readers[index % readers.length]?.cookie ?? '' });
}

async function sideBySide(place: Place): Promise<void> {
  const otherData = await newFolder();
  await preparePocketBase(otherData, reports);
  const product = await startProduct(place.dataDir, settingsOf(place));
  const other = await startPocketBase(otherData);
  const [memory, otherMemory] = [watchMemory(product.pid), watchMemory(other.pid)];
  const as = await addReaders(place);
  const token = { authorization: other.token };
  console.log(heading);
  for (const atOnce of [1, 32]) {
    if (only.includes('newest'))
      await compare(
        'newest 50',
        atOnce,
        some(800),
        (count) => measure(product, count, atOnce, (index) => ({ path: newest, headers: as(index) })),
        (count) => measure(other, count, atOnce, () => ({ path: pocketbaseAsks.newest, headers: token })),
      );
    const words = (index: number) => searches[index % searches.length] ?? '';
    if (only.includes('search'))
      await compare(
        'search mix',
        atOnce,
        some(600),
        (count) => measure(product, count, atOnce, (index) => ({ path: search(words(index)), headers: as(index) })),
        (count) =>
          measure(other, count, atOnce, (index) => ({ path: pocketbaseAsks.search(words(index)), headers: token })),
      );
    if (only.includes('create'))
      await compare(
        'create',
        atOnce,
        some(600),
        async (count) => {
          const writers = await addWriters(place, Math.ceil(count / reportsPerUser), true);
          return measure(product, count, atOnce, submit(writers));
        },
        (count) => {
          const body = JSON.stringify({ ...newReport([]), position: 0, search_text: 'slipped on the wet step' });
          return measure(other, count, atOnce, (index) => ({
            method: 'POST',
            path: pocketbaseAsks.create,
            headers: { ...json, ...token },
            // The position is unique.
            body: body.replace('"position":0', `"position":${-Date.now() * 1000 - index}`),
          }));
        },
      );
    const otherForm = form('image', photo);
    if (only.includes('upload'))
      await compare(
        'upload 400 KB',
        atOnce,
        some(90),
        async (count) => {
          // Users take turns, so there are as many users as connections.
          const writers = await addWriters(place, Math.max(32, Math.ceil(count / uploadsPerUser)), false);
          return measure(product, count, atOnce, upload(writers));
        },
        (count) =>
          measure(other, count, atOnce, () => ({
            method: 'POST',
            path: pocketbaseAsks.upload,
            headers: { ...otherForm.headers, ...token },
            body: otherForm.body,
          })),
      );
  }
  if (only.includes('neighbours')) {
    console.log('\n| newest 50 beside | p50 ms | p99 ms | aim |\n|---|---|---|---|');
    await neighbours(place, product, as, { search: 20, months: 20, uploads: 40, signIns: 20 });
  }
  const [ourPeak, theirPeak] = [memory.end(), otherMemory.end()];
  console.log(
    `\nThe most memory in all of it: ${ourPeak.toFixed(0)} MB, PocketBase ${theirPeak.toFixed(0)} MB: ${(ourPeak / theirPeak).toFixed(2)} times (aim: at most 0.6).`,
  );
  await product.stop();
  await other.stop();
}

/** The measuring user is none of the others: users take turns, and a sign-in ends the oldest of ten sessions. */
async function neighbours(
  place: Place,
  product: Target,
  as: (index: number) => { cookie: string },
  aims: { search: number; months: number; uploads: number; signIns: number },
): Promise<void> {
  const again = (path: (index: number) => string, atOnce: number) => (isOver: () => boolean) =>
    keepAsking(product, atOnce, isOver, (index) => ({ path: path(index), headers: as(1 + (index % 31)) }));
  const worst = ['inc-2015 acc-2015', 'zz qq', 'zz', 'boiler acc-2015'];
  const isInUse: [string, number, (isOver: () => boolean) => Promise<void>][] = [
    ['nothing', 20, async () => {}],
    ['4 worst searches', aims.search, again((index) => search(worst[index % worst.length] ?? ''), 4)],
    ['4 month counts with a search', aims.months, again(() => `${months}&q=pool`, 4)],
    [
      '8 uploads',
      aims.uploads,
      async (isOver) => {
        const writers = await addWriters(place, 40, false);
        await keepAsking(product, 8, isOver, upload(writers));
      },
    ],
    [
      '8 sign-ins',
      aims.signIns,
      (isOver) =>
        keepAsking(product, 8, isOver, () => ({
          method: 'POST',
          path: '/api/login',
          headers: json,
          body: JSON.stringify({ username: 'admin', password }),
        })),
    ],
  ];
  for (const [name, aim, work] of isInUse) {
    const times = await measureBeside(product, { path: newest, headers: as(0) }, work);
    console.log(`| ${name} | ${ms(percentile(times, 0.5))} | ${ms(percentile(times, 0.99))} | ${aim} |`);
  }
}

/** Measures the effect of more reports. */
async function growth(): Promise<void> {
  console.log(
    `\n| reports | start to first response | months | newest 50 | a two-letter search that finds nothing |\n|---|---|---|---|---|\n| aims at 500000 | 1200 ms | 1.50 ms | | 300 ms |`,
  );
  for (const count of [10_000, reports, Number(values.grown)]) {
    const place = { databaseUrl: '', dataDir: await newFolder() };
    await prepareProduct(place, count);
    const started = performance.now();
    const product = await startProduct(place.dataDir, settingsOf(place));
    await (await fetch(`${product.url}/healthz`)).text();
    const start = performance.now() - started;
    const headers = { cookie: await signIn(product.url) };
    const time = async (path: string, tries: number) => {
      const times: number[] = [];
      for (let index = 0; index < tries; index++) {
        const from = performance.now();
        const { status } = await fetch(product.url + path, { headers }).then(async (response) => {
          await response.text();
          return response;
        });
        // A search of two letters may be cut short with a sentence.
        if (status !== 200 && !path.includes('q=')) throw new Error(`${path}: ${status}`);
        times.push(performance.now() - from);
      }
      return ms(median(times));
    };
    console.log(
      `| ${count} | ${start.toFixed(0)} ms | ${await time(months, 50)} ms | ${await time(newest, 50)} ms | ${await time(search('zz'), 5)} ms |`,
    );
    await product.stop();
    await rm(place.dataDir, { recursive: true, force: true });
  }
}

async function postgres(): Promise<void> {
  const database = await createDatabase();
  const place = { databaseUrl: database.url, dataDir: await newFolder() };
  await prepareProduct(place, reports);
  const product = await startProduct(place.dataDir, settingsOf(place));
  const headers = { cookie: await signIn(product.url) };
  const as = await addReaders(place);
  console.log(
    '\n| on PostgreSQL | connections | CPU ms of the server | req/s | p50 ms | p99 ms |\n|---|---|---|---|---|---|',
  );
  const row = async (name: string, atOnce: number, work: () => Promise<Figures>) => {
    const all: Figures[] = [];
    for (let round = 0; round <= rounds; round++) all.push(await work());
    const { cpuMs, perSecond, p50, p99 } = middle(all.slice(1));
    console.log(`| ${name} | ${atOnce} | ${ms(cpuMs)} | ${perSecond.toFixed(0)} | ${ms(p50)} | ${ms(p99)} |`);
  };
  for (const atOnce of [1, 32]) {
    await row('newest 50', atOnce, () =>
      measure(product, some(400), atOnce, (index) => ({ path: newest, headers: as(index) })),
    );
    await row('search mix', atOnce, () =>
      measure(product, some(200), atOnce, (index) => ({
        path: search(searches[index % searches.length] ?? ''),
        headers,
      })),
    );
    await row('create', atOnce, async () => {
      const count = some(300);
      const writers = await addWriters(place, Math.ceil(count / reportsPerUser), true);
      return measure(product, count, atOnce, submit(writers));
    });
  }
  console.log('\n| newest 50 on PostgreSQL beside | p50 ms | p99 ms | aim |\n|---|---|---|---|');
  await neighbours(place, product, as, { search: 40, months: 40, uploads: 40, signIns: 40 });
  await product.stop();
  await database.drop();
}

console.log(
  `${new Date().toISOString().slice(0, 10)}, ${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.version}, PocketBase ${pocketbaseVersion}, ${reports} reports, medians of ${rounds} rounds\n`,
);
try {
  const place = { databaseUrl: '', dataDir: await newFolder() };
  if (only.some((part) => !['growth', 'postgres'].includes(part))) {
    await prepareProduct(place, reports);
    await sideBySide(place);
  }
  if (only.includes('growth')) await growth();
  if (only.includes('postgres')) {
    await postgres();
  }
  console.log(`\nAll of this took ${((performance.now() - startedAt) / 60_000).toFixed(0)} minutes.`);
} finally {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
}
