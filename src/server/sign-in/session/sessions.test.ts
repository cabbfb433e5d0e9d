import { request as httpRequest } from 'node:http';
import { beforeAll, describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { sha256 } from '../../hash.ts';
import { jsonPost } from '../../testing/requests.ts';
import { readRow } from '../../testing/rows.ts';
import { engines, password, signInAt, startTestServer, type TestClient } from '../../testing/server.ts';
import { createTestServer } from '../../testing/test-server.ts';
import { updatePassword } from '../../users/store.ts';
import { hashPassword } from './passwords.ts';
import { deleteExpiredSessions } from './session.ts';

const minutes = 60_000;
const hours = 60 * minutes;
const unauthorised = { status: 401, message: 'Please sign in' };

describe.each(engines)('sessions on %s', (engine) => {
  const start = Date.parse('2026-03-10T09:00:00Z');
  let now = start;
  const { server } = createTestServer(engine, {}, () => now);

  const login = (username: string, cookie = '') =>
    fetch(`${server.url}/api/login`, jsonPost({ username, password }, { ...(cookie && { cookie }) }));
  const getCookie = (response: Response) => response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const getStatusWithCookie = async (cookie: string) =>
    (await fetch(`${server.url}/api/protected`, { headers: { cookie } })).status;

  test('the session cookie is HttpOnly and SameSite, ends with the browser for reviewers and after a week for staff', async () => {
    const { username } = await server.as('None');
    const [cookie] = (await login(username)).headers.getSetCookie();
    expect(cookie).toMatch(/^hs_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=604800$/);
    await using secureServer = await startTestServer(engine, { PUBLIC_URL: 'https://reports.example.com' });
    const response = await fetch(`${secureServer.url}/api/login`, jsonPost({ username: 'admin', password }));
    expect(response.headers.getSetCookie()[0]).toMatch(
      /^__Host-hs_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
    );
  });

  test('the database stores only the hash of a session token', async () => {
    const { username } = await server.as('None');
    const token = getCookie(await login(username)).split('=')[1] ?? '';
    const rows = await server.db.selectFrom('sessions').selectAll().execute();
    expect(rows.map((row) => row.token_hash)).toContain(sha256(token));
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  test('a sign-in creates a new token and ends the previous session', async () => {
    const { username } = await server.as('None');
    const plantedCookie = `hs_session=${'a'.repeat(43)}`;
    const first = getCookie(await login(username, plantedCookie));
    expect(first).not.toBe(plantedCookie);
    expect(await getStatusWithCookie(plantedCookie)).toBe(401);
    const second = getCookie(await login(username, first));
    expect(await getStatusWithCookie(first)).toBe(401);
    expect(await getStatusWithCookie(second)).toBe(200);
  });

  test('a session token is invalid after sign-out, and signing out twice is not an error', async () => {
    const { username } = await server.as('None');
    const cookie = getCookie(await login(username));
    const logout = () => fetch(`${server.url}/api/logout`, { method: 'POST', headers: { cookie } });
    const response = await logout();
    expect(response.headers.getSetCookie()[0]).toMatch(/^hs_session=; .*Max-Age=0$/);
    expect(await getStatusWithCookie(cookie)).toBe(401);
    expect((await logout()).status).toBe(200);
  });

  test.each([
    ['an empty value', ''],
    ['garbage', 'hs_session=garbage'],
    ['an unknown token', `hs_session=${'b'.repeat(43)}`],
    ['a NUL character', 'hs_session=%00'],
  ])('a session cookie with %s is rejected', async (_, cookie) => {
    expect(await getStatusWithCookie(cookie)).toBe(401);
  });

  test('a request with two session cookies has no session, even if one is valid', async () => {
    const { username } = await server.as('None');
    const cookie = getCookie(await login(username));
    expect(await getStatusWithCookie(`${cookie}; hs_session=${'c'.repeat(43)}`)).toBe(401);
    expect(await getStatusWithCookie(`other=1; ${cookie}`)).toBe(200);
  });

  test.each([
    ['None', 12 * hours, 7 * 24 * hours],
    ['Health & Safety Manager', 1 * hours, 12 * hours],
    ['Admin', 1 * hours, 12 * hours],
  ] as const)(
    'a session of a user with the role %s ends when idle and at its absolute limit',
    async (role, idleMs, absoluteMs) => {
      const idleUser = await server.as(role);
      now += idleMs - 1;
      expect((await idleUser(api.getSession)).expiresAt).toBe(new Date(now + idleMs).toISOString());
      now += idleMs;
      await expect(idleUser(api.getSession)).rejects.toMatchObject(unauthorised);
      const busy = await server.as(role);
      const startedAt = now;
      while (now + idleMs / 2 < startedAt + absoluteMs) {
        now += idleMs / 2;
        await busy(api.getSession);
      }
      now = startedAt + absoluteMs - 1;
      await deleteExpiredSessions(server.db, server.config.sessions, new Date(now));
      await busy(api.getSession);
      now += 1;
      await expect(busy(api.getSession)).rejects.toMatchObject(unauthorised);
      await deleteExpiredSessions(server.db, server.config.sessions, new Date(now + 8 * 24 * hours));
      expect(await server.db.selectFrom('sessions').selectAll().execute()).toEqual([]);
    },
  );

  test('background requests and images do not extend a session, and requests of its user do', async () => {
    const person = await server.as('Admin');
    const requestImage = () => fetch(`${server.url}/uploads/none.jpg`, { headers: { cookie: person.cookie } });
    const end = new Date(now + 1 * hours).toISOString();
    for (let minute = 0; minute < 58; minute += 2) {
      now += 2 * minutes;
      await Promise.all([person(api.countNotifications, { isBackground: true }), requestImage()]);
    }
    expect(await person(api.getSession, { isBackground: true })).toMatchObject({ expiresAt: end, canExtend: true });
    const newEnd = new Date(now + 1 * hours).toISOString();
    expect(await person(api.getSession)).toMatchObject({ expiresAt: newEnd, canExtend: true });
    now += 59 * minutes + 59_000;
    await person(api.countNotifications, { isBackground: true });
    now += 1000;
    await expect(person(api.getSession)).rejects.toMatchObject(unauthorised);
  });

  test('a session is never said to end later than it does', async () => {
    const person = await server.as('Admin');
    const end = new Date(now + 1 * hours).toISOString();
    now += 59_000;
    expect((await person(api.getSession)).expiresAt).toBe(end);
  });

  test('a session at its absolute limit cannot be extended', async () => {
    const person = await server.as('Admin');
    const end = new Date(now + 12 * hours).toISOString();
    for (let halfHour = 0; halfHour < 21; halfHour++) {
      now += 30 * minutes;
      expect(await person(api.getSession)).toMatchObject({ canExtend: true });
    }
    now += 30 * minutes;
    expect(await person(api.getSession)).toMatchObject({ expiresAt: end, canExtend: false });
  });

  test('a clock set back does not extend a session', async () => {
    const person = await server.as('Admin');
    now += 1 * hours;
    await expect(person(api.getSession)).rejects.toMatchObject(unauthorised);
    now -= 2 * hours;
    await expect(person(api.getSession)).rejects.toMatchObject(unauthorised);
    now += 2 * hours;
  });

  test("a user's eleventh session ends the oldest one, even if all began at the same time", async () => {
    const { id, username } = await server.as('None');
    const cookies: string[] = [];
    for (let i = 0; i < 3; i++) {
      now += 1000;
      cookies.push(getCookie(await login(username)));
    }
    now += 1000;
    for (let i = 0; i < 9; i++) cookies.push(getCookie(await login(username)));
    const rows = await server.db.selectFrom('sessions').where('user_id', '=', id).selectAll().execute();
    expect(rows).toHaveLength(10);
    expect(await getStatusWithCookie(cookies[0] ?? '')).toBe(401);
    expect(await getStatusWithCookie(cookies.at(-1) ?? '')).toBe(200);
  });

  test('a changed role or park applies from the next request', async () => {
    const admin = await server.as('Admin');
    const person = await server.as('Health & Safety Manager');
    await person(api.listUsers);
    await admin(api.assignRole, { body: { username: person.username, role: 'None', park: 'Mounds' } });
    await expect(person(api.listUsers)).rejects.toMatchObject({ status: 403 });
    expect(await person(api.getSession)).toMatchObject({ user: { role: 'None', park: 'Mounds' } });
  });

  test('a password that is too common for a new one still signs in', async () => {
    const { id, username } = await server.as('None');
    await updatePassword(server.db, id, await hashPassword('Welcome2024'), false);
    await server.signIn(username, id, 'Welcome2024');
  });

  test("changing one's own password ends all of the user's other sessions", async () => {
    const [person, bystander] = [await server.as('None'), await server.as('None')];
    const other = await server.signIn(person.username);
    const change = (currentPassword: string, newPassword: string) =>
      person(api.changePassword, { body: { currentPassword, newPassword } });
    await expect(change('not this one', 'a new one for me')).rejects.toMatchObject({
      status: 400,
      fields: { currentPassword: 'This is not your current password' },
    });
    await expect(change(password, 'password1')).rejects.toMatchObject({
      fields: { newPassword: 'Choose a less common password' },
    });
    await change(password, 'a new one for me');
    for (const client of [person, bystander]) await client(api.getSession);
    await expect(other(api.getSession)).rejects.toMatchObject(unauthorised);
  });

  test('of two changes of a password at the same time, one succeeds', async () => {
    const person = await server.as('None');
    const change = (newPassword: string) =>
      person(api.changePassword, { body: { currentPassword: password, newPassword } });
    const changes = await Promise.allSettled([change('a new one for me'), change('another one for me')]);
    expect(changes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('a password hash with old parameters is replaced at the next sign-in', async () => {
    const { id, username } = await server.as('None');
    const { hash } = await import('@node-rs/argon2');
    const weakHash = await hash(password, { memoryCost: 8192, timeCost: 1, parallelism: 1 });
    await server.db.updateTable('users').set({ password_hash: weakHash }).where('id', '=', id).execute();
    await login(username);
    const { password_hash } = await readRow(server.db, 'users', { id });
    expect(password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect((await login(username)).status).toBe(200);
  });

  test('requests with different invalid cookies share a rate limit', async () => {
    await using limitedServer = await startTestServer(engine, { RATE_PER_ADDRESS: '5' });
    const statuses: number[] = [];
    for (let i = 0; i < 7; i++) {
      const cookie = `hs_session=${String(i).repeat(43)}`;
      statuses.push((await fetch(`${limitedServer.url}/api/protected`, { headers: { cookie } })).status);
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
  });

  test('requests that a shared device may not send share a rate limit', async () => {
    await using limitedServer = await startTestServer(engine, { RATE_PER_ADDRESS: '5' });
    const statuses: number[] = [];
    for (let i = 0; i < 7; i++) {
      const headers = { cookie: `hs_shared_device=${String(i).repeat(43)}`, 'x-device-user': `user ${i}` };
      statuses.push((await fetch(`${limitedServer.url}/api/protected`, { headers })).status);
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
  });

  test('all sessions of a user share a rate limit, which is not that of other users', async () => {
    await using limitedServer = await startTestServer(engine, { RATE_PER_SESSION: '5' });
    const [first, other] = [await limitedServer.as('None'), await limitedServer.as('None')];
    const second = await signInAt(limitedServer.url, first.username);
    const getStatus = async (client: TestClient) => (await client.fetch('/api/protected')).status;
    const statuses: number[] = [];
    for (let i = 0; i < 4; i++) statuses.push(await getStatus(first), await getStatus(second));
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429, 429]);
    expect(await getStatus(other)).toBe(200);
  });

  test.each([
    ['all requests', { RATE_PER_ADDRESS: '5' }, 'GET', '/api/protected', 5],
    ['a single call', { RATE_SCALE: '1' }, 'POST', api.requestPasskey.path, 20],
  ] as const)(
    'IP addresses of one IPv6 network share the limit of %s before sign-in',
    async (_, settings, method, path, limit) => {
      await using proxiedServer = await startTestServer(engine, { ...settings, TRUST_PROXY: '127.0.0.1' });
      const getStatusFromIp = async (ip: string) =>
        (await fetch(`${proxiedServer.url}${path}`, { method, headers: { 'x-forwarded-for': ip } })).status;
      const statuses: number[] = [];
      for (let host = 1; host <= limit + 2; host++) statuses.push(await getStatusFromIp(`2001:db8:0:12::${host}`));
      expect(statuses.slice(0, limit)).not.toContain(429);
      expect(statuses.slice(limit)).toEqual([429, 429]);
      expect(await getStatusFromIp('2001:db8:0:13::1')).not.toBe(429);
    },
  );
});

describe('requests from other sites', () => {
  let cookie: string;
  const { server } = createTestServer('sqlite', { PUBLIC_URL: 'http://reports.example.com' });
  beforeAll(async () => {
    const response = await fetch(`${server.url}/api/login`, jsonPost({ username: 'admin', password }));
    cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  });

  /** Raw HTTP, because fetch would not let the test set headers that browsers set themselves. */
  const send = (method: string, path: string, headers: Record<string, string>, body?: string) =>
    new Promise<number>((resolve, reject) => {
      const request = httpRequest(
        `${server.url}${path}`,
        { method, headers: { ...headers, cookie, ...(body && { 'content-length': String(body.length) }) } },
        (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        },
      );
      request.once('error', reject);
      request.end(body);
    });

  const fetchSites = [undefined, 'same-origin', 'same-site', 'cross-site', 'none', 'nonsense'];
  const origins = [undefined, 'http://reports.example.com', 'http://evil.example', 'null'];
  const types = [undefined, 'application/json', 'text/plain', 'multipart/form-data; boundary=x'];
  const calls = [
    ['GET', '/api/protected'],
    ['HEAD', '/api/protected'],
    ['POST', '/api/admin/user-exists'],
    ['PUT', '/api/admin/update-checklist/none'],
    ['DELETE', '/api/admin/users/none'],
  ] as const;

  test.each(calls)('a %s %s from another site is rejected if the method changes data', async (method, path) => {
    for (const site of fetchSites)
      for (const origin of origins)
        for (const type of types) {
          const isSafeMethod = method === 'GET' || method === 'HEAD';
          const isSameOrigin =
            site === undefined ? origin === undefined || origin === origins[1] : site === 'same-origin';
          const headers = {
            ...(site && { 'sec-fetch-site': site }),
            ...(origin && { origin }),
            ...(type && !isSafeMethod && { 'content-type': type }),
          };
          const body = type && !isSafeMethod ? '{"username":"admin"}' : undefined;
          const status = await send(method, path, headers, body);
          const seen = `${method} ${JSON.stringify(headers)}`;
          if (isSafeMethod) expect(status, seen).toBe(200);
          else if (!isSameOrigin) expect(status, seen).toBe(403);
          else if (type && type !== 'application/json') expect([415, 404], seen).toContain(status);
          else expect([200, 400, 404], seen).toContain(status);
        }
  });

  test('a form on another site cannot sign in, sign out or restore a deleted item', async () => {
    for (const path of ['/api/login', '/api/logout', '/api/admin/deleted/x/restore'])
      for (const type of ['multipart/form-data; boundary=x', 'application/x-www-form-urlencoded', 'text/plain'])
        expect(await send('POST', path, { 'content-type': type }, '--x--'), `${path} ${type}`).toBe(415);
  });
});
