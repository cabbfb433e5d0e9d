// npm run verify-backup -- BACKUP: checks that the backup can be restored completely, and notes in the server's
// database, if it is here, when a backup was last good.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { verifyBackup } from '../backup/verify.ts';
import type { Config } from '../config.ts';
import { getSqlitePath } from '../db/connect.ts';
import { setCounter } from '../db/counters.ts';
import { backupCounters } from '../system/lines.ts';
import { print, runCommand } from './command.ts';
import { withDatabase } from './with-database.ts';

await runCommand({
  usage: 'npm run verify-backup -- BACKUP',
  argumentCount: 1,
  async run(config, [folder = '']) {
    const { made_at, files, tables } = await verifyBackup(config, resolve(folder));
    const rows = Object.values(tables).reduce((sum, count) => sum + count, 0);
    print(
      `The backup of ${made_at} is good: ${Object.keys(files).length} files, ${rows} rows, the log's chain unbroken.`,
    );
    await noteVerification(config).catch((error: Error) =>
      print(`System does not show it, because this could not be noted in the database: ${error.message}`),
    );
  },
});

/** Another machine, on which backups are verified, may have no database. */
async function noteVerification(config: Config): Promise<void> {
  if (!config.databaseUrl && !existsSync(getSqlitePath(config.dataDir))) return;
  await withDatabase(config, (db) => setCounter(db, backupCounters.verified, Math.floor(Date.now() / 1000)));
}
