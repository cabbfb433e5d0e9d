// Measures the list of the newest 50 reports while other users work.
import { password } from '../product.ts';
import { addWriters, type StorageLocation } from './product.ts';
import { createUploadRequest, getSearchPath, jsonHeaders, monthsPath, newestPath } from './product-requests.ts';
import { keepRequesting, measureDuringLoad, percentile, type Target } from './requests.ts';
import { formatMs, type Result } from './result.ts';

const slowSearches = ['inc-2015 acc-2015', 'zz qq', 'zz', 'boiler acc-2015'];

type GetReaderHeaders = (index: number) => { cookie: string };
type MaxP99Ms = { searches: number; months: number; uploads: number; signIns: number };

/**
 * Reader 0 sends the measured requests, and the 31 others the load. A user has at most ten
 * sessions, so that further sign-ins of a shared user would end the measured one.
 */
export async function compareUnderLoad(
  result: Result,
  location: StorageLocation,
  product: Target,
  getReaderHeaders: GetReaderHeaders,
  maxP99Ms: MaxP99Ms,
) {
  const repeatRequest = (path: (index: number) => string) => (isOver: () => boolean) =>
    keepRequesting(product, 4, isOver, (index) => ({ path: path(index), headers: getReaderHeaders(1 + (index % 31)) }));
  const otherLoads: [string, number, (isOver: () => boolean) => Promise<void>][] = [
    ['nothing', maxP99Ms.searches, async () => {}],
    [
      '4 worst searches',
      maxP99Ms.searches,
      repeatRequest((index) => getSearchPath(slowSearches[index % slowSearches.length] ?? '')),
    ],
    ['4 month counts with a search', maxP99Ms.months, repeatRequest(() => `${monthsPath}&q=pool`)],
    [
      '8 uploads',
      maxP99Ms.uploads,
      async (isOver) => {
        const writers = await addWriters(location, 40, false);
        await keepRequesting(product, 8, isOver, createUploadRequest(writers));
      },
    ],
    [
      '8 sign-ins',
      maxP99Ms.signIns,
      (isOver) =>
        keepRequesting(product, 8, isOver, () => ({
          method: 'POST',
          path: '/api/login',
          headers: jsonHeaders,
          body: JSON.stringify({ username: 'admin', password }),
        })),
    ],
  ];
  const engine = location.databaseUrl ? ' on PostgreSQL' : '';
  result.print(`\n| newest 50${engine} beside | times | p50 ms | p99 ms | target |\n|---|---|---|---|---|`);
  for (const [name, maxMs, runOtherRequests] of otherLoads) {
    const times = await measureDuringLoad(
      product,
      { path: newestPath, headers: getReaderHeaders(0) },
      runOtherRequests,
    );
    const [p50, p99] = [percentile(times, 0.5), percentile(times, 0.99)];
    result.print(`| ${name} | ${times.length} | ${formatMs(p50)} | ${formatMs(p99)} | ${maxMs} |`);
    if (name !== 'nothing')
      result.addTargetRow({
        measurement: `newest 50${engine} beside ${name}: p99`,
        target: `≤ ${maxMs} ms`,
        product: `${formatMs(p99)} ms`,
        isMet: p99 <= maxMs,
      });
  }
}
