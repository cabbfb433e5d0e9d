// Slows down password guessing: few attempts per username and network, more per network. A username
// attacked from many networks is delayed, not locked, so that nobody can lock out a park.
import { pluralise } from '#shared/pluralise.ts';
import type { Database } from '../db/schema.ts';
import { countAttempt, deleteAttempts, deleteAttemptsByPrefix, extendAttempts, getAttempts } from '../db/throttle.ts';
import { HttpError } from '../errors/http-error.ts';
import { sha256 } from '../hash.ts';
import { getClientNetwork } from './client-network.ts';

const quarterHourSeconds = 15 * 60;
const hourSeconds = 60 * 60;
const pairLimit = 5;
const networkLimit = 100;
const failuresWithoutDelay = 20;
const maxDelaySeconds = 30;

/**
 * Keys of the counters. They contain hashes, because users sometimes type their password as
 * username and every backup contains the counters.
 */
const createUsernameKeys = (username: string) => ({
  pairs: `sign-in-pair ${sha256(username)}`,
  name: `sign-in-name ${sha256(username)}`,
});

function createThrottleKeys(username: string, ip: string) {
  const { pairs, name } = createUsernameKeys(username);
  return { pair: `${pairs} ${getClientNetwork(ip)}`, network: `sign-in-place ${getClientNetwork(ip)}`, name };
}

/** One sign-in attempt. `delayResponse` waits without counting as a timeout. */
type SignInAttempt = { db: Database; ip: string; now: Date; delayResponse(ms: number): Promise<void> };

/**
 * Checks a password with throttling. Returns `locked` for the failure that starts a lockout. Throws
 * 429 during a lockout. Delays the response if the username is attacked from many networks.
 */
export async function checkPasswordThrottled(
  { db, ip, now, delayResponse }: SignInAttempt,
  username: string,
  checkPassword: () => Promise<boolean>,
): Promise<'right' | 'wrong' | 'locked'> {
  const keys = createThrottleKeys(username, ip);
  await assertNotLockedOut(db, keys, now);
  const name = await getAttempts(db, keys.name, now);
  const delaySeconds = getDelaySeconds(name.count);
  if (delaySeconds > 0) await delayResponse(1000 * delaySeconds);
  // One attempt at a time per username and network, so that each failure is counted before the next
  // password is checked. Simultaneous correct attempts all succeed.
  return runInOrder(keys.pair, async () => {
    await assertNotLockedOut(db, keys, now);
    if (await checkPassword()) {
      await deleteAttempts(db, keys.pair);
      return 'right';
    }
    await countAttempt(db, keys.network, quarterHourSeconds, now);
    await countAttempt(db, keys.name, hourSeconds, now);
    const { count } = await countAttempt(db, keys.pair, quarterHourSeconds, now);
    if (count < pairLimit) return 'wrong';
    await extendAttempts(db, keys.pair, quarterHourSeconds, now);
    return 'locked';
  });
}

type ThrottleKeys = ReturnType<typeof createThrottleKeys>;

async function assertNotLockedOut(db: Database, keys: ThrottleKeys, now: Date): Promise<void> {
  const pairAttempts = await getAttempts(db, keys.pair, now);
  const networkAttempts = await getAttempts(db, keys.network, now);
  const retryAfter = Math.max(
    pairAttempts.count >= pairLimit ? pairAttempts.retryAfter : 0,
    networkAttempts.count >= networkLimit ? networkAttempts.retryAfter : 0,
  );
  if (retryAfter === 0) return;
  const minutes = Math.ceil(retryAfter / 60);
  throw new HttpError(429, `Too many failed attempts. Wait ${pluralise(minutes, 'minute')} and try again.`, {
    retryAfter,
  });
}

/** Seconds to wait before the next attempt, by the number of failures in the last hour. */
export const getDelaySeconds = (failures: number) =>
  failures < failuresWithoutDelay ? 0 : Math.min(maxDelaySeconds, 2 ** (failures - failuresWithoutDelay));

/** Deletes the failures counted for a username (as `getUsernameKey` writes it), after a new password was set. */
export async function deleteFailures(db: Database, username: string): Promise<void> {
  const { pairs, name } = createUsernameKeys(username);
  await deleteAttemptsByPrefix(db, pairs);
  await deleteAttempts(db, name);
}

const turns = new Map<string, Promise<unknown>>();

async function runInOrder<T>(key: string, work: () => Promise<T>): Promise<T> {
  const currentTurn = (turns.get(key) ?? Promise.resolve()).then(work, work);
  turns.set(key, currentTurn);
  try {
    return await currentTurn;
  } finally {
    if (turns.get(key) === currentTurn) turns.delete(key);
  }
}
