// Fails each request of a report in every way, kills browser and server forty times, and runs
// random sequences of both, for reports, checklists and audits. In the end each record exists once,
// with every byte of its files. `npm run crash -- --outbox [PART [COUNT]]` runs all parts or one:
// faults, kills, report, checklist, audit, completion.

import { kinds, type OutboxRig, startOutboxRig } from '../e2e/faults/outbox-rig.ts';
import { runKillRounds, runMatrix, runSchedules } from '../e2e/faults/outbox-rounds.ts';

/** Each has its own browser and server. They run at once, because a sequence mostly waits. */
const devices = 4;
const counts = { kills: 40, report: 300, checklist: 50, audit: 50, completion: 50 };

const [, given = 'all', givenCount] = process.argv.slice(process.argv.indexOf('--outbox'));
const isSelected = (part: string) => given === 'all' || given === part;
const getCount = (part: keyof typeof counts) => Number(givenCount ?? counts[part]);

const logRounds = (what: string) => (round: number) => round % 10 === 0 && console.log(`${round} ${what}`);
const report = (what: string, problems: string[]) => {
  console.log(`${what}: ${problems.length === 0 ? 'each arrived once and whole' : problems.join('\n')}`);
  if (problems.length > 0) process.exitCode = 1;
};

const rigs: OutboxRig[] = [];

async function startDevice(): Promise<OutboxRig> {
  const rig = await startOutboxRig({ hangMs: 40_000 });
  rigs.push(rig);
  await rig.fillInTemplate();
  return rig;
}

/** Divides the sequences among all devices. */
async function runOnAll(kind: (typeof kinds)[number]) {
  const rounds = getCount(kind);
  const seed = Date.now();
  const log = logRounds(`schedules of a ${kind}`);
  let done = 0;
  const problems = await Promise.all(
    rigs.map((rig, index) => {
      const share = Math.floor((rounds + index) / rigs.length);
      return runSchedules(rig, { kind, rounds: share, seed: seed + index, onRound: () => log(++done) });
    }),
  );
  report(`${rounds} schedules of a ${kind} on ${rigs.length} devices from seed ${seed}`, problems.flat());
}

try {
  const rig = await startDevice();
  if (isSelected('faults'))
    report('36 faults, one for each request and kind', await runMatrix(rig, { isShort: false }));
  if (isSelected('kills')) {
    const rounds = getCount('kills');
    report(`${rounds} times both killed`, await runKillRounds(rig, rounds, logRounds('times killed')));
  }
  const selected = kinds.filter(isSelected);
  while (selected.length > 0 && rigs.length < devices) await startDevice();
  for (const kind of selected) await runOnAll(kind);
} finally {
  await Promise.all(rigs.map((rig) => rig.stop()));
}
