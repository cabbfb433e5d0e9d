// Tokens that are used once and expire after minutes. The database has only their hashes.
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../db/schema.ts';
import { sha256 } from '../hash.ts';

/** `second step`: the password was right, and the second factor is missing. */
type TokenKind = 'second step';

export async function insertOneUseToken(
  db: Database,
  kind: TokenKind,
  userId: string,
  seconds: number,
  now: Date,
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await db
    .insertInto('one_use_tokens')
    .values({
      ...{ token_hash: sha256(token), kind, user_id: userId, attempts: 0 },
      expires_at: new Date(now.getTime() + seconds * 1000).toISOString(),
    })
    .execute();
  return token;
}

/**
 * Counts an attempt with a token that has not expired. Returns the user and the number of attempts,
 * with this one.
 */
export const countTokenAttempt = (db: Database, token: string, kind: TokenKind, now: Date) =>
  db
    .updateTable('one_use_tokens')
    .set({ attempts: sql`attempts + 1` })
    .where('token_hash', '=', sha256(token))
    .where('kind', '=', kind)
    .where('expires_at', '>', now.toISOString())
    .returning(['user_id', 'attempts'])
    .executeTakeFirst();

/** Takes back an attempt that turned out not to count. */
export async function uncountTokenAttempt(db: Database, token: string): Promise<void> {
  await db
    .updateTable('one_use_tokens')
    .set({ attempts: sql`attempts - 1` })
    .where('token_hash', '=', sha256(token))
    .execute();
}

/** Uses a token up. Returns whether this call did. */
export async function deleteOneUseToken(db: Database, token: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('one_use_tokens')
    .where('token_hash', '=', sha256(token))
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

export async function deleteUserTokens(db: Database, userId: string): Promise<void> {
  await db.deleteFrom('one_use_tokens').where('user_id', '=', userId).execute();
}

export async function deleteExpiredTokens(db: Database, now: Date): Promise<void> {
  await db.deleteFrom('one_use_tokens').where('expires_at', '<=', now.toISOString()).execute();
}
