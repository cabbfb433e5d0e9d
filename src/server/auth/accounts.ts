import type { Database } from '../db/schema.ts';

type Account = { username: string; deleted_at: string | null };

/** Returns the account with this id, even if it was deleted. */
export const findAccount = (db: Database, id: string): Promise<Account | undefined> =>
  db.selectFrom('users').select(['username', 'deleted_at']).where('id', '=', id).executeTakeFirst();
