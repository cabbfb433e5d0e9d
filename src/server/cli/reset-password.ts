// Sets a one-time password from the server's terminal: npm run reset-password -- USERNAME

import { generatePassword, hashPassword } from '../auth/passwords.ts';
import { deleteUserSessions } from '../auth/session.ts';
import { deleteFailures } from '../auth/sign-in-throttle.ts';
import type { Database } from '../db/schema.ts';
import { writeTransaction } from '../db/write-transaction.ts';
import { findUserByName, updatePassword } from '../users/store.ts';
import { print, runCommand } from './command.ts';
import { withDatabase } from './with-database.ts';

await runCommand({
  usage: 'npm run reset-password -- USERNAME',
  argumentCount: 1,
  run: (config, [username = '']) => withDatabase(config, (db) => resetPassword(db, username)),
});

async function resetPassword(db: Database, username: string): Promise<void> {
  const user = await findUserByName(db, username);
  if (!user) throw new Error(`There is no user "${username}". Nothing was changed.`);
  const password = generatePassword();
  const passwordHash = await hashPassword(password);
  const terminal = { id: null, name: "the server's terminal", ip: '', requestId: 'reset-password' };
  await writeTransaction(db, terminal, new Date(), async (db, logActivity) => {
    await updatePassword(db, user.id, passwordHash, true);
    await deleteUserSessions(db, user.id);
    await deleteFailures(db, user.username_key);
    logActivity({ action: 'set a new password for', thing: 'user', thing_id: user.id, label: user.username });
  });
  print(`The new password of ${user.username} (${user.role}) is ${password}`);
  print(
    'You will not see this password again. The user chooses a new one at the next sign-in. All their sessions have ended.',
  );
}
