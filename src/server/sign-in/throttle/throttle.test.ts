// How wrong passwords are counted when several attempts are under way, and within a session.
import { describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { getError } from '../../testing/errors.ts';
import { engines, password, startTestServer } from '../../testing/server.ts';
import { shareDevice } from '../../testing/shared-devices.ts';
import { createTestServer } from '../../testing/test-server.ts';
import { checkPasswordThrottled } from './sign-in-throttle.ts';
import { countAttempts, uncountAttempt } from './throttle.ts';

describe.each(engines)('the counters of the sign-in throttle on %s', (engine) => {
  let now = Date.parse('2026-03-10T09:00:00Z');
  const { server } = createTestServer(engine, {}, () => now);

  const setCounters = (kind: string, count: number) =>
    server.db.updateTable('throttles').set({ count }).where('key', 'like', `${kind} %`).execute();

  /** Checks a password from this address. */
  const attempt = (
    { username = 'someone', secret = 'wrong', ip = '192.0.2.1' },
    checkPassword: () => Promise<boolean>,
    delayResponse = async () => {},
  ) =>
    checkPasswordThrottled(
      { db: server.db, config: server.config, ip, now: new Date(now), delayResponse },
      { username, password: secret, known: undefined, checkPassword, onLastOfDay: async () => {} },
    );

  test('right passwords under way at once refuse no one, and wrong ones still do', async () => {
    await attempt({}, async () => false);
    await setCounters('sign-in-place', 99);
    const start = Promise.withResolvers<void>();
    let checks = 0;
    const right = Array.from({ length: 10 }, (_, at) =>
      attempt({ username: `name.${at}` }, async () => {
        checks += 1;
        await start.promise;
        return true;
      }),
    );
    await expect.poll(() => checks).toBeGreaterThan(0);
    start.resolve();
    expect(await Promise.all(right)).toEqual(Array.from({ length: 10 }, () => 'right'));
    const wrong = Array.from({ length: 10 }, (_, at) =>
      attempt({ username: `other.${at}` }, async () => false).catch(({ status }) => status),
    );
    expect((await Promise.all(wrong)).toSorted()).toEqual([...Array.from({ length: 9 }, () => 429), 'wrong']);
  });

  test('a right password that began and ended while a counter was read refuses no one', async () => {
    const ip = '203.0.113.7';
    await attempt({ ip }, async () => false);
    await setCounters('sign-in-place', 99);
    const rest = Promise.withResolvers<void>();
    let isChecked = () => {};
    const checked = new Promise<void>((resolve) => {
      isChecked = resolve;
    });
    let right: Promise<unknown> = Promise.resolve();
    const db = server.db.withPlugin({
      transformQuery: ({ node }) => node,
      // What is read counts the right one, which has ended when the rows arrive.
      async transformResult({ result }) {
        await checked;
        const { rows } = isRead ? result : { rows: await server.db.selectFrom('throttles').selectAll().execute() };
        isRead = true;
        rest.resolve();
        await right;
        return { ...result, rows };
      },
    });
    let isRead = false;
    const slow = checkPasswordThrottled(
      { config: server.config, db, ip, now: new Date(now), delayResponse: async () => {} },
      { username: 'slow', password, known: undefined, checkPassword: async () => true, onLastOfDay: async () => {} },
    );
    right = attempt({ ip, username: 'quick' }, async () => {
      isChecked();
      await rest.promise;
      return true;
    });
    expect(await Promise.all([slow, right])).toEqual(['right', 'right']);
  });

  test('after 200 wrong passwords in a day, guesses at a one-time password do not wait in the line of others', async () => {
    const ip = '198.51.100.1';
    await attempt({ ip }, async () => false);
    await setCounters('sign-in-name', 20);
    await setCounters('sign-in-day', 200);
    let delays = 0;
    const guess = (at: number) =>
      attempt(
        { secret: 'abcd-efgh-ijkl-mnop', ip: `198.51.100.${at + 2}` },
        async () => false,
        async () => {
          delays += 1;
        },
      );
    const guesses = await Promise.all(Array.from({ length: 12 }, (_, at) => guess(at)));
    expect(guesses).toEqual(Array.from({ length: 12 }, () => 'wrong'));
    expect(delays).toBe(0);
    for (let at = 0; at < 4; at += 1) await guess(0);
    await expect(guess(0)).rejects.toMatchObject({ status: 429 });
  });

  test('a session confirms who its user is fifty times a day at most', async () => {
    const staff = await server.as('None');
    const confirm = (currentPassword: string) => staff(api.confirmIdentity, { body: { currentPassword } });
    for (let round = 0; round < 10; round += 1) {
      for (let at = 0; at < 5; at += 1) await expect(confirm('wrong')).rejects.toMatchObject({ status: 400 });
      now += 15 * 60_000;
    }
    await expect(confirm(password)).rejects.toMatchObject({
      status: 429,
      message: 'Too many failed attempts. Wait 22 hours and try again.',
    });
  });

  test('attempts that count the same keys in any order do not wait for each other', async () => {
    const keys = ['deadlock a', 'deadlock b', 'deadlock c'];
    const count = async (at: number) => {
      const order = at % 2 === 0 ? keys : keys.toReversed();
      await countAttempts(
        server.db,
        order.map((key) => ({ key, seconds: 60 })),
        new Date(now),
      );
      await uncountAttempt(server.db, ...order);
    };
    await Promise.all(Array.from({ length: 200 }, (_, at) => count(at)));
    const rows = await server.db.selectFrom('throttles').select('count').where('key', 'in', keys).execute();
    expect(rows).toEqual([{ count: 0 }, { count: 0 }, { count: 0 }]);
  });

  test('requests of its network do not stop PINs on a shared device', async () => {
    await using limitedServer = await startTestServer(engine, { RATE_SCALE: '1' });
    const device = await shareDevice(await limitedServer.as('Admin'));
    const send = (cookie: string) =>
      limitedServer.withCookie(cookie, '', '')(api.signInWithPin, { body: { user: 'someone', pin: '123456' } });
    const atOnce = await Promise.all(Array.from({ length: 60 }, () => getError(send(''))));
    expect(new Set(atOnce.map(({ code }) => code))).toEqual(new Set(['NOT_SHARED']));
    expect(await getError(send(''))).toMatchObject({ status: 429 });
    expect(await getError(send(device))).toMatchObject({ code: 'WRONG_PIN' });
  });
});
