// Ways to sign in, tried at two instances with one database at the same moment.
import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createClock } from '../clock.ts';
import { generateAppCode } from '../sign-in/factors/app-codes.ts';
import { enterCode, enterPassword, setUpApp } from '../testing/second-step.ts';
import { engines, type TestServer } from '../testing/server.ts';
import { makePinUser, shareDevice, signInWithPin } from '../testing/shared-devices.ts';
import { createTestServer } from '../testing/test-server.ts';

describe.runIf(engines.includes('postgres'))('signing in at two instances', () => {
  let now = Date.parse('2026-03-10T09:00:00Z');
  const clock = createClock(() => now);
  const SECRETS_KEY = randomBytes(32).toString('base64');
  const { server: first } = createTestServer('postgres', { SECRETS_KEY }, clock);
  const { server: second } = createTestServer(
    'sqlite',
    () => ({ SECRETS_KEY, DATABASE_URL: first.config.databaseUrl }),
    clock,
  );

  const atBoth = <Result>(times: number, run: (server: TestServer) => Promise<Result>) =>
    Promise.all(Array.from({ length: times }, (_, at) => run(at % 2 === 0 ? first : second)));
  const setUp = async () => {
    const user = await first.as('Health & Safety Manager');
    const { key, recoveryCodes } = await setUpApp(user, () => now);
    now += 60_000;
    return { user, code: generateAppCode(key, new Date(now)), recoveryCodes };
  };
  /** Enters a code at both instances at once, each in a sign-in of its own. */
  const enterAtBoth = async (username: string, code: string) => {
    const halves = await atBoth(2, (server) => enterPassword(server.url, username));
    const entered = await Promise.all(
      [first, second].map(({ url }, at) => enterCode(url, halves[at]?.cookie ?? '', code)),
    );
    return entered.map(({ status }) => status).sort();
  };

  test('a code from an app signs in once, even if two instances get it at once', async () => {
    const { user, code } = await setUp();
    expect(await enterAtBoth(user.username, code)).toEqual([200, 401]);
  });

  test('a recovery code signs in once, even if two instances get it at once', async () => {
    const { user, recoveryCodes } = await setUp();
    expect(await enterAtBoth(user.username, recoveryCodes[0] ?? '')).toEqual([200, 401]);
  });

  test('wrong codes at two instances are counted together', async () => {
    const { user, code } = await setUp();
    const { cookie } = await enterPassword(first.url, user.username);
    const wrong = [...code].map((digit) => (Number(digit) + 1) % 10).join('');
    const tries = await atBoth(10, ({ url }) => enterCode(url, cookie, wrong));
    // The fifth wrong code ends the sign-in.
    expect(tries.filter(({ body }) => body.code === 'WRONG_CODE')).toHaveLength(4);
    expect(await enterCode(second.url, cookie, code)).toMatchObject({ status: 401, body: { code: 'SIGN_IN_AGAIN' } });
  });

  test('wrong PINs at two instances are counted together', async () => {
    const device = await shareDevice(await first.as('Health & Safety Manager', 'Lido Beach'));
    const staff = await makePinUser(first);
    const tries = await atBoth(10, (server) => signInWithPin(server, device, staff, '000000'));
    expect(tries.filter(({ code }) => code === 'WRONG_PIN')).toHaveLength(5);
    expect(await signInWithPin(second, device, staff)).toMatchObject({ status: 429 });
  });
});
