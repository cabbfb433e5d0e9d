import { setImmediate as immediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { createClock } from '../clock.ts';
import { engines, password, startTestServer, type TestServer } from '../testing/server.ts';
import { checkPasswordThrottled, getDelaySeconds } from './sign-in-throttle.ts';

describe.each(engines)('the sign-in throttle on %s', (engine) => {
  let server: TestServer;
  let now = Date.parse('2026-03-10T09:00:00Z');
  beforeAll(async () => {
    server = await startTestServer(
      engine,
      { TRUST_PROXY: '127.0.0.1' },
      createClock(() => now),
    );
  });
  afterAll(() => server.stop());

  /** Signs in from an IP address, as a trusted proxy passes it on. */
  const login = async (username: string, secret: string, ip = '198.51.100.1', at = server) => {
    const response = await fetch(`${at.url}/api/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': ip },
      body: JSON.stringify({ username, password: secret }),
    });
    return {
      status: response.status,
      retryAfter: Number(response.headers.get('retry-after')),
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
    const attempt = { db: server.db, ip: '198.51.100.2', now: new Date(now), delayResponse: async () => {} };
    const attempts = Array.from({ length: 5 }, () => checkPasswordThrottled(attempt, 'many.at.once', checkPassword));
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

  test('sign-ins for a username attacked from many networks are delayed but never locked out', async () => {
    const { username } = await server.as('None');
    for (let i = 0; i < 20; i++) await fail(1, username, `192.0.2.${i}`);
    const startedAt = performance.now();
    expect((await login(username, password, '192.0.2.200')).status).toBe(200);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(990);
    expect([19, 20, 21, 22, 24, 25, 500].map(getDelaySeconds)).toEqual([0, 1, 2, 4, 16, 30, 30]);
  });

  test('the delay of a sign-in does not count towards the request timeout', async () => {
    const slowServer = await startTestServer(engine, { ANSWER_SECONDS: '1' });
    const { username } = await slowServer.as('None');
    expect((await login(username, 'wrong', '', slowServer)).status).toBe(401);
    await slowServer.db.updateTable('throttles').set({ count: 21 }).where('key', 'like', 'sign-in-name %').execute();
    expect((await login(username, password, '', slowServer)).status).toBe(200);
    await slowServer.stop();
  });

  test('a new password set by an Admin ends the lockout', async () => {
    const person = await server.as('None');
    const admin = await server.as('Admin');
    await fail(5, person.username);
    const { password: oneTimePassword } = await admin(api.resetPassword, { body: { id: person.id } });
    expect((await login(person.username, oneTimePassword)).status).toBe(200);
  });

  test('X-Forwarded-For of untrusted proxies is ignored', async () => {
    const freshServer = await startTestServer(engine);
    for (let i = 0; i < 5; i++) expect((await login('admin', 'wrong', `192.0.2.${i}`, freshServer)).status).toBe(401);
    expect((await login('admin', 'wrong', '192.0.2.99', freshServer)).status).toBe(429);
    await freshServer.stop();
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
