// The product and PocketBase with the same reports, alternately.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProduct } from '../product.ts';
import { createPocketBaseReport, pocketbaseRequests, preparePocketBase, startPocketBase } from './pocketbase.ts';
import { watchPeakMemory } from './process-tree.ts';
import {
  addReaderSessions,
  addWriters,
  getSettings,
  prepareProduct,
  reportsPerUser,
  uploadsPerUser,
} from './product.ts';
import {
  createSubmitRequest,
  createUploadRequest,
  getSearchPath,
  newestPath,
  photoForm,
  pickSearch,
} from './product-requests.ts';
import { type Figures, measure, medianFigures } from './requests.ts';
import { formatMs, formatTimes, type Result } from './result.ts';
import { compareUnderLoad } from './under-load.ts';

export const operations = ['newest', 'search', 'create', 'upload', 'neighbours'];

type Options = { reports: number; rounds: number; only: string[]; scale(count: number): number };
type RunRequests = (count: number, maxConcurrent: number) => Promise<Figures>;
/**
 * Targets of the product: requests a second and p99 relative to PocketBase's, and CPU time.
 */
type TargetBounds = { minRateShare?: number; maxP99Share?: number; maxCpuMs?: number };
type Operation = {
  name: string;
  count: number;
  /** The number of requests for PocketBase, so that its rounds take about as long. */
  pocketBaseCount?: number;
  runProduct: RunRequests;
  runPocketBase: RunRequests;
  targets: Record<number, TargetBounds>;
};

export async function compareSideBySide(result: Result, { reports, rounds, only, scale }: Options): Promise<void> {
  const location = { databaseUrl: '', dataDir: await mkdtemp(join(tmpdir(), 'compare-')) };
  const pocketBaseFolder = await mkdtemp(join(tmpdir(), 'compare-'));
  try {
    await prepareProduct(location, reports);
    await preparePocketBase(pocketBaseFolder, reports);
    const product = await startProduct(location.dataDir, getSettings(location));
    const pocketBaseServer = await startPocketBase(pocketBaseFolder);
    const [productMemory, pocketBaseMemory] = [watchPeakMemory(product.pid), watchPeakMemory(pocketBaseServer.pid)];
    const getReaderHeaders = await addReaderSessions(location);
    const token = { authorization: pocketBaseServer.token };
    const operationsByName: Record<string, Operation> = {
      newest: {
        name: 'newest 50',
        count: scale(800),
        runProduct: (count, maxConcurrent) =>
          measure(product, count, maxConcurrent, (index) => ({ path: newestPath, headers: getReaderHeaders(index) })),
        runPocketBase: (count, maxConcurrent) =>
          measure(pocketBaseServer, count, maxConcurrent, () => ({ path: pocketbaseRequests.newest, headers: token })),
        targets: { 1: { minRateShare: 2.5, maxP99Share: 1 }, 32: { minRateShare: 5, maxP99Share: 1 } },
      },
      search: {
        name: 'search mix',
        count: scale(600),
        pocketBaseCount: scale(60),
        runProduct: (count, maxConcurrent) =>
          measure(product, count, maxConcurrent, (index) => ({
            path: getSearchPath(pickSearch(index)),
            headers: getReaderHeaders(index),
          })),
        runPocketBase: (count, maxConcurrent) =>
          measure(pocketBaseServer, count, maxConcurrent, (index) => ({
            path: pocketbaseRequests.search(pickSearch(index)),
            headers: token,
          })),
        targets: { 1: { minRateShare: 25 }, 32: { maxP99Share: 0.1 } },
      },
      create: {
        name: 'create',
        count: scale(600),
        async runProduct(count, maxConcurrent) {
          const writers = await addWriters(location, Math.ceil(count / reportsPerUser), true);
          return measure(product, count, maxConcurrent, createSubmitRequest(writers));
        },
        runPocketBase: (count, maxConcurrent) =>
          measure(pocketBaseServer, count, maxConcurrent, () => createPocketBaseReport(pocketBaseServer.token)),
        targets: { 1: {}, 32: { minRateShare: 0.6, maxP99Share: 0.8, maxCpuMs: 1.7 } },
      },
      upload: {
        name: 'upload 400 KB',
        count: scale(90),
        // As long as the product's round: 90 uploads would end before the kernel writes them to
        // disk.
        pocketBaseCount: scale(500),
        async runProduct(count, maxConcurrent) {
          // Users take turns, so there are as many users as connections.
          const writers = await addWriters(location, Math.max(32, Math.ceil(count / uploadsPerUser)), false);
          return measure(product, count, maxConcurrent, createUploadRequest(writers));
        },
        runPocketBase: (count, maxConcurrent) =>
          measure(pocketBaseServer, count, maxConcurrent, () => ({
            method: 'POST',
            path: pocketbaseRequests.upload,
            headers: { ...photoForm.headers, ...token },
            body: photoForm.body,
          })),
        targets: { 1: {}, 32: { minRateShare: 0.15, maxCpuMs: 26 } },
      },
    };
    result.print(
      '\n| operation | connections | CPU ms | PocketBase | req/s | PocketBase | p50 ms | PocketBase | p99 ms | PocketBase |\n|---|---|---|---|---|---|---|---|---|---|',
    );
    for (const [key, operation] of Object.entries(operationsByName))
      for (const maxConcurrent of only.includes(key) ? [1, 32] : [])
        await result.runPart(`${operation.name}, ${maxConcurrent} at once`, () =>
          compare(result, operation, maxConcurrent, rounds),
        );
    if (only.includes('neighbours'))
      await result.runPart('Neighbours', () =>
        compareUnderLoad(result, location, product, getReaderHeaders, {
          searches: 20,
          months: 20,
          uploads: 40,
          signIns: 20,
        }),
      );
    const [productMb, pocketBaseMb] = [productMemory.end(), pocketBaseMemory.end()];
    result.addTargetRow({
      measurement: 'peak memory in all of it',
      target: '≤ 0.60×',
      product: `${productMb.toFixed(0)} MB`,
      pocketBase: `${pocketBaseMb.toFixed(0)} MB`,
      share: formatTimes(productMb / pocketBaseMb),
      isMet: productMb / pocketBaseMb <= 0.6,
    });
    await product.stop();
    await pocketBaseServer.stop();
  } finally {
    for (const folder of [location.dataDir, pocketBaseFolder]) await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Servers run for weeks: both are measured once their code is compiled and their caches are filled.
 */
const warmUpRounds = 5;

/** Runs the product and PocketBase alternately. */
async function compare(result: Result, operation: Operation, maxConcurrent: number, rounds: number): Promise<void> {
  const { name, count, pocketBaseCount = count, runProduct, runPocketBase, targets } = operation;
  const figurePairs: [Figures, Figures][] = [];
  for (let round = 0; round < warmUpRounds + rounds; round++)
    figurePairs.push([await runProduct(count, maxConcurrent), await runPocketBase(pocketBaseCount, maxConcurrent)]);
  const [a, b] = [
    medianFigures(figurePairs.slice(warmUpRounds).map(([one]) => one)),
    medianFigures(figurePairs.slice(warmUpRounds).map(([, one]) => one)),
  ];
  const rowCells = [
    ...[formatMs(a.cpuMs), formatMs(b.cpuMs), a.perSecond.toFixed(0), b.perSecond.toFixed(0)],
    ...[formatMs(a.p50), formatMs(b.p50), formatMs(a.p99), formatMs(b.p99)],
  ];
  result.print(`| ${name} | ${maxConcurrent} | ${rowCells.join(' | ')} |`);
  const measurement = `${name}, ${maxConcurrent} connection${maxConcurrent === 1 ? '' : 's'}`;
  const { minRateShare, maxP99Share, maxCpuMs } = targets[maxConcurrent] ?? {};
  if (minRateShare !== undefined)
    result.addTargetRow({
      measurement: `${measurement}: req/s`,
      target: `≥ ${formatTimes(minRateShare)}`,
      product: a.perSecond.toFixed(0),
      pocketBase: b.perSecond.toFixed(0),
      share: formatTimes(a.perSecond / b.perSecond),
      isMet: a.perSecond / b.perSecond >= minRateShare,
    });
  if (maxP99Share !== undefined)
    result.addTargetRow({
      measurement: `${measurement}: p99`,
      target: `≤ ${formatTimes(maxP99Share)}`,
      product: `${formatMs(a.p99)} ms`,
      pocketBase: `${formatMs(b.p99)} ms`,
      share: formatTimes(a.p99 / b.p99),
      isMet: a.p99 / b.p99 <= maxP99Share,
    });
  if (maxCpuMs !== undefined)
    result.addTargetRow({
      measurement: `${measurement}: CPU`,
      target: `≤ ${maxCpuMs} ms`,
      product: `${formatMs(a.cpuMs)} ms`,
      pocketBase: `${formatMs(b.cpuMs)} ms`,
      share: formatTimes(a.cpuMs / b.cpuMs),
      isMet: a.cpuMs <= maxCpuMs,
    });
}
