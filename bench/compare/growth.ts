// Measures how requests slow down as the number of reports grows.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from '../median.ts';
import { signIn, startProduct } from '../product.ts';
import { getSettings, prepareProduct } from './product.ts';
import { getSearchPath, monthsPath, newestPath } from './product-requests.ts';
import { measure } from './requests.ts';
import { formatMs, type Result } from './result.ts';

/** A server runs for weeks, so measuring starts after V8 has compiled its code. */
const warmUpRequests = 1000;

/** Measures each number of reports. The targets apply to the largest. */
export async function compareGrowth(result: Result, counts: number[]): Promise<void> {
  result.print(
    '\n| reports | start to first response | months | newest 50 | a two-letter search that finds nothing |\n|---|---|---|---|---|',
  );
  for (const count of counts) {
    const location = { databaseUrl: '', dataDir: await mkdtemp(join(tmpdir(), 'compare-')) };
    try {
      await prepareProduct(location, count);
      const figures = await measureLargeDatabase(location.dataDir);
      result.print(
        `| ${count} | ${formatMs(figures.startMs)} ms | ${formatMs(figures.monthsMs)} ms | ${formatMs(figures.newestMs)} ms | ${formatMs(figures.shortSearchMs)} ms |`,
      );
      if (count === counts.at(-1)) addTargetRows(result, count, figures);
    } finally {
      await rm(location.dataDir, { recursive: true, force: true });
    }
  }
}

type GrowthFigures = { startMs: number; monthsMs: number; newestMs: number; shortSearchMs: number };

function addTargetRows(result: Result, count: number, figures: GrowthFigures): void {
  const addRow = (measurement: string, maximum: number, value: number) =>
    result.addTargetRow({
      measurement: `${measurement}, ${count} reports`,
      target: `≤ ${maximum} ms`,
      product: `${formatMs(value)} ms`,
      isMet: value <= maximum,
    });
  addRow('two-letter search that is not there', 300, figures.shortSearchMs);
  addRow('months', 1.5, figures.monthsMs);
  addRow('start to first answer', 1200, figures.startMs);
}

async function measureLargeDatabase(dataDir: string): Promise<GrowthFigures> {
  const startTimesMs: number[] = [];
  for (let index = 0; index < 3; index++) {
    const started = performance.now();
    const product = await startProduct(dataDir, getSettings({ databaseUrl: '', dataDir }));
    await (await fetch(`${product.url}/healthz`)).text();
    startTimesMs.push(performance.now() - started);
    await product.stop();
  }
  const product = await startProduct(dataDir, getSettings({ databaseUrl: '', dataDir }));
  const headers = { cookie: await signIn(product.url) };
  const timeRequest = async (path: string, requestCount: number) =>
    (await measure(product, requestCount, 1, () => ({ path, headers }))).p50;
  try {
    await timeRequest(monthsPath, warmUpRequests);
    return {
      startMs: median(startTimesMs),
      monthsMs: await timeRequest(monthsPath, 100),
      newestMs: await timeRequest(newestPath, 50),
      shortSearchMs: await timeShortSearch(`${product.url}${getSearchPath('zz')}`, headers),
    };
  } finally {
    await product.stop();
  }
}

/** The server may stop a search of two letters and respond with a message instead. */
async function timeShortSearch(url: string, headers: Record<string, string>): Promise<number> {
  const times: number[] = [];
  for (let index = 0; index < 5; index++) {
    const startedAt = performance.now();
    const response = await fetch(url, { headers });
    const text = await response.text();
    times.push(performance.now() - startedAt);
    if (!response.ok && !text.includes('Enter at least three letters or a park')) throw new Error(text);
  }
  return median(times);
}
