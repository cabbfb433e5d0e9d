// The product and PocketBase with the same reports, alternately.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProduct } from '../product.ts';
import { pocketbaseRequests, preparePocketBase, startPocketBase } from './pocketbase.ts';
import { watchMemory } from './process-tree.ts';
import {
  addReaderSessions,
  addWriters,
  getSettings,
  prepareProduct,
  reportsPerUser,
  uploadsPerUser,
} from './product.ts';
import { json, newest, newReport, photoForm, pickSearch, search, submit, upload } from './product-requests.ts';
import { type Figures, measure, medianFigures } from './requests.ts';
import { formatMs, formatTimes, type Result } from './result.ts';
import { compareUnderLoad } from './under-load.ts';

export const operations = ['newest', 'search', 'create', 'upload', 'neighbours'];

type Options = { reports: number; rounds: number; only: string[]; scale(count: number): number };
type Side = (count: number, atOnce: number) => Promise<Figures>;
/**
 * Targets: our requests a second, p99 and CPU time as shares of PocketBase's (minimum, maximum,
 * maximum).
 */
type Bounds = { rate?: number; p99?: number; cpuMs?: number };
type Operation = {
  name: string;
  count: number;
  /** Fewer requests where PocketBase is much slower. */
  theirCount?: number;
  ours: Side;
  theirs: Side;
  aims: Record<number, Bounds>;
};

export async function compareSideBySide(result: Result, { reports, rounds, only, scale }: Options): Promise<void> {
  const location = { databaseUrl: '', dataDir: await mkdtemp(join(tmpdir(), 'compare-')) };
  const pocketBaseFolder = await mkdtemp(join(tmpdir(), 'compare-'));
  try {
    await prepareProduct(location, reports);
    await preparePocketBase(pocketBaseFolder, reports);
    const product = await startProduct(location.dataDir, getSettings(location));
    const other = await startPocketBase(pocketBaseFolder);
    const [memory, pocketBaseMemory] = [watchMemory(product.pid), watchMemory(other.pid)];
    const as = await addReaderSessions(location);
    const token = { authorization: other.token };
    const all: Record<string, Operation> = {
      newest: {
        name: 'newest 50',
        count: scale(800),
        ours: (count, atOnce) => measure(product, count, atOnce, (index) => ({ path: newest, headers: as(index) })),
        theirs: (count, atOnce) =>
          measure(other, count, atOnce, () => ({ path: pocketbaseRequests.newest, headers: token })),
        aims: { 1: { rate: 2.5, p99: 1 }, 32: { rate: 5, p99: 1 } },
      },
      search: {
        name: 'search mix',
        count: scale(600),
        theirCount: scale(60),
        ours: (count, atOnce) =>
          measure(product, count, atOnce, (index) => ({ path: search(pickSearch(index)), headers: as(index) })),
        theirs: (count, atOnce) =>
          measure(other, count, atOnce, (index) => ({
            path: pocketbaseRequests.search(pickSearch(index)),
            headers: token,
          })),
        aims: { 1: { rate: 25 }, 32: { p99: 0.1 } },
      },
      create: {
        name: 'create',
        count: scale(600),
        async ours(count, atOnce) {
          const writers = await addWriters(location, Math.ceil(count / reportsPerUser), true);
          return measure(product, count, atOnce, submit(writers));
        },
        theirs(count, atOnce) {
          const body = JSON.stringify({ ...newReport([]), position: 0, search_text: 'slipped on the wet step' });
          return measure(other, count, atOnce, (index) => ({
            method: 'POST',
            path: pocketbaseRequests.create,
            headers: { ...json, ...token },
            // Positions must be unique.
            body: body.replace('"position":0', `"position":${-Date.now() * 1000 - index}`),
          }));
        },
        aims: { 1: {}, 32: { rate: 0.6, p99: 0.8, cpuMs: 1.7 } },
      },
      upload: {
        name: 'upload 400 KB',
        count: scale(90),
        async ours(count, atOnce) {
          // Users take turns, so there are as many users as connections.
          const writers = await addWriters(location, Math.max(32, Math.ceil(count / uploadsPerUser)), false);
          return measure(product, count, atOnce, upload(writers));
        },
        theirs: (count, atOnce) =>
          measure(other, count, atOnce, () => ({
            method: 'POST',
            path: pocketbaseRequests.upload,
            headers: { ...photoForm.headers, ...token },
            body: photoForm.body,
          })),
        aims: { 1: {}, 32: { rate: 0.15, cpuMs: 26 } },
      },
    };
    result.print(
      '\n| operation | connections | CPU ms | PocketBase | req/s | PocketBase | p50 ms | PocketBase | p99 ms | PocketBase |\n|---|---|---|---|---|---|---|---|---|---|',
    );
    for (const [key, operation] of Object.entries(all))
      for (const atOnce of only.includes(key) ? [1, 32] : [])
        await result.runPart(`${operation.name}, ${atOnce} at once`, () => compare(result, operation, atOnce, rounds));
    if (only.includes('neighbours'))
      await result.runPart('Neighbours', () =>
        compareUnderLoad(result, location, product, as, { searches: 20, months: 20, uploads: 40, signIns: 20 }),
      );
    const [ours, theirs] = [memory.end(), pocketBaseMemory.end()];
    result.addAim({
      what: 'peak memory in all of it',
      aim: '≤ 0.60×',
      ours: `${ours.toFixed(0)} MB`,
      theirs: `${theirs.toFixed(0)} MB`,
      share: formatTimes(ours / theirs),
      isMet: ours / theirs <= 0.6,
    });
    await product.stop();
    await other.stop();
  } finally {
    for (const folder of [location.dataDir, pocketBaseFolder]) await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Servers run for weeks: both are measured once their code is compiled and their caches are filled.
 */
const warmUpRounds = 5;

/** Runs the two alternately. */
async function compare(result: Result, operation: Operation, atOnce: number, rounds: number): Promise<void> {
  const { name, count, theirCount = count, ours, theirs, aims } = operation;
  const pairs: [Figures, Figures][] = [];
  for (let round = 0; round < warmUpRounds + rounds; round++)
    pairs.push([await ours(count, atOnce), await theirs(theirCount, atOnce)]);
  const [a, b] = [
    medianFigures(pairs.slice(warmUpRounds).map(([one]) => one)),
    medianFigures(pairs.slice(warmUpRounds).map(([, one]) => one)),
  ];
  const rowCells = [
    ...[formatMs(a.cpuMs), formatMs(b.cpuMs), a.perSecond.toFixed(0), b.perSecond.toFixed(0)],
    ...[formatMs(a.p50), formatMs(b.p50), formatMs(a.p99), formatMs(b.p99)],
  ];
  result.print(`| ${name} | ${atOnce} | ${rowCells.join(' | ')} |`);
  const measurement = `${name}, ${atOnce} connection${atOnce === 1 ? '' : 's'}`;
  const { rate, p99, cpuMs } = aims[atOnce] ?? {};
  if (rate !== undefined)
    result.addAim({
      what: `${measurement}: req/s`,
      aim: `≥ ${formatTimes(rate)}`,
      ours: a.perSecond.toFixed(0),
      theirs: b.perSecond.toFixed(0),
      share: formatTimes(a.perSecond / b.perSecond),
      isMet: a.perSecond / b.perSecond >= rate,
    });
  if (p99 !== undefined)
    result.addAim({
      what: `${measurement}: p99`,
      aim: `≤ ${formatTimes(p99)}`,
      ours: `${formatMs(a.p99)} ms`,
      theirs: `${formatMs(b.p99)} ms`,
      share: formatTimes(a.p99 / b.p99),
      isMet: a.p99 / b.p99 <= p99,
    });
  if (cpuMs !== undefined)
    result.addAim({
      what: `${measurement}: CPU`,
      aim: `≤ ${cpuMs} ms`,
      ours: `${formatMs(a.cpuMs)} ms`,
      theirs: `${formatMs(b.cpuMs)} ms`,
      share: formatTimes(a.cpuMs / b.cpuMs),
      isMet: a.cpuMs <= cpuMs,
    });
}
