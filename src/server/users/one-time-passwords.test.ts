// One-time passwords: each signs its user in once.
import { randomUUID } from 'node:crypto';
import { hash } from '@node-rs/argon2';
import { describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { generateAppCode } from '../sign-in/factors/app-codes.ts';
import { generatePassword, hashPassword } from '../sign-in/session/passwords.ts';
import { formatCookies, jsonPost, readCookies } from '../testing/requests.ts';
import { setUpApp } from '../testing/second-step.ts';
import { engines, type TestClient } from '../testing/server.ts';
import { createTestServer } from '../testing/test-server.ts';
import { updatePassword } from './store.ts';

describe.each(engines)('one-time passwords on %s', (engine) => {
  let now = Date.parse('2026-03-10T09:00:00Z');
  const { server } = createTestServer(engine, {}, () => now);

  const reset = async ({ id }: TestClient) =>
    (await (await server.as('Admin'))(api.resetPassword, { body: { id } })).password;
  const post = async (path: string, body: object, { key = '', cookie = '' } = {}) => {
    const headers = { cookie, ...(key && { 'idempotency-key': key }) };
    const response = await fetch(`${server.url}${path}`, jsonPost(body, headers));
    const { code, message } = (await response.json()) as { code?: string; message?: string };
    return { status: response.status, code, message, cookie: formatCookies(readCookies(response)) };
  };
  const login = ({ username }: TestClient, password: string, key = '') =>
    post(api.login.path, { username, password }, { key });
  const used = {
    ...{ status: 401, code: 'ONE_TIME_PASSWORD_USED' },
    message: 'This one-time password was used before. Ask the person who set it for a new one.',
  };
  const newPassword = 'only I know this one';

  test('six users a minute are created with one-time passwords; a repeated request has one effect and no password', async () => {
    const admin = await server.as('Admin');
    const create = (username: string) => {
      const body = { username, isOneTime: true, role: 'None', park: 'Lido Beach' } as const;
      return admin(api.createUser, { body, key: randomUUID() });
    };
    for (const name of 'abcdef') {
      const { created } = await create(`${name}.${randomUUID().slice(0, 8)}`);
      const { username = '', password = '' } = created?.users[0] ?? {};
      const client = await server.signIn(username, '', password);
      expect((await client(api.getSession)).user.mustChangePassword).toBe(true);
    }
    const body = { username: `g.${randomUUID().slice(0, 8)}`, isOneTime: true, role: 'None', park: '' } as const;
    const key = randomUUID();
    const { created, ...reply } = await admin(api.createUser, { body, key });
    const { password = '' } = created?.users[0] ?? {};
    expect(password).not.toBe('');
    expect(await admin(api.createUser, { body, key })).toEqual(reply);
    for (const table of ['replies', 'activity'] as const) {
      const stored = JSON.stringify(await server.db.selectFrom(table).selectAll().execute());
      expect(stored).toContain(reply.id);
      expect(stored).not.toContain(password);
    }
    for (const both of [
      { ...body, password },
      { ...body, isOneTime: undefined },
    ])
      await expect(admin(api.createUser, { body: both })).rejects.toMatchObject({
        status: 400,
        fields: { password: 'Please enter a password' },
      });
  });

  test('a one-time password signs in once; in that session it can still be replaced, later only by a new one', async () => {
    const staff = await server.as('None', 'Lido Beach');
    const first = await reset(staff);
    const session = server.withCookie((await login(staff, first)).cookie, staff.id, staff.username);
    expect(await login(staff, first)).toMatchObject(used);
    expect(await login(staff, 'wrong horse battery')).toMatchObject({ status: 401, code: 'NOT_SIGNED_IN' });
    now += 11 * 60_000;
    await session(api.changePassword, { body: { currentPassword: first, newPassword } });
    expect(await login(staff, newPassword)).toMatchObject({ status: 200 });
    expect(await login(staff, newPassword)).toMatchObject({ status: 200 });
    const second = await reset(staff);
    expect(await login(staff, second)).toMatchObject({ status: 200 });
    expect(await login(staff, second)).toMatchObject(used);
    expect(await login(staff, await reset(staff))).toMatchObject({ status: 200 });
    const admin = await server.as('Admin');
    const [entry] = await admin(api.listActivity, { query: { thing: 'session', thing_id: staff.id, q: 'one-time' } });
    expect(entry).toMatchObject({ action: 'entered a used one-time password', label: staff.username });
  });

  test('a one-time password is accepted in capitals and without its hyphens; no other password is', async () => {
    const typings = [
      (secret: string) => secret.replaceAll('-', ''),
      (secret: string) => secret.toUpperCase(),
      (secret: string) => ` ${secret.replaceAll('-', ' ')} `,
    ];
    for (const type of typings) {
      const staff = await server.as('None', 'Lido Beach');
      const secret = await reset(staff);
      expect(await login(staff, `${type(secret)}x`)).toMatchObject({ status: 401, code: 'NOT_SIGNED_IN' });
      const { status, cookie } = await login(staff, type(secret));
      expect(status).toBe(200);
      expect(await login(staff, type(secret))).toMatchObject(used);
      // After ten minutes it is asked for again.
      now += 11 * 60_000;
      const session = server.withCookie(cookie, staff.id, staff.username);
      await session(api.changePassword, { body: { currentPassword: type(secret), newPassword: generatePassword() } });
    }
    // As chosen by a user, it is a password like any other.
    const staff = await server.as('None', 'Lido Beach');
    const chosen = generatePassword();
    await updatePassword(server.db, staff.id, await hashPassword(chosen), false);
    for (const type of typings) expect(await login(staff, type(chosen))).toMatchObject({ status: 401 });
    expect(await login(staff, chosen)).toMatchObject({ status: 200 });
  });

  test('a one-time password of an earlier version, with letters that look like digits, still works', async () => {
    for (const type of [(secret: string) => secret, (secret: string) => secret.replaceAll('-', '').toUpperCase()]) {
      const staff = await server.as('None', 'Lido Beach');
      const secret = 'lion-oil2-iol7-abco';
      await updatePassword(server.db, staff.id, await hashPassword(secret), true);
      expect(await login(staff, type(secret))).toMatchObject({ status: 200 });
    }
  });

  test('a password whose hash is renewed at the sign-in is stored as it was made', async () => {
    const staff = await server.as('None', 'Lido Beach');
    const secret = generatePassword();
    const weaker = await hash(secret, { memoryCost: 8192, timeCost: 2, parallelism: 1 });
    await updatePassword(server.db, staff.id, weaker, true);
    const { cookie } = await login(staff, secret.replaceAll('-', ''));
    now += 11 * 60_000;
    const session = server.withCookie(cookie, staff.id, staff.username);
    await session(api.changePassword, { body: { currentPassword: secret, newPassword } });
  });

  test('a generated password has no letters or digits that look alike', () => {
    const generated = Array.from({ length: 200 }, generatePassword);
    for (const one of generated) expect(one).toMatch(/^[a-hjkmnp-z2-9]{4}(?:-[a-hjkmnp-z2-9]{4}){3}$/);
    expect(new Set(generated.join('')).size).toBe(31 + 1);
  });

  test('of two sign-ins at once with a one-time password, one wins', async () => {
    const staff = await server.as('None', 'Lido Beach');
    const secret = await reset(staff);
    const replies = await Promise.all([login(staff, secret), login(staff, secret), login(staff, secret, randomUUID())]);
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 401, 401]);
  });

  test('a sign-in whose reply was lost is repeated by the same page, and ends the session that nobody knows', async () => {
    const staff = await server.as('None', 'Lido Beach');
    const secret = await reset(staff);
    const [key, other] = [randomUUID(), randomUUID()];
    const lost = await login(staff, secret, key);
    now += 60_000;
    expect(await login(staff, secret, other)).toMatchObject(used);
    const repeated = await login(staff, secret, key);
    expect(repeated.status).toBe(200);
    const open = ({ cookie }: { cookie: string }) => server.withCookie(cookie, staff.id, staff.username);
    await expect(open(lost)(api.getSession)).rejects.toMatchObject({ status: 401 });
    await open(repeated)(api.getSession);
    now += 11 * 60_000;
    expect(await login(staff, secret, key)).toMatchObject(used);
    await open(repeated)(api.changePassword, { body: { currentPassword: secret, newPassword } });
  });

  test('with a second factor, the one-time password is used up by the whole sign-in, not by the first step', async () => {
    const staff = await server.as('None', 'Lido Beach');
    const { key } = await setUpApp(staff, () => now);
    // As in the server's terminal, which keeps the second factor.
    const secret = generatePassword();
    await updatePassword(server.db, staff.id, await hashPassword(secret), true);
    const enter = async (cookie: string) => {
      now += 60_000;
      return post(api.enterCode.path, { code: generateAppCode(key, new Date(now)) }, { cookie });
    };
    const [abandoned, half] = [await login(staff, secret), await login(staff, secret)];
    expect([abandoned.code, half.code]).toEqual(['SECOND_FACTOR', 'SECOND_FACTOR']);
    expect(await enter(half.cookie)).toMatchObject({ status: 200 });
    expect(await enter(abandoned.cookie)).toMatchObject(used);
    expect(await login(staff, secret)).toMatchObject(used);
  });
});
