import { describe, expect, test } from 'vitest';
import type { Role } from '#shared/access.ts';
import { api } from '#shared/api.ts';
import { createClock } from '../../clock.ts';
import { sha256 } from '../../hash.ts';
import { jsonPost } from '../../testing/requests.ts';
import { enterCode, enterPassword, setUpApp } from '../../testing/second-step.ts';
import { engines, password, type TestClient } from '../../testing/server.ts';
import { createTestServer } from '../../testing/test-server.ts';

const day = 24 * 60 * 60_000;

describe.each(engines)('a sign-in in a new browser, on %s', (engine) => {
  let now = Date.parse('2026-03-10T09:00:00Z');
  const clock = createClock(() => now);
  const { server } = createTestServer(engine, {}, clock);

  const signIn = async ({ username }: TestClient, cookie = '') => {
    const { cookie: cookies } = await enterPassword(server.url, username, password, cookie);
    return { browser: cookies.match(/hs_browser=[\w-]{43}/)?.[0] ?? '', session: cookies };
  };
  const listNotices = async (user: TestClient) => (await user(api.listNotifications)).map(({ text }) => text);
  const notice =
    'You signed in on a new browser: an unknown device. If it was not you, change your password and tell an Admin';

  test.each<Role>(['Health & Safety Manager', 'Admin'])(
    'a %s is notified once of each new browser after the first',
    async (role) => {
      const user = await server.as(role);
      const { browser: first } = await signIn(user);
      expect(await listNotices(user)).toEqual([]);
      const { browser: second } = await signIn(user);
      expect(await listNotices(user)).toEqual([notice]);
      for (const browser of [first, second, first]) expect((await signIn(user, browser)).browser).toBe(browser);
      expect(await listNotices(user)).toEqual([notice]);
      expect((await user(api.listNotifications))[0]).toMatchObject({ kind: 'signInChanged', link: '/sessions' });
    },
  );

  test('the notice of a new browser names the browser and system; the browser gets a cookie of 400 days, stored as a hash only', async () => {
    const user = await server.as('Admin');
    await signIn(user);
    const response = await fetch(
      `${server.url}${api.login.path}`,
      jsonPost(
        { username: user.username, password },
        { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0' },
      ),
    );
    const cookie = response.headers.getSetCookie().find((text) => text.startsWith('hs_browser=')) ?? '';
    expect(cookie).toMatch(/^hs_browser=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=34560000$/);
    expect(await listNotices(user)).toEqual([expect.stringContaining('a new browser: Firefox on Windows.')]);
    const rows = await server.db.selectFrom('browsers').selectAll().where('user_id', '=', user.id).execute();
    expect(rows).toHaveLength(2);
    expect(JSON.stringify(rows)).not.toContain(cookie.slice(11, 54));
    expect(rows.map(({ token_hash }) => token_hash)).toContain(sha256(cookie.slice(11, 54)));
  });

  test('a browser of another user is new to this one; staff are not notified', async () => {
    const [user, other, staff] = [await server.as('Admin'), await server.as('Admin'), await server.as('None')];
    const { browser } = await signIn(other);
    await signIn(user);
    await signIn(user, browser);
    expect(await listNotices(user)).toEqual([notice]);
    for (let times = 0; times < 2; times++) expect((await signIn(staff)).browser).not.toBe('');
    expect(await listNotices(staff)).toEqual([]);
  });

  const listHashes = async (user: TestClient) =>
    (await server.db.selectFrom('browsers').select('token_hash').where('user_id', '=', user.id).execute())
      .map(({ token_hash }) => token_hash)
      .toSorted();
  const hashes = (...browsers: string[]) => browsers.map((browser) => sha256(browser.slice(11))).toSorted();

  test('browsers of staff are stored after each way to sign in, kept at sign-out, and the last ten stay', async () => {
    const staff = await server.as('None');
    const { browser: first } = await signIn(staff);
    const client = server.withCookie(first, staff.id, staff.username);
    await client(api.logout);
    expect(await listHashes(staff)).toEqual(hashes(first));
    const browsers = [first];
    for (let times = 0; times < 9; times++) {
      now += 1000;
      browsers.push((await signIn(staff)).browser);
    }
    now += 1000;
    await signIn(staff, first);
    const eleventh = (await signIn(staff)).browser;
    expect(await listHashes(staff)).toEqual(hashes(first, ...browsers.slice(2), eleventh));
  });

  test('a password that was right is not yet a sign-in: the browser is stored after the second step', async () => {
    const staff = await server.as('None');
    const { recoveryCodes } = await setUpApp(staff, () => now);
    const half = await enterPassword(server.url, staff.username);
    expect(await listHashes(staff)).toEqual([]);
    await enterCode(server.url, half.cookie, recoveryCodes[0] ?? '');
    expect(await listHashes(staff)).toHaveLength(1);
  });

  test('the notice of a new browser is sent after the second step of the sign-in, not after the password', async () => {
    const user = await server.as('Admin');
    await signIn(user);
    const { recoveryCodes } = await setUpApp(user, () => now);
    const half = await enterPassword(server.url, user.username);
    expect(await listNotices(user)).not.toContain(notice);
    await enterCode(server.url, half.cookie, recoveryCodes[0] ?? '');
    expect(await listNotices(user)).toContain(notice);
  });

  test('a browser is deleted after 400 days without a sign-in, and with its user', async () => {
    const user = await server.as('Admin');
    const { browser: old } = await signIn(user);
    now += 399 * day;
    const { browser } = await signIn(user);
    now += 2 * day;
    const admin = await server.as('Admin');
    const later = await server.createSession(user.id, user.username);
    await signIn(user, browser);
    expect((await listNotices(later)).filter((text) => text === notice)).toHaveLength(1);
    await signIn(user, old);
    expect((await listNotices(later)).filter((text) => text === notice)).toHaveLength(2);
    await admin(api.deleteUser, { params: { id: user.id } });
    expect(await server.db.selectFrom('browsers').selectAll().where('user_id', '=', user.id).execute()).toEqual([]);
  });
});
