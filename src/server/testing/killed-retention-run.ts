// A retention run in a process of its own, killed with SIGKILL at the COUNTth step of a kind:
//   node killed-retention-run.ts STEP COUNT RUN
import { parseConfig } from '../config.ts';
import { connect } from '../db/connect.ts';
import { openFileStore } from '../files/open-store.ts';
import { runInSteps, type SteppedRun } from './retention-steps.ts';

const [stopAt, count, run = ''] = process.argv.slice(2);
const config = parseConfig();
const db = await connect(config);
const files = await openFileStore(config, { isInUse: true });
let remainingSteps = Number(count);
await runInSteps({ config, db, files }, JSON.parse(run) as SteppedRun, (step) => {
  if (step === stopAt) remainingSteps -= 1;
  if (remainingSteps === 0) process.kill(process.pid, 'SIGKILL');
});
await db.destroy();
