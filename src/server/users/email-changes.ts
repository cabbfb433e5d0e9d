// New email addresses that wait until the link sent to them is opened. The database has only a hash of the link's token.
import { randomBytes } from 'node:crypto';
import type { Database } from '../db/schema.ts';
import { sha256 } from '../hash.ts';

export const linkHours = 24;

/**
 * Stores a new address and returns the token for the link. Earlier links of the user become
 * invalid.
 */
export async function insertEmailChange(db: Database, user_id: string, email: string, now: Date): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const expires_at = new Date(now.getTime() + linkHours * 60 * 60_000).toISOString();
  await deleteEmailChanges(db, user_id);
  await db
    .insertInto('email_changes')
    .values({ token_hash: sha256(token), user_id, email, expires_at })
    .execute();
  return token;
}

/** Returns the user and new address of a token, unless it was used or has expired. */
export const findEmailChange = (db: Database, token: string, now: Date) =>
  db
    .selectFrom('email_changes')
    .innerJoin('users', 'users.id', 'email_changes.user_id')
    .select(['users.id', 'email_changes.email'])
    .where('email_changes.token_hash', '=', sha256(token))
    .where('email_changes.expires_at', '>', now.toISOString())
    .where('users.deleted_at', 'is', null)
    .executeTakeFirst();

export async function deleteEmailChanges(db: Database, userId: string): Promise<void> {
  await db.deleteFrom('email_changes').where('user_id', '=', userId).execute();
}

export async function deleteExpiredEmailChanges(db: Database, now: Date): Promise<void> {
  await db.deleteFrom('email_changes').where('expires_at', '<=', now.toISOString()).execute();
}
