import { theServer } from '../activity/append.ts';
import { hashPassword, newPassword } from '../auth/passwords.ts';
import type { Config } from '../config.ts';
import { change } from '../db/change.ts';
import type { Database } from '../db/schema.ts';
import { countUsers, insertUser } from './store.ts';

/** While there are no users: makes `admin`. Gives the password when it had to make one up. */
export async function makeFirstAdmin(db: Database, config: Config, now: Date): Promise<string | undefined> {
  if ((await countUsers(db)) > 0) return undefined;
  const password = config.adminPassword || newPassword();
  const passwordHash = await hashPassword(password);
  const made = await change(db, theServer, now, async (db, note) => {
    if ((await countUsers(db)) > 0) return false;
    const id = await insertUser(
      db,
      { username: 'admin', passwordHash, role: 'Admin', park: '', mustChangePassword: false },
      now,
    );
    note({ action: 'created', thing: 'user', thing_id: id, label: 'admin' });
    return true;
  });
  return made && !config.adminPassword ? password : undefined;
}
