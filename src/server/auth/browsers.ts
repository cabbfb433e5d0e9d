// The browsers in which reviewers have signed in, so that they are told about a sign-in in another one.
import { randomBytes } from 'node:crypto';
import type { Database } from '../db/schema.ts';
import { sha256 } from '../hash.ts';

/** Browsers keep no cookie longer. */
const days = 400;
export const browserSeconds = days * 24 * 60 * 60;

/**
 * Notes a sign-in in the browser with this token, or in one without. Returns the token for its cookie, and
 * whether the user has signed in in other browsers but never in this one.
 */
export async function noteBrowser(db: Database, user_id: string, known: string | undefined, now: Date) {
  const token = known ?? randomBytes(32).toString('base64url');
  const oldest = new Date(now.getTime() - browserSeconds * 1000).toISOString();
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
