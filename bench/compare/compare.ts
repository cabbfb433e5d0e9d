// npm run compare [-- --reports 100000 --rounds 5 --only newest,search,create,upload,neighbours,growth,postgres,outside --out FILE]
// Compares the product with PocketBase on the same reports, alternately: medians of the rounds. The
// result is also written to a file.
import { cpus } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { compareGrowth } from './growth.ts';
import { compareFromOutside } from './outside.ts';
import { pocketbaseVersion } from './pocketbase.ts';
import { comparePostgres } from './postgres.ts';
import { createResult } from './result.ts';
import { compareSideBySide, operations } from './side-by-side.ts';

const { values } = parseArgs({
  options: {
    reports: { type: 'string', default: '100000' },
    grown: { type: 'string', default: '500000' },
    rounds: { type: 'string', default: '5' },
    /** Scales the number of requests per round. */
    share: { type: 'string', default: '1' },
    only: { type: 'string', default: [...operations, 'growth', 'postgres', 'outside'].join() },
    out: { type: 'string', default: 'compare.md' },
  },
});
const [reports, rounds, requestShare] = [Number(values.reports), Number(values.rounds), Number(values.share)];
const only = values.only.split(',');
const scale = (count: number) => Math.max(32, Math.round(count * requestShare));

const machineDescription = `${cpus().length} × ${cpus()[0]?.model.trim()}`;
const result = createResult(
  resolve(values.out),
  `${new Date().toISOString().slice(0, 10)}, ${machineDescription}, Node ${process.version}, PocketBase ${pocketbaseVersion}, ${reports} reports, medians of ${rounds} rounds`,
);
if (only.some((part) => operations.includes(part)))
  await result.runPart('Side by side', () => compareSideBySide(result, { reports, rounds, only, scale }));
if (only.includes('growth'))
  await result.runPart('Growth', () => compareGrowth(result, [10_000, reports, Number(values.grown)]));
if (only.includes('postgres'))
  await result.runPart('PostgreSQL', () => comparePostgres(result, { reports, rounds, scale }));
if (only.includes('outside')) await result.runPart('From outside', () => compareFromOutside(result, reports));
process.exit(result.end() ? 0 : 1);
