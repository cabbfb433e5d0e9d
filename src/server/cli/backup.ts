// npm run backup -- FOLDER [--keep]: backs up the running server to a new folder inside FOLDER.
// With --keep, then deletes expired backups there.
import { basename } from 'node:path';
import { createBackup, deleteBackups } from '../backup/create-backup.ts';
import { listBackups, listExpiredBackups } from '../backup/retention.ts';
import { print, runCommand } from './command.ts';

await runCommand({
  usage: 'npm run backup -- FOLDER [--keep]',
  argumentCount: 1,
  options: { keep: { type: 'boolean' } },
  async run(config, [parentFolder = ''], { keep }) {
    const { folder, manifest } = await createBackup(config, parentFolder);
    print(`Backed up to ${folder}: ${Object.keys(manifest.files).length} files, ${manifest.activity.seq} log entries.`);
    if (!keep) return;
    // If the clock was set back, an older backup may sort as newer; never delete the one just
    // created.
    const expiredBackups = listExpiredBackups(await listBackups(parentFolder)).filter(
      (name) => name !== basename(folder),
    );
    await deleteBackups(config, parentFolder, expiredBackups);
    if (expiredBackups.length > 0)
      print(`Deleted, to keep one backup for each of 7 days, 4 weeks and 12 months: ${expiredBackups.join(', ')}`);
  },
});
