// Many networks guess the passwords of a park's users while these sign in: for 30 minutes of a simulated clock.
import { setImmediate as immediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { startTestServer } from '../../testing/server.ts';
import { findBrowserOf, saveBrowser } from '../session/browsers.ts';
import { checkPasswordThrottled } from './sign-in-throttle.ts';

const users = Array.from({ length: 40 }, (_, i) => `lifeguard.${i}`);
/** Ten of them guess every second, each time for another user; and the park's own network, which its guests share. */
const networks = Array.from({ length: 1000 }, (_, i) => `198.18.${i >> 8}.${i & 255}`);
const guessesPerSecond = 10;
const parkNetwork = '203.0.113.7';
const seconds = 30 * 60;

test('while 1,000 networks and the one of the park guess passwords, users sign in with known browsers', async () => {
  // On SQLite only, which takes a fifth of the time: sign-in-throttle.test.ts tests the counters on both databases.
  const { db, config, stop } = await startTestServer('sqlite');
  // Some 8,000 guesses are stored, which need not survive a power cut.
  await sql`pragma synchronous = off`.execute(db);
  const start = Date.parse('2026-07-04T08:00:00Z');
  let now = start;
  const tokens = new Map<string, string>();
  for (const user of users) tokens.set(user, (await saveBrowser(db, user, undefined, new Date(now))).token);

  const checkedGuesses = new Map<string, number>();
  let underWay = 0;
  let sleeping: { until: number; wake: () => void }[] = [];
  const guess = async (username: string, ip: string) => {
    underWay += 1;
    await checkPasswordThrottled(
      {
        ...{ db, config, ip, now: new Date(now) },
        delayResponse: (ms) => new Promise((wake) => sleeping.push({ until: now + ms, wake })),
      },
      {
        ...{ username, password: 'a guess', known: undefined, onLastOfDay: async () => {} },
        async checkPassword() {
          checkedGuesses.set(username, (checkedGuesses.get(username) ?? 0) + 1);
          return false;
        },
      },
    ).catch(() => {});
    underWay -= 1;
  };
  const wakeUntilNow = () => {
    for (const { until, wake } of sleeping) if (until <= now) wake();
    sleeping = sleeping.filter(({ until }) => until > now);
  };
  /** Signs in with a known browser in the park. Returns the simulated milliseconds that it took. */
  const signIn = async (username: string) => {
    let waitedMs = 0;
    const browser = await findBrowserOf(db, username, tokens.get(username) ?? '', new Date(now));
    const result = await checkPasswordThrottled(
      {
        ...{ db, config, ip: parkNetwork, now: new Date(now) },
        async delayResponse(ms) {
          waitedMs += ms;
        },
      },
      {
        ...{ username, password: 'the right one', onLastOfDay: async () => {} },
        known: browser ? { userId: username, browser } : undefined,
        checkPassword: async () => true,
      },
    );
    return { result, waitedMs };
  };

  let at = 0;
  for (let second = 0; second < seconds; second++) {
    now = start + second * 1000;
    wakeUntilNow();
    const guesses = Array.from({ length: guessesPerSecond }, () => {
      at += 1;
      const user = (at + Math.floor(at / networks.length)) % users.length;
      return guess(users[user] ?? '', networks[at % networks.length] ?? '');
    });
    guesses.push(guess(users[second % users.length] ?? '', parkNetwork));
    // Each user signs in every minute.
    if (second % 3 < 2) {
      const { result, waitedMs } = await signIn(users[(second - Math.floor(second / 3)) % users.length] ?? '');
      expect(result).toBe('right');
      expect(waitedMs).toBeLessThanOrEqual(2000);
    }
    // Those that are not done wait for their turn or two seconds.
    while (underWay > sleeping.length * 5) await immediate();
  }
  for (; underWay > 0; now += 2000) {
    wakeUntilNow();
    await immediate();
  }
  expect([...checkedGuesses.keys()].toSorted()).toEqual(users.toSorted());
  for (const count of checkedGuesses.values()) expect(count).toBe(200);
  await stop();
}, 240_000);
