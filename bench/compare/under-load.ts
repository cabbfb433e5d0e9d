// Measures the list of the newest 50 reports while other users work.
import { password } from '../product.ts';
import { addWriters, type StorageLocation } from './product.ts';
import { json, months, newest, search, upload } from './product-requests.ts';
import { keepRequesting, measureDuringLoad, percentile, type Target } from './requests.ts';
import { formatMs, type Result } from './result.ts';

const slowSearches = ['inc-2015 acc-2015', 'zz qq', 'zz', 'boiler acc-2015'];

type CreateReaderHeaders = (index: number) => { cookie: string };
type Aims = { searches: number; months: number; uploads: number; signIns: number };

/**
 * The measuring user is separate from the others: they take turns, and a sign-in ends the oldest of
 * ten sessions.
 */
export async function compareUnderLoad(
  result: Result,
  location: StorageLocation,
  product: Target,
  as: CreateReaderHeaders,
  aims: Aims,
) {
  const repeatRequest = (path: (index: number) => string) => (isOver: () => boolean) =>
    keepRequesting(product, 4, isOver, (index) => ({ path: path(index), headers: as(1 + (index % 31)) }));
  const otherLoads: [string, number, (isOver: () => boolean) => Promise<void>][] = [
    ['nothing', aims.searches, async () => {}],
    [
      '4 worst searches',
      aims.searches,
      repeatRequest((index) => search(slowSearches[index % slowSearches.length] ?? '')),
    ],
    ['4 month counts with a search', aims.months, repeatRequest(() => `${months}&q=pool`)],
    [
      '8 uploads',
      aims.uploads,
      async (isOver) => {
        const writers = await addWriters(location, 40, false);
        await keepRequesting(product, 8, isOver, upload(writers));
      },
    ],
    [
      '8 sign-ins',
      aims.signIns,
      (isOver) =>
        keepRequesting(product, 8, isOver, () => ({
          method: 'POST',
          path: '/api/login',
          headers: json,
          body: JSON.stringify({ username: 'admin', password }),
        })),
    ],
  ];
  const engine = location.databaseUrl ? ' on PostgreSQL' : '';
  result.print(`\n| newest 50${engine} beside | times | p50 ms | p99 ms | aim |\n|---|---|---|---|---|`);
  for (const [name, aim, work] of otherLoads) {
    const times = await measureDuringLoad(product, { path: newest, headers: as(0) }, work);
    const [p50, p99] = [percentile(times, 0.5), percentile(times, 0.99)];
    result.print(`| ${name} | ${times.length} | ${formatMs(p50)} | ${formatMs(p99)} | ${aim} |`);
    if (name !== 'nothing')
      result.addAim({
        what: `newest 50${engine} beside ${name}: p99`,
        aim: `≤ ${aim} ms`,
        product: `${formatMs(p99)} ms`,
        isMet: p99 <= aim,
      });
  }
}
