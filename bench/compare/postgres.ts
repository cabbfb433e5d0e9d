// Measures the list, searches, new reports and the list under load, on a PostgreSQL server that is
// started only for this.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../../scripts/postgres.mjs';
import { findPostgres } from '../../scripts/test-dependencies.mjs';
import { startProduct } from '../product.ts';
import { addReaderSessions, addWriters, getSettings, prepareProduct, reportsPerUser } from './product.ts';
import { createSubmitRequest, getSearchPath, newestPath, pickSearch } from './product-requests.ts';
import { type Figures, measure, medianFigures } from './requests.ts';
import { formatMs, type Result } from './result.ts';
import { compareUnderLoad } from './under-load.ts';

type Options = { reports: number; rounds: number; scale(count: number): number };

export async function comparePostgres(result: Result, { reports, rounds, scale }: Options): Promise<void> {
  const binFolder = findPostgres();
  if (!binFolder) throw new Error('PostgreSQL 15 or newer is not on this machine.');
  const postgres = await startPostgres(binFolder);
  const location = { databaseUrl: postgres.url, dataDir: await mkdtemp(join(tmpdir(), 'compare-')) };
  let stopProduct = async () => {};
  try {
    await prepareProduct(location, reports);
    const product = await startProduct(location.dataDir, getSettings(location));
    stopProduct = product.stop;
    const getReaderHeaders = await addReaderSessions(location);
    result.print(
      '\n| on PostgreSQL | connections | CPU ms of the server | req/s | p50 ms | p99 ms |\n|---|---|---|---|---|---|',
    );
    const printRow = async (name: string, maxConcurrent: number, measureOnce: () => Promise<Figures>) => {
      const figures: Figures[] = [];
      for (let round = 0; round <= rounds; round++) figures.push(await measureOnce());
      const { cpuMs, perSecond, p50, p99 } = medianFigures(figures.slice(1));
      result.print(
        `| ${name} | ${maxConcurrent} | ${formatMs(cpuMs)} | ${perSecond.toFixed(0)} | ${formatMs(p50)} | ${formatMs(p99)} |`,
      );
    };
    for (const maxConcurrent of [1, 32]) {
      await printRow('newest 50', maxConcurrent, () =>
        measure(product, scale(400), maxConcurrent, (index) => ({
          path: newestPath,
          headers: getReaderHeaders(index),
        })),
      );
      await printRow('search mix', maxConcurrent, () =>
        measure(product, scale(200), maxConcurrent, (index) => ({
          path: getSearchPath(pickSearch(index)),
          headers: getReaderHeaders(index),
        })),
      );
      await printRow('create', maxConcurrent, async () => {
        const count = scale(300);
        const writers = await addWriters(location, Math.ceil(count / reportsPerUser), true);
        return measure(product, count, maxConcurrent, createSubmitRequest(writers));
      });
    }
    await compareUnderLoad(result, location, product, getReaderHeaders, {
      searches: 20,
      months: 20,
      uploads: 40,
      signIns: 40,
    });
  } finally {
    await stopProduct();
    await postgres.stop();
    await rm(location.dataDir, { recursive: true, force: true });
  }
}
