// Tokens that are used once and expire, most after minutes. The database has only their hashes.
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../../db/schema.ts';
import { sha256 } from '../../hash.ts';

export type TokenKind =
  // The second factor is missing: the password was right.
  | 'second step'
  // The second factor is missing: the provider has signed the user in, perhaps without asking for the password.
  | 'provider second step'
  // The same, after the user entered the password at the provider.
  | 'fresh provider second step'
  // The same, to confirm who the user is.
  | 'provider confirm second step'
  // What a passkey signs when it is used, and when it is created.
  | 'passkey'
  | 'new passkey'
  // Sent by email to someone who has never signed in: they choose a password.
  | 'invitation'
  // Sent by email to an Admin, to show that emails arrive.
  | 'test email'
  // Why a browser was sent to the provider.
  | 'provider sign in'
  | 'provider link'
  | 'provider confirm';

export const invitationSeconds = 7 * 24 * 60 * 60;
export const testEmailSeconds = invitationSeconds;

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

/** Returns the user and kind of a token that was not used and has not expired. */
export const findOneUseToken = (db: Database, token: string, kinds: TokenKind[], now: Date) =>
  db
    .selectFrom('one_use_tokens')
    .select(['user_id', 'kind'])
    .where('token_hash', '=', sha256(token))
    .where('kind', 'in', kinds)
    .where('expires_at', '>', now.toISOString())
    .executeTakeFirst();

/** Uses up a token that has not expired. Returns its user and kind if this call did. */
export const consumeOneUseToken = (db: Database, token: string, kinds: TokenKind[], now: Date) =>
  db
    .deleteFrom('one_use_tokens')
    .where('token_hash', '=', sha256(token))
    .where('kind', 'in', kinds)
    .where('expires_at', '>', now.toISOString())
    .returning(['user_id', 'kind'])
    .executeTakeFirst();

/** Ends the invitation of a user: what it was sent for has changed. */
export async function deleteInvitations(db: Database, userId: string): Promise<void> {
  await db.deleteFrom('one_use_tokens').where('user_id', '=', userId).where('kind', '=', 'invitation').execute();
}

export async function deleteUserTokens(db: Database, userId: string): Promise<void> {
  await db.deleteFrom('one_use_tokens').where('user_id', '=', userId).execute();
}

export async function deleteExpiredTokens(db: Database, now: Date): Promise<void> {
  await db.deleteFrom('one_use_tokens').where('expires_at', '<=', now.toISOString()).execute();
}
