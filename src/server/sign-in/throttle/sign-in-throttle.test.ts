import { setImmediate as immediate } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import type { Config } from '../../config.ts';
import { jsonPost, readCookies } from '../../testing/requests.ts';
import { engines, password, startTestServer, type TestClient, type TestServer } from '../../testing/server.ts';
import { createTestServer } from '../../testing/test-server.ts';
import { updatePassword } from '../../users/store.ts';
import { hashPassword } from '../session/passwords.ts';
import { checkPasswordThrottled } from './sign-in-throttle.ts';

describe.each(engines)('the sign-in throttle on %s', (engine) => {
  let now = Date.parse('2026-03-10T09:00:00Z');
  const { server } = createTestServer(engine, { TRUST_PROXY: '127.0.0.1' }, () => now);

  /** Signs in from an IP address, as a trusted proxy passes it on. */
  const login = async (username: string, secret: string, ip = '198.51.100.1', at: TestServer = server, cookie = '') => {
    const headers = { 'x-forwarded-for': ip, ...(cookie && { cookie }) };
    const response = await fetch(`${at.url}/api/login`, jsonPost({ username, password: secret }, headers));
    const { hs_browser } = readCookies(response);
    return {
      status: response.status,
      retryAfter: Number(response.headers.get('retry-after')),
      /** The cookie of the browser. */
      browser: hs_browser ? `hs_browser=${hs_browser}` : '',
      ...((await response.json()) as { message?: string }),
    };
  };
  const fail = async (times: number, username: string, ip?: string) => {
    for (let i = 0; i < times; i++) expect((await login(username, 'wrong', ip)).status).toBe(401);
  };

  test('signing in with an unknown name, a wrong password or as a deleted user gets the same response', async () => {
    const { username } = await server.as('None');
    const deletedUser = await server.as('None');
    const admin = await server.as('Admin');
    await admin(api.deleteUser, { params: { id: deletedUser.id } });
    const answers = [
      await login(username, 'wrong', '198.51.100.9'),
      await login('nobody.here', 'wrong', '198.51.100.9'),
      await login(deletedUser.username, password, '198.51.100.9'),
    ];
    for (const answer of answers)
      expect(answer).toMatchObject({ status: 401, message: 'Invalid username or password', code: 'NOT_SIGNED_IN' });
  });

  test('after five failed sign-ins for a username, its network must wait 15 minutes, even after a restart', async () => {
    const { username } = await server.as('None');
    await fail(4, username);
    now += 14 * 60_000;
    await fail(1, username.toUpperCase());
    const lockedResponse = await login(username, password);
    expect(lockedResponse).toMatchObject({ status: 429, retryAfter: 900 });
    expect(lockedResponse.message).toBe('Too many failed attempts. Wait 15 minutes and try again.');
    await server.restart();
    now += 899_000;
    expect(await login(username, password)).toMatchObject({ status: 429, retryAfter: 1 });
    expect((await login(username, password, '198.51.100.77')).status).toBe(200);
    now += 1000;
    expect((await login(username, password)).status).toBe(200);
  });

  test('a correct password resets the count of failed sign-ins', async () => {
    const { username } = await server.as('None');
    await fail(4, username);
    expect((await login(username, password)).status).toBe(200);
    await fail(4, username);
    expect((await login(username, password)).status).toBe(200);
  });

  test('only five of forty simultaneous wrong sign-in attempts are checked', async () => {
    const { username } = await server.as('None');
    const answers = await Promise.all(Array.from({ length: 40 }, (_, i) => login(username, `wrong ${i}`)));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(35);
  });

  test('sign-in attempts for one username are checked one at a time', async () => {
    let checkCount = 0;
    let maxConcurrentChecks = 0;
    const checkPassword = async () => {
      checkCount += 1;
      maxConcurrentChecks = Math.max(maxConcurrentChecks, checkCount);
      // During this query other attempts would get here if they were checked at the same time.
      await server.db.selectFrom('users').selectAll().execute();
      await immediate();
      checkCount -= 1;
      return false;
    };
    const context = {
      db: server.db,
      config: server.config,
      ip: '198.51.100.2',
      now: new Date(now),
      delayResponse: async () => {},
    };
    const signIn = {
      ...{ username: 'many.at.once', password: '', known: undefined },
      ...{ checkPassword, onLastOfDay: async () => {} },
    };
    const attempts = Array.from({ length: 5 }, () => checkPasswordThrottled(context, signIn));
    await Promise.all(attempts);
    expect(maxConcurrentChecks).toBe(1);
  });

  test('forty correct sign-in attempts at once all succeed', async () => {
    const { username } = await server.as('None');
    const answers = await Promise.all(Array.from({ length: 40 }, () => login(username, password)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 40 }, () => 200));
  });

  test('a network is limited to a hundred failed sign-ins in 15 minutes, whatever the usernames', async () => {
    const { username } = await server.as('None');
    for (let i = 0; i < 20; i++) await fail(5, `name.${i}`, '198.51.100.50');
    expect(await login(username, password, '198.51.100.50')).toMatchObject({ status: 429 });
    expect((await login(username, password, '198.51.100.51')).status).toBe(200);
    now += 15 * 60_000;
    expect((await login(username, password, '198.51.100.50')).status).toBe(200);
  });

  const hourCounters = 'sign-in-name %';
  const dayCounters = 'sign-in-day %';
  /** Sets the counters of this kind that have begun. */
  const setCounters = (kind: string, count: number, at: TestServer = server) =>
    at.db.updateTable('throttles').set({ count }).where('key', 'like', kind).execute();

  test('the two seconds of a slow sign-in do not count towards the request timeout', async () => {
    await using slowServer = await startTestServer(engine, { ANSWER_SECONDS: '1' });
    const { username } = await slowServer.as('None');
    expect((await login(username, 'wrong', '', slowServer)).status).toBe(401);
    await setCounters(hourCounters, 20, slowServer);
    const startedAt = performance.now();
    expect((await login(username, password, '', slowServer)).status).toBe(200);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(1990);
  });

  test('of ten simultaneous sign-ins with a username guessed from many networks, one is checked and four wait', async () => {
    await fail(1, 'slow.one', '192.0.2.1');
    await setCounters(hourCounters, 20);
    let checked = 0;
    let refused = 0;
    const delays: { ms: number; end: () => void }[] = [];
    const attempts = Array.from({ length: 10 }, (_, i) =>
      checkPasswordThrottled(
        {
          ...{ db: server.db, config: server.config, ip: `192.0.2.${i + 2}`, now: new Date(now) },
          delayResponse: (ms) => new Promise((resolve) => delays.push({ ms, end: resolve })),
        },
        {
          ...{ username: 'slow.one', password: '', known: undefined, onLastOfDay: async () => {} },
          async checkPassword() {
            checked += 1;
            return false;
          },
        },
      ).catch((error: Error) => {
        refused += 1;
        return error.message;
      }),
    );
    await expect.poll(() => refused).toBe(5);
    for (let turn = 1; turn <= 5; turn++) {
      await expect.poll(() => [checked, delays.length]).toEqual([turn, turn]);
      expect(delays[turn - 1]?.ms).toBe(2000);
      delays[turn - 1]?.end();
    }
    const results = await Promise.all(attempts);
    expect(results.filter((result) => result === 'wrong')).toHaveLength(5);
    expect(results.filter((result) => result !== 'wrong')).toEqual(
      Array.from({ length: 5 }, () => 'Too many failed attempts. Wait 10 seconds and try again.'),
    );
  });

  describe('after 200 wrong passwords from many networks in a day', () => {
    let person: TestClient;
    let browser: string;
    const waysOut =
      'Too many wrong passwords were entered for this username today. Sign in on a device that you have used before, with a passkey, or with a one-time password that a manager or an Admin sets.';
    const guessedOut = { status: 429, code: 'GUESSED_TODAY', message: waysOut };
    beforeAll(async () => {
      person = await server.as('None');
      ({ browser } = await login(person.username, password));
      now += 60_000;
      await fail(1, person.username, '192.0.2.1');
      await fail(1, 'nobody.at.all', '192.0.2.1');
      await setCounters(dayCounters, 199);
      await fail(1, person.username, '192.0.2.2');
      await fail(1, 'nobody.at.all', '192.0.2.2');
    });

    test('other browsers get the ways to sign in, also for a username that does not exist', async () => {
      expect(await login(person.username, password, '192.0.2.3')).toMatchObject(guessedOut);
      expect(await login('nobody.at.all', password, '192.0.2.3')).toMatchObject(guessedOut);
    });

    test('a browser in which the user has signed in, and no other browser, signs in at once', async () => {
      const other = await server.as('None');
      const { browser: otherBrowser } = await login(other.username, password);
      expect(await login(person.username, password, '192.0.2.3', server, otherBrowser)).toMatchObject(guessedOut);
      expect((await login(person.username, password, '192.0.2.3', server, browser)).status).toBe(200);
    });

    test('the user, and all other Admins without the name, are notified once', async () => {
      const admins = [await server.as('Admin'), await server.as('Admin', 'Lido Beach')];
      const target = await server.as('Admin');
      await fail(1, target.username, '192.0.2.4');
      await setCounters(dayCounters, 199);
      await fail(1, target.username, '192.0.2.5');
      expect((await login(target.username, 'wrong', '192.0.2.6')).status).toBe(429);
      const listTexts = async (client: TestClient) => (await client(api.listNotifications)).map(({ text }) => text);
      expect(await listTexts(target)).toEqual([expect.stringMatching(/^Someone entered 200 wrong passwords for your/)]);
      for (const admin of admins)
        expect(await listTexts(admin)).toEqual([
          'Someone entered 200 wrong passwords for the username of one or more users today',
        ]);
      const [entry] = await target(api.listActivity, { query: { thing: 'session', limit: 2 } });
      expect(entry).toMatchObject({ label: target.username, action: 'failed to sign in' });
    });

    test('a one-time password is checked, and setting one clears the counters', async () => {
      const admin = await server.as('Admin');
      const guess = 'abcd-efgh-ijkl-mnop';
      expect((await login(person.username, guess, '192.0.2.7')).status).toBe(401);
      expect((await login('nobody.at.all', guess, '192.0.2.7')).status).toBe(401);
      // Only users who have one are asked for it: an own password of that form is not guessed either.
      await updatePassword(server.db, person.id, await hashPassword(guess), false);
      expect((await login(person.username, guess, '192.0.2.8')).status).toBe(401);
      const { password: oneTime } = await admin(api.resetPassword, { body: { id: person.id } });
      expect((await login(person.username, 'wrong', '192.0.2.9')).status).toBe(401);
      await setCounters(dayCounters, 200);
      expect((await login(person.username, 'wrong', '192.0.2.10')).status).toBe(429);
      const typed = oneTime.replaceAll('-', '').toUpperCase();
      expect((await login(person.username, typed, '192.0.2.10')).status).toBe(200);
    });

    test('the next day passwords are checked again', async () => {
      now += 24 * 60 * 60_000;
      expect((await login(person.username, 'wrong', '192.0.2.3')).status).toBe(401);
    });
  });

  test('the message after too many wrong passwords names a passkey and the company account if there are any', async () => {
    const context = {
      ...{ db: server.db, ip: '192.0.2.1', now: new Date(now), delayResponse: async () => {} },
      config: { passkeyHost: 'reports.example.com', provider: { label: 'Example' } } as Config,
    };
    const check = () =>
      checkPasswordThrottled(context, {
        ...{ username: 'ways', password: '', known: undefined },
        ...{ checkPassword: async () => false, onLastOfDay: async () => {} },
      });
    await check();
    await setCounters(dayCounters, 200);
    await expect(check()).rejects.toThrow(
      'before, with a passkey, with Example, or with a one-time password that a manager or an Admin sets.',
    );
  });

  test('a known browser has counters of its own: 10 wrong passwords in 15 minutes, and 50 a day', async () => {
    const { username } = await server.as('None');
    const { browser } = await login(username, password);
    const at = (secret: string) => login(username, secret, '198.51.100.60', server, browser);
    for (let round = 0; round < 5; round++) {
      for (let i = 0; i < 10; i++) expect((await at('wrong')).status).toBe(401);
      expect(await at(password)).toMatchObject({ status: 429 });
      now += 15 * 60_000;
    }
    expect(await at(password)).toMatchObject({
      status: 429,
      message: 'Too many failed attempts. Wait 23 hours and try again.',
    });
    // None of these counted for other browsers of this network.
    expect((await login(username, password, '198.51.100.60')).status).toBe(200);
    now += 23 * 60 * 60_000;
    expect((await at(password)).status).toBe(200);
  });

  test('a right password in a known browser ends its count', async () => {
    const { username } = await server.as('None');
    const { browser } = await login(username, password);
    const at = (secret: string) => login(username, secret, '198.51.100.61', server, browser);
    for (let round = 0; round < 3; round++) {
      for (let i = 0; i < 9; i++) expect((await at('wrong')).status).toBe(401);
      expect((await at(password)).status).toBe(200);
    }
  });

  test('locked networks do not stop known browsers', async () => {
    const { username } = await server.as('None');
    const ip = '198.51.100.62';
    const { browser } = await login(username, password, ip);
    await fail(5, username, ip);
    for (let i = 0; i < 19; i++) await fail(5, `guest.${i}`, ip);
    expect((await login(username, password, ip)).status).toBe(429);
    expect((await login(username, password, ip, server, browser)).status).toBe(200);
  });

  test.each<[string, (client: TestClient, secret: string) => Promise<unknown>]>([
    ['Confirm', (client, currentPassword) => client(api.confirmIdentity, { body: { currentPassword } })],
    [
      'Change Password',
      (client, currentPassword) =>
        client(api.changePassword, { body: { currentPassword, newPassword: 'staple battery 9' } }),
    ],
    ['End Sessions', (client, currentPassword) => client(api.endSessions, { body: { currentPassword } })],
    ['a PIN', (client, currentPassword) => client(api.setPin, { body: { pin: '274916', currentPassword } })],
  ])(
    'wrong passwords of %s are counted in their session: five in 15 minutes, and no sign-in is stopped',
    async (_, send) => {
      const first = await server.as('None');
      const second = await server.createSession(first.id, first.username);
      for (let i = 0; i < 5; i++) await expect(send(first, 'wrong')).rejects.toMatchObject({ status: 400 });
      await expect(send(first, password)).rejects.toMatchObject({ status: 429 });
      expect((await login(first.username, password, '127.0.0.1')).status).toBe(200);
      await send(second, password);
    },
  );

  test('requests of one network do not stop the sign-in in a browser in which someone has signed in', async () => {
    await using limitedServer = await startTestServer(engine, { RATE_PER_ADDRESS: '20', RATE_SCALE: '1' });
    const { username } = await limitedServer.as('None');
    const { browser } = await login(username, password, '', limitedServer);
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async () => (await login('nobody', 'wrong', '', limitedServer)).status),
    );
    expect(statuses).toContain(429);
    expect((await login(username, password, '', limitedServer)).message).toMatch(/^Too many requests/);
    expect((await login(username, password, '', limitedServer, browser)).status).toBe(200);
  });

  test('a new password set by an Admin ends the lockout', async () => {
    const person = await server.as('None');
    const admin = await server.as('Admin');
    await fail(5, person.username);
    const { password: oneTimePassword } = await admin(api.resetPassword, { body: { id: person.id } });
    expect((await login(person.username, oneTimePassword)).status).toBe(200);
  });

  test('X-Forwarded-For of untrusted proxies is ignored', async () => {
    await using freshServer = await startTestServer(engine);
    for (let i = 0; i < 5; i++) expect((await login('admin', 'wrong', `192.0.2.${i}`, freshServer)).status).toBe(401);
    expect((await login('admin', 'wrong', '192.0.2.99', freshServer)).status).toBe(429);
  });

  test('failed sign-ins are logged without unknown usernames', async () => {
    const admin = await server.as('Admin');
    const { username, id } = await server.as('None');
    await fail(5, username);
    await login('my secret typed as a name', 'wrong');
    const log = await admin(api.listActivity, { query: { thing: 'session', limit: 6 } });
    expect(log.map(({ action, label }) => [action, label])).toEqual([
      ['failed to sign in', ''],
      ['failed to sign in too often', username],
      ...Array.from({ length: 4 }, () => ['failed to sign in', username]),
    ]);
    expect(log[1]?.thing_id).toBe(id);
  });

  test('the counters of failed sign-ins do not contain typed usernames', async () => {
    await fail(3, 'My Secret Typed As A Name', '198.51.100.120');
    const storedCounters = JSON.stringify(await server.db.selectFrom('throttles').selectAll().execute());
    expect(storedCounters).toContain('198.51.100.120');
    expect(storedCounters.toLowerCase()).not.toContain('my secret');
  });

  test.each(['a\u0000b', 'a\ud800', 'a\u0007b'])(
    'a username that cannot be stored is rejected (%j)',
    async (username) => {
      expect((await login(username, 'x', '198.51.100.200')).status).toBe(400);
    },
  );
});
