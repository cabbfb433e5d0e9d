// Checks that the activity log was not changed:
//   npm run verify-log
import { verifyLog } from '../activity/verify.ts';
import type { Database } from '../db/schema.ts';
import { print, runCommand } from './command.ts';
import { withDatabase } from './with-database.ts';

await runCommand({ usage: 'npm run verify-log', argumentCount: 0, run: (config) => withDatabase(config, verify) });

async function verify(db: Database): Promise<void> {
  const { rows, hash, badRow } = await verifyLog(db);
  if (badRow) {
    const timeText = badRow.at ? ` (${badRow.at})` : '';
    const rowsBefore = rows === 1 ? 'The one before it is good.' : `The ${rows} before it are good.`;
    throw new Error(`Row ${badRow.seq} of the activity log ${badRow.reason}${timeText}. ${rowsBefore}`);
  }
  print(`The activity log is unchanged: ${rows} rows, the last with the hash ${hash}`);
}
