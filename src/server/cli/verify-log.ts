// Whether the activity log is as it was written:
//   npm run verify-log
import { verifyLog } from '../activity/verify.ts';
import type { Database } from '../db/schema.ts';
import { runOperation, say } from './command.ts';
import { onStore } from './open.ts';

await runOperation({ usage: 'npm run verify-log', takes: 0, run: (config) => onStore(config, verify) });

async function verify(db: Database): Promise<void> {
  const { rows, hash, bad } = await verifyLog(db);
  if (bad) {
    const when = bad.at ? ` (${bad.at})` : '';
    const before = rows === 1 ? 'The one before it is good.' : `The ${rows} before it are good.`;
    throw new Error(`Row ${bad.seq} of the activity log ${bad.reason}${when}. ${before}`);
  }
  say(`The activity log is as it was written: ${rows} rows, the last with the hash ${hash}`);
}
