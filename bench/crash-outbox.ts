// Every request of a report fails in every way, browser and server are killed forty times, and random schedules of both: in the end
// each report is there once, with every byte of its files.

import { startOutboxRig } from '../e2e/faults/outbox-rig.ts';
import { runKillRounds, runMatrix, runSchedules } from '../e2e/faults/outbox-rounds.ts';

const killRounds = 40;
const given = process.argv.at(-1) ?? '';
const schedules = /^\d+$/.test(given) ? Number(given) : 300;

const tell = (what: string) => (round: number) => round % 10 === 0 && console.log(`${round} ${what}`);
const report = (what: string, problems: string[]) => {
  console.log(`${what}: ${problems.length === 0 ? 'each report once and whole' : problems.join('\n')}`);
  if (problems.length > 0) process.exitCode = 1;
};

const rig = await startOutboxRig({ hangMs: 40_000 });
try {
  await rig.fillInModel();
  report('36 faults, one for each request and kind', await runMatrix(rig, { isShort: false }));
  report(`${killRounds} times both killed`, await runKillRounds(rig, killRounds, tell('times killed')));
  const seed = Date.now();
  report(`${schedules} schedules from seed ${seed}`, await runSchedules(rig, schedules, seed, tell('schedules')));
} finally {
  await rig.stop();
}
