// Whether the activity log is as it was written:
//   npm run verify-log
import { verifyLog } from '../activity/verify.ts';
import { runCommand, say } from './open.ts';

await runCommand(async (db) => {
  const { rows, hash, bad } = await verifyLog(db);
  if (bad) {
    const when = bad.at ? ` (${bad.at})` : '';
    const before = rows === 1 ? 'The one before it is good.' : `The ${rows} before it are good.`;
    throw new Error(`Row ${bad.seq} of the activity log ${bad.reason}${when}. ${before}`);
  }
  say(`The activity log is as it was written: ${rows} rows, the last with the hash ${hash}`);
});
