// Fails each request of a report in every way, kills browser and server forty times, and runs
// random sequences of both, for reports, checklists and audits. In the end each record exists once,
// with every byte of its files. `npm run crash -- --outbox [PART [COUNT [SEED]]]` runs all parts or
// one: faults, kills, report, checklist, audit, completion. The sequences are the same for the same
// seed. SIGTERM ends it after the current sequences, with a report.

import { parseArguments, parseCount } from '../../src/server/testing/arguments.ts';
import { kinds, type OutboxRig, startOutboxRig } from '../faults/outbox-rig.ts';
import {
  runEveryFailure,
  runKillRounds,
  runSchedule,
  type Schedule,
  sampleSchedules,
} from '../faults/outbox-rounds.ts';

/**
 * Each device has its own browser and server. They run at once, because a sequence mostly waits.
 */
const deviceCount = 8;
const counts = { kills: 40, report: 300, checklist: 50, audit: 50, completion: 50 };
/** Larger counts are run and reported in blocks of this size, each with its own seed. */
const blockSize = 300;

const parts = ['faults', 'kills', ...kinds];
const usage = `npm run crash -- --outbox [${['all', ...parts].join(' | ')} [COUNT [SEED]]]`;
const [requestedPart = 'all', countArgument, seedArgument] = parseArguments(process.argv.slice(2), {
  usage,
  flags: ['outbox'],
  most: 3,
}).words;
if (requestedPart !== 'all' && !parts.includes(requestedPart)) throw new Error(`Usage: ${usage}`);
const isSelected = (part: string) => requestedPart === 'all' || requestedPart === part;
const getCount = (part: keyof typeof counts) => parseCount(countArgument, counts[part]);

const createRoundLog = (roundName: string) => (round: number) =>
  round % 10 === 0 && console.log(`${round} ${roundName}`);
const printProblems = (roundName: string, problems: string[]) => {
  console.log(`${roundName}: ${problems.length === 0 ? 'each arrived once and whole' : problems.join('\n')}`);
  if (problems.length > 0) process.exitCode = 1;
};

const outboxRigs: OutboxRig[] = [];
let isStopping = false;
process.on('SIGTERM', () => {
  isStopping = true;
});

async function startRigWithFilledInReport(): Promise<OutboxRig> {
  const rig = await startOutboxRig({ hangMs: 40_000 });
  outboxRigs.push(rig);
  await rig.fillInTemplate();
  return rig;
}

/**
 * Runs this many random sequences on all devices; each device takes the next one when it is free.
 */
async function runBlock(kind: (typeof kinds)[number], count: number, seed: number) {
  const log = createRoundLog(`schedules of a ${kind}`);
  const remainingSchedules = [...sampleSchedules(count, seed).entries()];
  const problems: string[] = [];
  let scheduleCount = 0;
  const runOnDevice = async (rig: OutboxRig) => {
    while (remainingSchedules.length > 0 && !isStopping) {
      const [index, schedule] = remainingSchedules.shift() as [number, Schedule];
      const name = `Schedule ${seed} ${index}`;
      try {
        const scheduleProblems = await runSchedule(rig, schedule, name, kind);
        problems.push(...scheduleProblems.map((problem) => `${problem} after ${JSON.stringify(schedule)}`));
      } catch (error) {
        problems.push(`${name}: ${error} after ${JSON.stringify(schedule)}`);
        // Items left unsent would affect the next sequence, so this device is not used again.
        outboxRigs.splice(outboxRigs.indexOf(rig), 1);
        return rig.stop();
      }
      log(++scheduleCount);
    }
  };
  await Promise.all([...outboxRigs].map(runOnDevice));
  printProblems(`${scheduleCount} schedules of a ${kind} on ${deviceCount} devices from seed ${seed}`, problems);
}

async function runOnAll(kind: (typeof kinds)[number]) {
  const count = getCount(kind);
  const firstSeed = parseCount(seedArgument, Date.now() % 2 ** 31);
  for (let from = 0; from < count && !isStopping && outboxRigs.length > 0; from += blockSize)
    await runBlock(kind, Math.min(blockSize, count - from), firstSeed + from / blockSize);
}

try {
  const rig = await startRigWithFilledInReport();
  if (isSelected('faults'))
    printProblems('36 faults, one for each request and kind', await runEveryFailure(rig, { isShort: false }));
  if (isSelected('kills')) {
    const rounds = getCount('kills');
    printProblems(`${rounds} times both killed`, await runKillRounds(rig, rounds, createRoundLog('times killed')));
  }
  const selectedKinds = kinds.filter(isSelected);
  if (selectedKinds.length > 0) await Promise.all(Array.from({ length: deviceCount - 1 }, startRigWithFilledInReport));
  for (const kind of selectedKinds) await runOnAll(kind);
} finally {
  await Promise.all(outboxRigs.map((rig) => rig.stop()));
}
