// npm run restore -- BACKUP [--force]: restores to DATA_DIR, and to DATABASE_URL if set. Stop the
// server first.
import { resolve } from 'node:path';
import { restoreBackup } from '../backup/restore.ts';
import { print, runCommand } from './command.ts';

await runCommand({
  usage: 'npm run restore -- BACKUP [--force]',
  argumentCount: 1,
  options: { force: { type: 'boolean' } },
  async run(config, [folder = ''], { force }) {
    const restored = await restoreBackup(config, resolve(folder), { force: force === true });
    const { manifest, before, lostSecrets, secondFactorUsers, linkedUsers } = restored;
    print(`Restored the backup of ${manifest.made_at}. All users must sign in again.`);
    if (lostSecrets.length > 0)
      print(`The key of the backup's secrets is missing. Deleted: ${lostSecrets.join('; ')}.`);
    if (secondFactorUsers.length > 0)
      print(
        `Recovery codes no longer work. Check that these users still have their second factor, and let them make new recovery codes: ${secondFactorUsers.join(', ')}.`,
      );
    if (linkedUsers.length > 0)
      print(`Check that these users may still sign in through single sign-on: ${linkedUsers.join(', ')}.`);
    if (before) print(`What was there before is kept in ${before}`);
  },
});
