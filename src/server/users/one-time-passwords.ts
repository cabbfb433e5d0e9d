// A one-time password signs its user in once. In that session they choose a password of their own.
import type { Database } from '../db/schema.ts';
import { HttpError } from '../errors/http-error.ts';
import { sha256 } from '../hash.ts';
import { deleteSessionsBegunAt } from '../sign-in/session/session.ts';
import { findUser, type UserRow } from './store.ts';

/** A page whose sign-in had no response may repeat it for so long. */
const repeatMs = 10 * 60_000;

type Attempt = { key: string | undefined; now: Date };

const hashKey = (key: string | undefined) => (key ? sha256(key) : '');

/**
 * Throws 401 if the password is a one-time password that has signed its user in, unless this is the same attempt: its
 * response may have been lost.
 */
export function assertNotUsed(user: UserRow, { key, now }: Attempt): void {
  if (user.must_change_password === 0 || user.one_time_used_at === null) return;
  const isRepeated =
    user.one_time_attempt !== '' &&
    user.one_time_attempt === hashKey(key) &&
    Math.abs(now.getTime() - Date.parse(user.one_time_used_at)) < repeatMs;
  if (isRepeated) return;
  throw new HttpError(401, 'This one-time password was used before. Ask the person who set it for a new one.', {
    code: 'ONE_TIME_PASSWORD_USED',
  });
}

/**
 * Uses up the one-time password with which a session begins. Ends the session of an earlier attempt, whose response
 * was lost. Throws 401 if it was used up before.
 */
export async function consumeOneTimePassword(db: Database, userId: string, attempt: Attempt): Promise<void> {
  const user = await findUser(db, userId);
  if (user?.must_change_password !== 1) return;
  assertNotUsed(user, attempt);
  if (user.one_time_used_at) await deleteSessionsBegunAt(db, userId, user.one_time_used_at);
  await db
    .updateTable('users')
    .set({ one_time_used_at: attempt.now.toISOString(), one_time_attempt: hashKey(attempt.key) })
    .where('id', '=', userId)
    .execute();
}
