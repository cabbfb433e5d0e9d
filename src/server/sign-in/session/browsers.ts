// The browsers in which users have signed in: guessing elsewhere does not stop them, and reviewers are notified of a
// sign-in in another one.
import { randomBytes } from 'node:crypto';
import type { Database } from '../../db/schema.ts';
import { sha256 } from '../../hash.ts';

/** 400 days: browsers keep no cookie longer. */
export const browserCookieSeconds = 400 * 24 * 60 * 60;

const maxBrowsersPerUser = 10;

const getOldest = (now: Date) => new Date(now.getTime() - browserCookieSeconds * 1000).toISOString();

/**
 * Stores that the user has signed in in the browser whose cookie has this token; a browser without one gets a
 * new token. Deletes the user's oldest browsers beyond ten. Returns the token, and whether the user has signed in in
 * other browsers but never in this one.
 */
export async function saveBrowser(db: Database, user_id: string, cookieToken: string | undefined, now: Date) {
  const token = cookieToken ?? randomBytes(32).toString('base64url');
  const token_hash = sha256(token);
  await db.deleteFrom('browsers').where('user_id', '=', user_id).where('used_at', '<', getOldest(now)).execute();
  const rows = await db
    .selectFrom('browsers')
    .select('token_hash')
    .where('user_id', '=', user_id)
    .orderBy('used_at', 'desc')
    .orderBy('token_hash')
    .execute();
  const others = rows.map((row) => row.token_hash).filter((hash) => hash !== token_hash);
  const surplus = others.slice(maxBrowsersPerUser - 1);
  if (surplus.length > 0)
    await db.deleteFrom('browsers').where('user_id', '=', user_id).where('token_hash', 'in', surplus).execute();
  const used_at = now.toISOString();
  await db
    .insertInto('browsers')
    .values({ user_id, token_hash, used_at })
    .onConflict((conflict) => conflict.columns(['user_id', 'token_hash']).doUpdateSet({ used_at }))
    .execute();
  return { token, isNew: rows.length > 0 && others.length === rows.length };
}

const selectBrowser = (db: Database, cookieToken: string, now: Date) =>
  db
    .selectFrom('browsers')
    .select('token_hash')
    .where('token_hash', '=', sha256(cookieToken))
    .where('used_at', '>=', getOldest(now));

/** Returns the hash of the cookie's token if any user has signed in in that browser. */
export const findBrowser = async (db: Database, cookieToken: string, now: Date): Promise<string | undefined> =>
  (await selectBrowser(db, cookieToken, now).executeTakeFirst())?.token_hash;

/** Returns the hash of the cookie's token if this user has signed in in that browser. */
export const findBrowserOf = async (
  db: Database,
  userId: string,
  cookieToken: string,
  now: Date,
): Promise<string | undefined> =>
  (await selectBrowser(db, cookieToken, now).where('user_id', '=', userId).executeTakeFirst())?.token_hash;
