// Measures how requests slow down as the number of reports grows.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signIn, startProduct } from '../product.ts';
import { median } from '../rate.ts';
import { getSettings, prepareProduct } from './product.ts';
import { months, newest, search } from './product-requests.ts';
import { measure } from './requests.ts';
import { formatMs, type Result } from './result.ts';

/** A server runs for weeks, so measuring starts after V8 has compiled its code. */
const warmUpRequests = 1000;

/** A target holds for the largest of these counts. */
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
        `| ${count} | ${formatMs(figures.start)} ms | ${formatMs(figures.months)} ms | ${formatMs(figures.newest)} ms | ${formatMs(figures.short)} ms |`,
      );
      if (count === counts.at(-1)) addAims(result, count, figures);
    } finally {
      await rm(location.dataDir, { recursive: true, force: true });
    }
  }
}

type GrowthOptions = { start: number; months: number; newest: number; short: number };

function addAims(result: Result, count: number, figures: GrowthOptions): void {
  const add = (measurement: string, maximum: number, value: number) =>
    result.addAim({
      what: `${measurement}, ${count} reports`,
      aim: `≤ ${maximum} ms`,
      product: `${formatMs(value)} ms`,
      isMet: value <= maximum,
    });
  add('two-letter search that is not there', 300, figures.short);
  add('months', 1.5, figures.months);
  add('start to first answer', 1200, figures.start);
}

async function measureLargeDatabase(dataDir: string): Promise<GrowthOptions> {
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
    await timeRequest(months, warmUpRequests);
    return {
      start: median(startTimesMs),
      months: await timeRequest(months, 100),
      newest: await timeRequest(newest, 50),
      short: await timeShortSearch(`${product.url}${search('zz')}`, headers),
    };
  } finally {
    await product.stop();
  }
}

/** The server may stop a search of two letters and respond with a message instead. */
async function timeShortSearch(url: string, headers: Record<string, string>): Promise<number> {
  const times: number[] = [];
  for (let index = 0; index < 5; index++) {
    const from = performance.now();
    const response = await fetch(url, { headers });
    const text = await response.text();
    times.push(performance.now() - from);
    if (!response.ok && !text.includes('Enter at least three letters or a park')) throw new Error(text);
  }
  return median(times);
}
