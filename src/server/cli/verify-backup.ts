// npm run verify-backup -- BACKUP: checks that the backup can be restored completely.
import { resolve } from 'node:path';
import { verifyBackup } from '../backup/verify.ts';
import { print, runCommand } from './command.ts';

await runCommand({
  usage: 'npm run verify-backup -- BACKUP',
  argumentCount: 1,
  async run(config, [folder = '']) {
    const { made_at, files, tables } = await verifyBackup(config, resolve(folder));
    const rows = Object.values(tables).reduce((sum, count) => sum + count, 0);
    print(
      `The backup of ${made_at} is good: ${Object.keys(files).length} files, ${rows} rows, the log's chain unbroken.`,
    );
  },
});
