// Sets a one-time password from the server's terminal: npm run reset-password -- USERNAME. With
// --second-factor it also removes the user's second factors. Ends single sign-on for the user.

import type { Database } from '../db/schema.ts';
import { writeTransaction } from '../db/write-transaction.ts';
import { deleteLink } from '../sign-in/session/identity-links.ts';
import { generatePassword, hashPassword } from '../sign-in/session/passwords.ts';
import { notifyOfReset } from '../users/access-notices.ts';
import { resetSecondFactors } from '../users/factor-resets.ts';
import { setOneTimePassword } from '../users/password-resets.ts';
import { findUserByName } from '../users/store.ts';
import { print, runCommand } from './command.ts';
import { withDatabase } from './with-database.ts';

await runCommand({
  usage: 'npm run reset-password -- [--second-factor] USERNAME',
  argumentCount: 1,
  options: { 'second-factor': { type: 'boolean' } },
  run: (config, [username = ''], options) =>
    withDatabase(config, (db) => resetPassword(db, username, options['second-factor'] === true)),
});

async function resetPassword(db: Database, username: string, isFactorRemoved: boolean): Promise<void> {
  const user = await findUserByName(db, username);
  if (!user) throw new Error(`There is no user "${username}". Nothing was changed.`);
  const password = generatePassword();
  const passwordHash = await hashPassword(password);
  const terminal = { id: null, name: "the server's terminal", ip: '', requestId: 'reset-password' };
  const now = new Date();
  await writeTransaction(db, terminal, now, async (db, logActivity) => {
    if (isFactorRemoved) await resetSecondFactors(db, { target: user, now, logActivity });
    else await notifyOfReset(db, now, user, undefined);
    // Otherwise the password would not work, and a link that someone else made would stay.
    await deleteLink(db, user.id);
    await setOneTimePassword(db, { target: user, passwordHash, logActivity });
  });
  print(`The new password of ${user.username} (${user.role}) is ${password}`);
  if (isFactorRemoved) print('They now sign in without a second factor.');
  print(
    'You will not see this password again. It works once: the user chooses a new one at the next sign-in. All their sessions have ended.',
  );
}
