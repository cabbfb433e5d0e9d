// Guessing passwords is slow: a few tries for a name from one place, more for a place as a whole, and a name tried from
// everywhere is answered late rather than locked, so that nobody can lock a park out.
import type { Database } from '../db/schema.ts';
import { countAttempt, deleteAttempts, deleteAttemptsByPrefix, extendAttempts, getAttempts } from '../db/throttle.ts';
import { HttpError } from '../errors/http-error.ts';
import { sha256 } from '../hash.ts';
import { getClientNetwork } from './client-network.ts';

const quarterHour = 15 * 60;
const hour = 60 * 60;
const pairLimit = 5;
const networkLimit = 100;
const freeFailures = 20;
const maxDelay = 30;

/** What was typed as a name may be a password, and counts are in every backup: only its hash is kept. */
const createUsernameKeys = (username: string) => ({
  pairs: `sign-in-pair ${sha256(username)}`,
  name: `sign-in-name ${sha256(username)}`,
});

function createThrottleKeys(username: string, ip: string) {
  const { pairs, name } = createUsernameKeys(username);
  return { pair: `${pairs} ${getClientNetwork(ip)}`, network: `sign-in-place ${getClientNetwork(ip)}`, name };
}

/** One attempt: the database, where and when it was made, and what delays its reply. */
type SignInAttempt = { db: Database; ip: string; now: Date; delayResponse(ms: number): Promise<void> };

/**
 * Tries a password for a name, as names are compared. `wrong` and `locked` are failures, the latter the one too many that closes the
 * door for a while. Refuses with 429 while it is closed, and answers late when a name is tried from everywhere.
 */
export async function checkPasswordThrottled(
  { db, ip, now, delayResponse }: SignInAttempt,
  username: string,
  isRight: () => Promise<boolean>,
): Promise<'right' | 'wrong' | 'locked'> {
  const keys = createThrottleKeys(username, ip);
  await assertNotLockedOut(db, keys, now);
  const name = await getAttempts(db, keys.name, now);
  const delay = getDelaySeconds(name.count);
  if (delay > 0) await delayResponse(1000 * delay);
  // One after the other for each pair: many wrong ones at once are counted before the next is looked at, many right ones all pass.
  return runInOrder(keys.pair, async () => {
    await assertNotLockedOut(db, keys, now);
    if (await isRight()) {
      await deleteAttempts(db, keys.pair);
      return 'right';
    }
    await countAttempt(db, keys.network, quarterHour, now);
    await countAttempt(db, keys.name, hour, now);
    const { count } = await countAttempt(db, keys.pair, quarterHour, now);
    if (count < pairLimit) return 'wrong';
    await extendAttempts(db, keys.pair, quarterHour, now);
    return 'locked';
  });
}

type ThrottleKeys = ReturnType<typeof createThrottleKeys>;

async function assertNotLockedOut(db: Database, keys: ThrottleKeys, now: Date): Promise<void> {
  const pair = await getAttempts(db, keys.pair, now);
  const network = await getAttempts(db, keys.network, now);
  const retryAfter = Math.max(
    pair.count >= pairLimit ? pair.retryAfter : 0,
    network.count >= networkLimit ? network.retryAfter : 0,
  );
  if (retryAfter === 0) return;
  const minutes = Math.ceil(retryAfter / 60);
  throw new HttpError(
    429,
    `Too many failed attempts. Wait ${minutes} minute${minutes === 1 ? '' : 's'} and try again.`,
    {
      retryAfter,
    },
  );
}

/** Seconds to wait before one more try of a name that failed so often within the hour. */
export const getDelaySeconds = (failures: number) =>
  failures < freeFailures ? 0 : Math.min(maxDelay, 2 ** (failures - freeFailures));

/** With a new password the old failures are over, wherever they came from. */
export async function deleteFailures(db: Database, username: string): Promise<void> {
  const { pairs, name } = createUsernameKeys(username);
  await deleteAttemptsByPrefix(db, pairs);
  await deleteAttempts(db, name);
}

const turns = new Map<string, Promise<unknown>>();

async function runInOrder<T>(key: string, work: () => Promise<T>): Promise<T> {
  const mine = (turns.get(key) ?? Promise.resolve()).then(work, work);
  turns.set(key, mine);
  try {
    return await mine;
  } finally {
    if (turns.get(key) === mine) turns.delete(key);
  }
}
