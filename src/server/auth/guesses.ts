// Guessing passwords is slow: a few tries for a name from one place, more for a place as a whole, and a name tried from
// everywhere is answered late rather than locked, so that nobody can lock a park out.
import { isIPv6 } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from '../db/schema.ts';
import { Refusal } from '../http/errors.ts';
import { countTry, forgetTries, readTries } from '../http/throttle.ts';

export type Guess = { username: string; ip: string };

const quarter = 15 * 60;
const hour = 60 * 60;
const pairLimit = 5;
const placeLimit = 100;
const freeFailures = 20;
const longestDelay = 30;

/** An IPv4 address, or the /64 network of an IPv6 one: what one household or park has. */
function placeOf(ip: string): string {
  if (!isIPv6(ip)) return ip;
  const [head = '', tail = ''] = ip.split('::');
  const groups = head.split(':').filter(Boolean);
  const rest = tail.split(':').filter(Boolean);
  while (ip.includes('::') && groups.length + rest.length < 8) groups.push('0');
  return [...groups, ...rest].slice(0, 4).join(':');
}

const keysOf = ({ username, ip }: Guess) => ({
  pair: `login ${username} ${placeOf(ip)}`,
  place: `login from ${placeOf(ip)}`,
  name: `login as ${username}`,
});

/** Lets one more try through; refuses with 429 once there were too many, and answers late when a name is tried from everywhere. */
export async function admitGuess(db: Database, guess: Guess, now: Date): Promise<void> {
  const keys = keysOf(guess);
  const pair = await readTries(db, keys.pair, now);
  const place = await readTries(db, keys.place, now);
  const name = await readTries(db, keys.name, now);
  const retryAfter = Math.max(
    pair.count >= pairLimit ? pair.retryAfter : 0,
    place.count >= placeLimit ? place.retryAfter : 0,
  );
  if (retryAfter > 0) {
    const minutes = Math.ceil(retryAfter / 60);
    throw new Refusal(429, `Too many tries. Please wait ${minutes} minute${minutes === 1 ? '' : 's'} and try again.`, {
      retryAfter,
    });
  }
  if (name.count > freeFailures) await wait(1000 * Math.min(longestDelay, 2 ** (name.count - freeFailures - 1)));
}

export async function countFailure(db: Database, guess: Guess, now: Date): Promise<void> {
  const keys = keysOf(guess);
  await countTry(db, keys.pair, quarter, now);
  await countTry(db, keys.place, quarter, now);
  await countTry(db, keys.name, hour, now);
}

export const forgetFailures = (db: Database, guess: Guess) => forgetTries(db, keysOf(guess).pair);
