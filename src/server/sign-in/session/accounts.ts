import type { Database } from '../../db/schema.ts';

type Account = { id: string; username: string; role: string; parks: string; deleted_at: string | null };

/** Returns the account with this id, even if it was deleted. */
export const findAccount = (db: Database, id: string): Promise<Account | undefined> =>
  db
    .selectFrom('users')
    .select(['id', 'username', 'role', 'parks', 'deleted_at'])
    .where('id', '=', id)
    .executeTakeFirst();
