// The browsers in which reviewers have signed in, so that they are notified of a sign-in in another one.
import { randomBytes } from 'node:crypto';
import type { Database } from '../db/schema.ts';
import { sha256 } from '../hash.ts';

/** 400 days: browsers keep no cookie longer. */
export const browserCookieSeconds = 400 * 24 * 60 * 60;

/**
 * Stores that the user has signed in in the browser whose cookie has this token; a browser without one gets a
 * new token. Returns the token, and whether the user has signed in in other browsers but never in this one.
 */
export async function saveBrowser(db: Database, user_id: string, cookieToken: string | undefined, now: Date) {
  const token = cookieToken ?? randomBytes(32).toString('base64url');
  const oldest = new Date(now.getTime() - browserCookieSeconds * 1000).toISOString();
  await db.deleteFrom('browsers').where('user_id', '=', user_id).where('used_at', '<', oldest).execute();
  const rows = await db.selectFrom('browsers').select('token_hash').where('user_id', '=', user_id).execute();
  const used_at = now.toISOString();
  await db
    .insertInto('browsers')
    .values({ user_id, token_hash: sha256(token), used_at })
    .onConflict((conflict) => conflict.columns(['user_id', 'token_hash']).doUpdateSet({ used_at }))
    .execute();
  const isNew = rows.length > 0 && !rows.some(({ token_hash }) => token_hash === sha256(token));
  return { token, isNew };
}
