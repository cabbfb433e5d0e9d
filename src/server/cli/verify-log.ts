// Checks that the activity log was not changed:
//   npm run verify-log
import { verifyLog } from '../activity/verify.ts';
import type { Database } from '../db/schema.ts';
import { print, runCommand } from './command.ts';
import { withDatabase } from './with-database.ts';

await runCommand({ usage: 'npm run verify-log', argumentCount: 0, run: (config) => withDatabase(config, verify) });

async function verify(db: Database): Promise<void> {
  const { rows, hash, bad } = await verifyLog(db);
  if (bad) {
    const timeText = bad.at ? ` (${bad.at})` : '';
    const rowsBefore = rows === 1 ? 'The one before it is good.' : `The ${rows} before it are good.`;
    throw new Error(`Row ${bad.seq} of the activity log ${bad.reason}${timeText}. ${rowsBefore}`);
  }
  print(`The activity log is as it was written: ${rows} rows, the last with the hash ${hash}`);
}
