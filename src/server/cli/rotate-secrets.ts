// npm run rotate-secrets: encrypts the stored secrets with a new key. Stop all servers first.
import { lockDataFolder } from '../files/data-folder.ts';
import { rotateSecrets } from '../secrets/secrets-key.ts';
import { print, runCommand } from './command.ts';
import { withDatabase } from './with-database.ts';

await runCommand({
  usage: 'npm run rotate-secrets',
  argumentCount: 0,
  async run(config) {
    const unlock = lockDataFolder(config.dataDir);
    try {
      await withDatabase(config, (db) =>
        rotateSecrets(config, db, (key) => print(`The new key. Set it before the next start: SECRETS_KEY=${key}`)),
      );
      print('The stored secrets are encrypted with a new key.');
    } finally {
      unlock();
    }
  },
});
