// Tokens that are used once and expire after minutes. The database has only their hashes.
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../db/schema.ts';
import { sha256 } from '../hash.ts';

/**
 * `second step`: the password was right, or the provider has signed the user in, and the second factor is
 * missing; `fresh`: the user has just signed in there; `confirm`: to confirm who they are. The others are
 * what a passkey signs, when it is used, by anyone who has one, and when it is created; and why a browser
 * was sent to the provider.
 */
export type TokenKind =
  | 'second step'
  | 'provider second step'
  | 'fresh provider second step'
  | 'provider confirm second step'
  | 'passkey'
  | 'new passkey'
  | 'provider sign in'
  | 'provider link'
  | 'provider confirm';

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
export const countTokenAttempt = (db: Database, token: string, kinds: TokenKind[], now: Date) =>
  db
    .updateTable('one_use_tokens')
    .set({ attempts: sql`attempts + 1` })
    .where('token_hash', '=', sha256(token))
    .where('kind', 'in', kinds)
    .where('expires_at', '>', now.toISOString())
    .returning(['user_id', 'kind', 'attempts'])
    .executeTakeFirst();

/** Takes back an attempt that turned out not to count. */
export async function uncountTokenAttempt(db: Database, token: string): Promise<void> {
  await db
    .updateTable('one_use_tokens')
    .set({ attempts: sql`attempts - 1` })
    .where('token_hash', '=', sha256(token))
    .execute();
}

/** Uses up a token that has not expired. Returns its user and kind if this call did. */
export const deleteOneUseToken = (db: Database, token: string, kinds: TokenKind | TokenKind[], now: Date) =>
  db
    .deleteFrom('one_use_tokens')
    .where('token_hash', '=', sha256(token))
    .where('kind', 'in', [kinds].flat())
    .where('expires_at', '>', now.toISOString())
    .returning(['user_id', 'kind'])
    .executeTakeFirst();

export async function deleteUserTokens(db: Database, userId: string): Promise<void> {
  await db.deleteFrom('one_use_tokens').where('user_id', '=', userId).execute();
}

export async function deleteExpiredTokens(db: Database, now: Date): Promise<void> {
  await db.deleteFrom('one_use_tokens').where('expires_at', '<=', now.toISOString()).execute();
}
