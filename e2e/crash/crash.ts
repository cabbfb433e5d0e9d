// npm run crash -- ROUNDS
//   kills a server at random moments while eight clients work, and checks what was acknowledged; packs of
//   reports too
// npm run crash -- --outbox PART COUNT
//   kills a browser and a server while a device sends waiting items: e2e/crash/outbox.ts
// npm run crash -- --sending ROUNDS
//   kills a server while it sends email, and checks that every message arrived
// With TEST_DATABASE_URL (node scripts/postgres.mjs -- npm run crash -- 100) on PostgreSQL, else on
// SQLite.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArguments, parseCount } from '../../src/server/testing/arguments.ts';
import { runCrashRounds } from '../../src/server/testing/crash.ts';
import { runSendingRounds } from '../../src/server/testing/crash-sending.ts';

const { flag, words } = parseArguments(process.argv.slice(2), {
  usage: 'npm run crash -- [--outbox [PART [COUNT [SEED]]] | --sending [ROUNDS] | ROUNDS]',
  flags: ['outbox', 'sending'],
  most: 3,
});
if (flag === 'outbox') {
  await import('./outbox.ts');
  process.exit();
}

const requestedRounds = parseCount(words[0], flag === 'sending' ? 20 : 500);
const folder = mkdtempSync(join(tmpdir(), 'crash-'));
const engine = process.env.TEST_DATABASE_URL ? 'postgres' : 'sqlite';

if (flag === 'sending') {
  const { rounds, messages, duplicates } = await runSendingRounds(engine, folder, requestedRounds).finally(() =>
    rmSync(folder, { recursive: true, force: true }),
  );
  console.log(
    `${engine}: ${rounds} crashes, ${messages} emails: none lost, ${duplicates} sent twice under the same Message-ID.`,
  );
  process.exit();
}

const logRound = (round: number) => {
  if (round % 25 === 0) console.log(`${round} rounds`);
};
const figures = await runCrashRounds(engine, folder, requestedRounds, logRound, true).finally(() =>
  rmSync(folder, { recursive: true, force: true }),
);
console.log(
  `${engine}: ${figures.rounds} crashes, ${figures.acknowledged} acknowledged writes, ${figures.retried} sent again with their key: none lost, none twice, none by half.\nAmong them ${Object.entries(
    figures.others,
  )
    .map(([kind, count]) => `${count} ${kind}`)
    .join(', ')}.\nThe slowest start after a crash took ${figures.slowestStartMs} ms.`,
);
