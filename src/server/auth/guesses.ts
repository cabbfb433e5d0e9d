// Guessing passwords is slow: a few tries for a name from one place, more for a place as a whole, and a name tried from
// everywhere is answered late rather than locked, so that nobody can lock a park out.
import type { Database } from '../db/schema.ts';
import { countAttempt, deleteAttempts, deleteAttemptsByPrefix, extendAttempts, getAttempts } from '../db/throttle.ts';
import { HttpError } from '../errors/http-error.ts';
import { sha256 } from '../hash.ts';
import { placeOf } from '../http/place.ts';

const quarter = 15 * 60;
const hour = 60 * 60;
const pairLimit = 5;
const placeLimit = 100;
const freeFailures = 20;
const longestDelay = 30;

/** What was typed as a name may be a password, and counts are in every backup: only its hash is kept. */
const keysOfName = (username: string) => ({
  pairs: `sign-in-pair ${sha256(username)}`,
  name: `sign-in-name ${sha256(username)}`,
});

function keysOf(username: string, ip: string) {
  const { pairs, name } = keysOfName(username);
  return { pair: `${pairs} ${placeOf(ip)}`, place: `sign-in-place ${placeOf(ip)}`, name };
}

/** One attempt: the database, where and when it was made, and what delays its reply. */
type SignInAttempt = { db: Database; ip: string; now: Date; holdUp(ms: number): Promise<void> };

/**
 * Tries a password for a name, as names are compared. `wrong` and `locked` are failures, the latter the one too many that closes the
 * door for a while. Refuses with 429 while it is closed, and answers late when a name is tried from everywhere.
 */
export async function tryPassword(
  { db, ip, now, holdUp }: SignInAttempt,
  username: string,
  isRight: () => Promise<boolean>,
): Promise<'right' | 'wrong' | 'locked'> {
  const keys = keysOf(username, ip);
  await refuseTooMany(db, keys, now);
  const name = await getAttempts(db, keys.name, now);
  const delay = delayAfter(name.count);
  if (delay > 0) await holdUp(1000 * delay);
  // One after the other for each pair: many wrong ones at once are counted before the next is looked at, many right ones all pass.
  return inTurn(keys.pair, async () => {
    await refuseTooMany(db, keys, now);
    if (await isRight()) {
      await deleteAttempts(db, keys.pair);
      return 'right';
    }
    await countAttempt(db, keys.place, quarter, now);
    await countAttempt(db, keys.name, hour, now);
    const { count } = await countAttempt(db, keys.pair, quarter, now);
    if (count < pairLimit) return 'wrong';
    await extendAttempts(db, keys.pair, quarter, now);
    return 'locked';
  });
}

type Keys = ReturnType<typeof keysOf>;

async function refuseTooMany(db: Database, keys: Keys, now: Date): Promise<void> {
  const pair = await getAttempts(db, keys.pair, now);
  const place = await getAttempts(db, keys.place, now);
  const retryAfter = Math.max(
    pair.count >= pairLimit ? pair.retryAfter : 0,
    place.count >= placeLimit ? place.retryAfter : 0,
  );
  if (retryAfter === 0) return;
  const minutes = Math.ceil(retryAfter / 60);
  throw new HttpError(429, `Too many tries. Please wait ${minutes} minute${minutes === 1 ? '' : 's'} and try again.`, {
    retryAfter,
  });
}

/** Seconds to wait before one more try of a name that failed so often within the hour. */
export const delayAfter = (failures: number) =>
  failures < freeFailures ? 0 : Math.min(longestDelay, 2 ** (failures - freeFailures));

/** With a new password the old failures are over, wherever they came from. */
export async function forgetFailures(db: Database, username: string): Promise<void> {
  const { pairs, name } = keysOfName(username);
  await deleteAttemptsByPrefix(db, pairs);
  await deleteAttempts(db, name);
}

const turns = new Map<string, Promise<unknown>>();

async function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
  const mine = (turns.get(key) ?? Promise.resolve()).then(work, work);
  turns.set(key, mine);
  try {
    return await mine;
  } finally {
    if (turns.get(key) === mine) turns.delete(key);
  }
}
