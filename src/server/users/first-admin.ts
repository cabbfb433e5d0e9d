import type { Config } from '../config.ts';
import { serverActor } from '../db/activity-log.ts';
import { setCounter } from '../db/counters.ts';
import { firstPasswordName } from '../db/first-step-names.ts';
import type { Database } from '../db/schema.ts';
import { writeTransaction } from '../db/write-transaction.ts';
import { generatePassword, hashPassword } from '../sign-in/session/passwords.ts';
import { countUsers, insertUser } from './store.ts';

/** Creates `admin` if there are no users. Returns the password if it was generated. */
export async function createFirstAdmin(db: Database, config: Config, now: Date): Promise<string | undefined> {
  if ((await countUsers(db)) > 0) return undefined;
  const password = config.adminPassword || generatePassword();
  const passwordHash = await hashPassword(password);
  const isCreated = await writeTransaction(db, serverActor, now, async (db, logActivity) => {
    if ((await countUsers(db)) > 0) return false;
    const id = await insertUser(
      db,
      { username: 'admin', passwordHash, role: 'Admin', park: '', mustChangePassword: false },
      now,
    );
    await setCounter(db, firstPasswordName(id), 1);
    logActivity({ action: 'created', thing: 'user', thing_id: id, label: 'admin' });
    return true;
  });
  return isCreated && !config.adminPassword ? password : undefined;
}
