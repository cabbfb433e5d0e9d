// Fails each request of a report in every way, kills browser and server forty times, and runs
// random sequences of both, for reports, checklists and audits. In the end each record exists once,
// with every byte of its files. `npm run crash -- --outbox [PART [COUNT]]` runs all parts or one:
// faults, kills, report, checklist, audit, completion.

import { kinds, startOutboxRig } from '../e2e/faults/outbox-rig.ts';
import { runKillRounds, runMatrix, runSchedules } from '../e2e/faults/outbox-rounds.ts';

const counts = { kills: 40, report: 300, checklist: 50, audit: 50, completion: 50 };

const [, given = 'all', givenCount] = process.argv.slice(process.argv.indexOf('--outbox'));
const isWanted = (part: string) => given === 'all' || given === part;
const getCount = (part: keyof typeof counts) => Number(givenCount ?? counts[part]);

const logRounds = (what: string) => (round: number) => round % 10 === 0 && console.log(`${round} ${what}`);
const report = (what: string, problems: string[]) => {
  console.log(`${what}: ${problems.length === 0 ? 'each arrived once and whole' : problems.join('\n')}`);
  if (problems.length > 0) process.exitCode = 1;
};

const rig = await startOutboxRig({ hangMs: 40_000 });
try {
  await rig.fillInTemplate();
  if (isWanted('faults')) report('36 faults, one for each request and kind', await runMatrix(rig, { isShort: false }));
  if (isWanted('kills')) {
    const rounds = getCount('kills');
    report(`${rounds} times both killed`, await runKillRounds(rig, rounds, logRounds('times killed')));
  }
  for (const kind of kinds)
    if (isWanted(kind)) {
      const rounds = getCount(kind);
      const seed = Date.now();
      const problems = await runSchedules(rig, { kind, rounds, seed, onRound: logRounds(`schedules of a ${kind}`) });
      report(`${rounds} schedules of a ${kind} from seed ${seed}`, problems);
    }
} finally {
  await rig.stop();
}
