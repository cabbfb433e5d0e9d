import { beforeEach, describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { isEncrypted } from '../../secrets/secrets.ts';
import { jsonPost } from '../../testing/requests.ts';
import { enterCode, enterPassword, setUpApp } from '../../testing/second-step.ts';
import { engines, password, type TestClient } from '../../testing/server.ts';
import { createTestServer } from '../../testing/test-server.ts';
import { generateAppCode } from './app-codes.ts';

const minute = 60_000;

describe.each(engines)('a user with codes from an app, on %s', (engine) => {
  let now = Date.parse('2026-03-10T09:00:00Z');
  let user: TestClient;
  let key: string;
  let recoveryCodes: string[];
  const { server } = createTestServer(engine, {}, () => now);
  beforeEach(async () => {
    user = await server.as('Health & Safety Manager');
    ({ key, recoveryCodes } = await setUpApp(user, () => now));
    now += minute;
  });

  const codeAt = (at = now) => generateAppCode(key, new Date(at));
  const wrongCode = () => [...codeAt()].map((digit) => (Number(digit) + 1) % 10).join('');
  const enterOwnPassword = async () => {
    const { status, body, cookie } = await enterPassword(server.url, user.username);
    expect([status, body]).toEqual([
      401,
      expect.objectContaining({ success: false, code: 'SECOND_FACTOR', methods: ['app', 'recoveryCode'] }),
    ]);
    return cookie;
  };
  const enter = (cookie: string, code: string) => enterCode(server.url, cookie, code);
  const isSignedIn = async (cookie: string) =>
    (await fetch(`${server.url}${api.getSession.path}`, { headers: { cookie } })).status === 200;
  const listNotices = async () => (await user(api.listNotifications)).map(({ text }) => text);

  test('a user signs in with the password and a code, and the list of sessions says so', async () => {
    const half = await enterOwnPassword();
    expect(await isSignedIn(half)).toBe(false);
    const { status, body, cookie } = await enter(half, ` ${codeAt().slice(0, 3)} ${codeAt().slice(3)}`);
    expect([status, body]).toEqual([200, { success: true, role: 'Health & Safety Manager' }]);
    expect(await isSignedIn(cookie)).toBe(true);
    const sessions = await server.withCookie(cookie, '', '')(api.listSessions);
    expect(sessions.map(({ method, isThis }) => [method, isThis])).toEqual([
      ['password and code', true],
      // The session in which the codes were set up.
      ['password and code', false],
    ]);
  });

  test('the cookie between the two steps lasts five minutes, works once, and is no session cookie', async () => {
    const response = await fetch(`${server.url}${api.login.path}`, jsonPost({ username: user.username, password }));
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^hs_second_step=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=300$/),
    ]);
    const half = response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    expect(await isSignedIn(half.replace('hs_second_step', 'hs_session'))).toBe(false);
    expect((await enter(half, codeAt())).status).toBe(200);
    now += minute;
    expect((await enter(half, codeAt())).body).toMatchObject({ code: 'SIGN_IN_AGAIN' });
    const late = await enterOwnPassword();
    now += 5 * minute;
    expect((await enter(late, codeAt())).body).toMatchObject({ code: 'SIGN_IN_AGAIN' });
  });

  test('the earlier session of the browser ends only when the second step succeeds', async () => {
    const { cookie: half } = await enterPassword(server.url, user.username, password, user.cookie);
    expect(await isSignedIn(user.cookie)).toBe(true);
    const both = `${user.cookie}; ${half}`;
    expect((await enter(both, wrongCode())).status).toBe(401);
    expect(await isSignedIn(user.cookie)).toBe(true);
    const { cookie } = await enter(both, codeAt());
    expect([await isSignedIn(user.cookie), await isSignedIn(cookie)]).toEqual([false, true]);
  });

  test('a wrong password is rejected as for every other user, without mentioning a second factor', async () => {
    const { body } = await enterPassword(server.url, user.username, 'not the password');
    const { body: unknown } = await enterPassword(server.url, 'nobody.here', 'not the password');
    expect({ ...body, requestId: '' }).toEqual({ ...unknown, requestId: '' });
  });

  test('only the current code is accepted, and once; one that has just expired is not counted as wrong', async () => {
    const half = await enterOwnPassword();
    const expired = { code: 'EXPIRED_CODE', message: 'That code has just expired. Wait for the next one' };
    for (let times = 0; times < 12; times++)
      expect((await enter(half, codeAt(now - 30_000))).body).toMatchObject(expired);
    for (const seconds of [-60, 30, 60])
      expect((await enter(half, codeAt(now + seconds * 1000))).body).toMatchObject({ code: 'WRONG_CODE' });
    const others = await Promise.all([1, 2, 3].map(enterOwnPassword));
    const results = await Promise.all([half, ...others].map((cookie) => enter(cookie, codeAt())));
    expect(results.map(({ status }) => status).toSorted()).toEqual([200, 401, 401, 401]);
    for (const { status, body } of results) if (status !== 200) expect(body).toMatchObject(expired);
  });

  test('five wrong codes end the sign-in, even if they are sent at the same time', async () => {
    const half = await enterOwnPassword();
    await Promise.all([1, 2, 3, 4, 5].map(() => enter(half, wrongCode())));
    expect((await enter(half, codeAt())).body).toMatchObject({ code: 'SIGN_IN_AGAIN' });
    expect((await enter(await enterOwnPassword(), codeAt())).status).toBe(200);
  });

  test('ten wrong codes in an hour, with the right password between them, turn codes off for an hour', async () => {
    for (let round = 0; round < 2; round++) {
      const half = await enterOwnPassword();
      for (let times = 0; times < 5; times++) expect((await enter(half, wrongCode())).status).toBe(401);
    }
    const half = await enterOwnPassword();
    const off = await enter(half, codeAt());
    expect([off.status, off.body.code]).toEqual([429, 'CODES_OFF']);
    expect(await listNotices()).toContain(
      'Codes from your app are off for an hour: someone entered ten wrong ones with your password',
    );
    expect((await enter(half, recoveryCodes[0] ?? '')).status).toBe(200);
    now += 59 * minute;
    expect((await enter(await enterOwnPassword(), codeAt())).status).toBe(429);
    now += 2 * minute;
    expect((await enter(await enterOwnPassword(), codeAt())).status).toBe(200);
  });

  test('a right code clears the count of wrong ones', async () => {
    for (let round = 0; round < 4; round++) {
      const half = await enterOwnPassword();
      for (let times = 0; times < 4; times++) expect((await enter(half, wrongCode())).status).toBe(401);
      expect((await enter(half, codeAt())).status).toBe(200);
      now += minute;
    }
  });

  test('each recovery code works once, however it is typed, and its user is notified', async () => {
    const [first = '', second = ''] = recoveryCodes;
    expect(new Set(recoveryCodes).size).toBe(10);
    const results = await Promise.all(
      [await enterOwnPassword(), await enterOwnPassword()].map((half) =>
        enter(half, first.toUpperCase().replaceAll('-', ' ')),
      ),
    );
    expect(results.map(({ status }) => status).toSorted()).toEqual([200, 401]);
    expect((await enter(await enterOwnPassword(), first)).body).toMatchObject({ code: 'WRONG_CODE' });
    const { cookie } = await enter(await enterOwnPassword(), second);
    const sessions = await server.withCookie(cookie, '', '')(api.listSessions);
    expect(sessions[0]).toMatchObject({ method: 'password and recovery code', isThis: true });
    expect(await user(api.getSecondFactors)).toMatchObject({ recoveryCodes: 7 });
    expect((await listNotices()).filter((text) => text.startsWith('One of your recovery codes was used'))).toHaveLength(
      2,
    );
  });

  test('keys of apps are stored encrypted, recovery codes and tokens as hashes', async () => {
    const half = await enterOwnPassword();
    const [app, codes, tokens] = await Promise.all([
      server.db.selectFrom('authenticators').selectAll().where('user_id', '=', user.id).executeTakeFirstOrThrow(),
      server.db.selectFrom('recovery_codes').selectAll().where('user_id', '=', user.id).execute(),
      server.db.selectFrom('one_use_tokens').selectAll().execute(),
    ]);
    expect(isEncrypted(app.secret)).toBe(true);
    expect(codes).toHaveLength(10);
    for (const { code_hash } of codes) expect(code_hash).toMatch(/^\$argon2id\$/);
    expect(JSON.stringify(tokens)).not.toContain(half.split('=')[1]);
  });

  test('changing the password or deleting the user invalidates a half-complete sign-in', async () => {
    const half = await enterOwnPassword();
    await user(api.changePassword, { body: { currentPassword: password, newPassword: 'another walk on the shore' } });
    expect((await enter(half, codeAt())).body).toMatchObject({ code: 'SIGN_IN_AGAIN' });
    const next = await enterPassword(server.url, user.username, 'another walk on the shore');
    const admin = await server.as('Admin');
    await admin(api.deleteUser, { params: { id: user.id } });
    expect((await enter(next.cookie, codeAt())).body).toMatchObject({ code: 'SIGN_IN_AGAIN' });
    for (const table of ['authenticators', 'recovery_codes', 'one_use_tokens'] as const)
      expect(await server.db.selectFrom(table).select('user_id').where('user_id', '=', user.id).execute()).toEqual([]);
  });

  test('the activity log names each step of a sign-in', async () => {
    const half = await enterOwnPassword();
    await enter(half, wrongCode());
    await enter(half, codeAt());
    const admin = await server.as('Admin');
    const actions = (await admin(api.listActivity, { query: { thing_id: user.id } })).map(({ action }) => action);
    expect(actions).toEqual(['signed in', 'entered a wrong code', 'entered the password', 'set up two-factor sign-in']);
  });
});
