import { beforeEach, describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { type Authenticator, addPasskey, createAuthenticator } from '../../testing/authenticator.ts';
import { confirmIdentity, enterCode, enterPassword, setUpApp, signInWithPasskey } from '../../testing/second-step.ts';
import { engines, password, startTestServer, type TestClient } from '../../testing/server.ts';
import { createTestServer } from '../../testing/test-server.ts';
import { generateAppCode } from './app-codes.ts';

const origin = 'https://reports.example.com';
const minute = 60_000;

describe.each(engines)('passkeys, on %s', (engine) => {
  let now = Date.parse('2026-03-10T09:00:00Z');
  let user: TestClient;
  let passkey: Authenticator;
  let recoveryCodes: string[];
  const { server } = createTestServer(engine, { PUBLIC_URL: origin }, () => now);
  beforeEach(async () => {
    now += minute;
    user = await server.as('Health & Safety Manager');
    passkey = createAuthenticator(origin);
    recoveryCodes = await addPasskey(user, passkey);
  });

  const request = async () => (await server.anonymous(api.requestPasskey)).challenge;
  const sign = async (changes: Parameters<Authenticator['sign']>[1] = {}) => passkey.sign(await request(), changes);
  const signIn = (signed: object) => signInWithPasskey(server.url, signed);
  const rejection = { status: 401, body: { code: 'WRONG_PASSKEY', message: 'This passkey was not accepted' } };
  const listOwn = async () => (await user(api.getSecondFactors)).passkeys;
  const listNotices = async () => (await user(api.listNotifications)).map(({ text }) => text);

  test('a user signs in with a passkey alone, and the list of sessions says so', async () => {
    const { status, body, cookie } = await signIn(await sign());
    expect([status, body]).toEqual([200, { success: true, role: 'Health & Safety Manager' }]);
    const [session] = await server.withCookie(cookie, user.id, user.username)(api.listSessions);
    expect(session).toMatchObject({ method: 'passkey', isThis: true });
    expect(await listOwn()).toEqual([
      {
        ...{ id: expect.any(String), name: 'Phone', isUsable: true, isSynced: false },
        ...{ created_at: new Date(now).toISOString(), last_used_at: new Date(now).toISOString() },
      },
    ]);
    const admin = await server.as('Admin');
    const [entry] = await admin(api.listActivity, { query: { thing_id: user.id } });
    expect(entry).toMatchObject({ action: 'signed in', actor: user.username });
  });

  test('a passkey completes the second step of its own user only', async () => {
    const other = await server.as('None');
    const otherPasskey = createAuthenticator(origin);
    await addPasskey(other, otherPasskey);
    const { status, body, cookie } = await enterPassword(server.url, user.username);
    expect([status, body]).toEqual([
      401,
      expect.objectContaining({ code: 'SECOND_FACTOR', methods: ['passkey', 'recoveryCode'] }),
    ]);
    expect(await enterCode(server.url, cookie, { passkey: otherPasskey.sign(await request()) })).toMatchObject(
      rejection,
    );
    const done = await enterCode(server.url, cookie, { passkey: await sign() });
    expect(done.status).toBe(200);
    const [session] = await server.withCookie(done.cookie, '', '')(api.listSessions);
    expect(session).toMatchObject({ method: 'password and passkey' });
  });

  test('five wrong passkeys end a sign-in whose password was right', async () => {
    const { cookie } = await enterPassword(server.url, user.username);
    for (let times = 0; times < 4; times++)
      expect(await enterCode(server.url, cookie, { passkey: passkey.sign('x') })).toMatchObject(rejection);
    const last = await enterCode(server.url, cookie, { passkey: passkey.sign('x') });
    expect(last.body).toMatchObject({ code: 'SIGN_IN_AGAIN' });
    expect((await enterCode(server.url, cookie, { passkey: await sign() })).status).toBe(401);
  });

  test('a signature of a passkey is accepted only once, even in two simultaneous requests, and only for five minutes', async () => {
    const signed = await sign();
    const results = await Promise.all([signIn(signed), signIn(signed)]);
    expect(results.map(({ status }) => status).toSorted()).toEqual([200, 401]);
    expect(await signIn(signed)).toMatchObject(rejection);
    const late = await sign();
    now += 5 * minute;
    expect(await signIn(late)).toMatchObject(rejection);
  });

  test.each([
    ['for another site', { origin: 'https://reports.example.com.evil.example' }],
    ['for another host name', { host: 'example.com' }],
    ['without recognising its user', { isUserVerified: false }],
    ['as a key that can be copied, if it could not before', { canBeBackedUp: true }],
    ['for another user', { userHandle: 'AAAA' }],
    ['with another signature', { signature: 'AAAA' }],
  ])('a signature of a passkey %s is rejected', async (_, changes) => {
    const signed = await sign(changes);
    expect(await signIn({ ...signed, response: { ...signed.response, ...changes } })).toMatchObject(rejection);
    expect((await signIn(await sign())).status).toBe(200);
  });

  test('a signature of a challenge that the server did not create for signing in with a passkey is rejected', async () => {
    expect(await signIn(passkey.sign('A'.repeat(43)))).toMatchObject(rejection);
    const { challenge } = await user(api.startPasskeySetUp);
    expect(await signIn(passkey.sign(challenge))).toMatchObject(rejection);
    const { cookie } = await enterPassword(server.url, user.username);
    const secondStep = cookie.split('=')[1] ?? '';
    expect(await signIn(passkey.sign(secondStep))).toMatchObject(rejection);
  });

  test('a signature whose counter does not increase is rejected, unless the counter stays zero', async () => {
    expect((await signIn(await sign({ counter: 9 }))).status).toBe(200);
    for (const counter of [9, 8, 0]) expect(await signIn(await sign({ counter }))).toMatchObject(rejection);
    const results = await Promise.all([signIn(await sign({ counter: 10 })), signIn(await sign({ counter: 10 }))]);
    expect(results.map(({ status }) => status).toSorted()).toEqual([200, 401]);
    passkey = createAuthenticator(origin);
    await addPasskey(user, passkey, 'Security key');
    for (let times = 0; times < 2; times++) expect((await signIn(await sign({ counter: 0 }))).status).toBe(200);
  });

  test('an unknown passkey, one of a deleted user and one removed by a password reset are rejected alike', async () => {
    const unknown = createAuthenticator(origin);
    expect(await signIn(unknown.sign(await request()))).toMatchObject(rejection);
    const admin = await server.as('Admin');
    await admin(api.resetPassword, { body: { id: user.id, reason: 'She came to the office' } });
    expect(await signIn(await sign())).toMatchObject(rejection);
    const left = await server.as('None');
    await addPasskey(left, unknown);
    await admin(api.deleteUser, { params: { id: left.id } });
    expect(await signIn(unknown.sign(await request()))).toMatchObject(rejection);
    expect(
      await server.db.selectFrom('passkeys').selectAll().where('user_id', 'in', [user.id, left.id]).execute(),
    ).toEqual([]);
  });

  test('the first passkey becomes a second factor only once a recovery code was typed back', async () => {
    const person = await server.as('None');
    const created = createAuthenticator(origin).create(await person(api.startPasskeySetUp));
    const { recoveryCodes = [] } = await person(api.addPasskey, { body: { name: 'Phone', passkey: created } });
    expect(recoveryCodes).toHaveLength(10);
    await server.signIn(person.username);
    // Another set-up does not complete this one.
    await person(api.startAppSetUp);
    await expect(person(api.confirmRecoveryCodes, { body: { code: recoveryCodes[0] ?? '' } })).rejects.toMatchObject({
      code: 'WRONG_CODE',
    });
    expect(await person(api.getSecondFactors)).toMatchObject({ appSince: null, passkeys: [], recoveryCodes: 0 });
  });

  test('renewing the recovery codes does not complete an unfinished set-up of an app', async () => {
    await user(api.startAppSetUp);
    const { recoveryCodes } = await user(api.createRecoveryCodes);
    await user(api.confirmRecoveryCodes, { body: { code: recoveryCodes[0] ?? '' } });
    expect(await user(api.getSecondFactors)).toMatchObject({ appSince: null, recoveryCodes: 9 });
  });

  test('a further passkey and an app work at once, and recovery codes stay while there is a second factor', async () => {
    now += minute;
    expect(await addPasskey(user, createAuthenticator(origin), 'Laptop')).toEqual([]);
    const { key } = await setUpApp(user, () => now);
    const [first, second] = await listOwn();
    await user(api.removePasskey, { params: { id: first?.id ?? '' } });
    await user(api.removePasskey, { params: { id: first?.id ?? '' } });
    expect(await signIn(await sign())).toMatchObject(rejection);
    now += minute;
    const { cookie } = await enterPassword(server.url, user.username);
    expect((await enterCode(server.url, cookie, generateAppCode(key, new Date(now)))).status).toBe(200);
    await user(api.removeApp);
    expect(await user(api.getSecondFactors)).toMatchObject({ appSince: null, recoveryCodes: 9 });
    await user(api.removePasskey, { params: { id: second?.id ?? '' } });
    expect(await user(api.getSecondFactors)).toMatchObject({ appSince: null, passkeys: [], recoveryCodes: 0 });
    expect(await listNotices()).toEqual([
      'A passkey of yours was removed',
      'Signing in no longer needs a code from your app',
      'A passkey of yours was removed',
      'Signing in now accepts codes from your app',
      'Signing in now accepts a new passkey of yours',
      'Signing in now needs a second factor',
    ]);
    await server.signIn(user.username);
  });

  test('a passkey of another user cannot be renamed, removed or added again', async () => {
    const [own] = await listOwn();
    const params = { id: own?.id ?? '' };
    const other = await server.as('Admin');
    await expect(other(api.renamePasskey, { params, body: { name: 'Mine' } })).rejects.toMatchObject({ status: 404 });
    await other(api.removePasskey, { params });
    const copy = passkey.create(await other(api.startPasskeySetUp));
    await expect(other(api.addPasskey, { body: { name: 'Copy', passkey: copy } })).rejects.toMatchObject({
      status: 409,
    });
    await addPasskey(user, createAuthenticator(origin), 'Key');
    await user(api.renamePasskey, { params, body: { name: 'Work phone' } });
    expect((await listOwn()).map(({ name }) => name).toSorted()).toEqual(['Key', 'Work phone']);
    expect(await listNotices()).toContain('A passkey of yours was renamed');
  });

  test.each([
    ['for another site', { origin: 'https://evil.example' }],
    ['for another host name', { host: 'example.com' }],
    ['without recognising its user', { isUserVerified: false }],
  ])('a new passkey made %s is rejected', async (_, changes) => {
    const created = createAuthenticator(origin).create(await user(api.startPasskeySetUp), changes);
    await expect(user(api.addPasskey, { body: { name: 'Phone', passkey: created } })).rejects.toMatchObject({
      status: 400,
    });
  });

  test('a new passkey is rejected for the challenge of another user, and the second time', async () => {
    const other = await server.as('None');
    const created = createAuthenticator(origin).create(await other(api.startPasskeySetUp));
    const add = (client: TestClient) => client(api.addPasskey, { body: { name: 'Phone', passkey: created } });
    await expect(add(user)).rejects.toMatchObject({ status: 400 });
    await expect(add(other)).rejects.toMatchObject({ status: 400 });
  });

  test('changing passkeys needs a confirmation in the last ten minutes, for which a passkey alone is enough', async () => {
    const [own] = await listOwn();
    const params = { id: own?.id ?? '' };
    now += 11 * minute;
    for (const change of [
      () => user(api.startPasskeySetUp),
      () => user(api.renamePasskey, { params, body: { name: 'Mine' } }),
      () => user(api.removePasskey, { params }),
    ])
      await expect(change()).rejects.toMatchObject({ code: 'CONFIRMATION_NEEDED' });
    const other = await server.as('None');
    await expect(confirmIdentity(server, other, { passkey: await sign() })).rejects.toMatchObject({
      status: 400,
      code: 'WRONG_PASSKEY',
    });
    await expect(user(api.confirmIdentity, { body: { code: recoveryCodes[0] } })).rejects.toMatchObject({
      fields: { currentPassword: 'Enter your current password' },
    });
    const confirmed = await confirmIdentity(server, user, { passkey: await sign() });
    await confirmed(api.removePasskey, { params });
    expect(await confirmed(api.getSecondFactors)).toMatchObject({ passkeys: [] });
  });

  test('Admins see whether a user can complete two-factor sign-in in one way or several', async () => {
    const admin = await server.as('Admin');
    const see = async () => (await admin(api.listUsers)).find(({ id }) => id === user.id)?.secondFactor;
    expect(await see()).toBe('several');
    await server.db.deleteFrom('recovery_codes').where('user_id', '=', user.id).execute();
    expect(await see()).toBe('oneWay');
    await addPasskey(user, createAuthenticator(origin), 'Laptop');
    expect(await see()).toBe('several');
  });

  test('passkeys of another host name are not offered, and a password alone is still not enough', async () => {
    await server.db.updateTable('passkeys').set({ host: 'old.example.com' }).where('user_id', '=', user.id).execute();
    expect(await listOwn()).toMatchObject([{ isUsable: false }]);
    const { body, cookie } = await enterPassword(server.url, user.username);
    expect(body).toMatchObject({ code: 'SECOND_FACTOR', methods: ['recoveryCode'] });
    expect((await enterCode(server.url, cookie, recoveryCodes[0] ?? '')).status).toBe(200);
    expect((await enterPassword(server.url, user.username, password)).status).toBe(401);
  });

  test('a passkey without a name is rejected', async () => {
    const created = createAuthenticator(origin).create(await user(api.startPasskeySetUp));
    await expect(user(api.addPasskey, { body: { name: ' ', passkey: created } })).rejects.toMatchObject({
      fields: { name: 'Enter a name' },
    });
  });
});

test.each(['http://reports.example.com', 'https://203.0.113.7', 'https://[2001:db8::1]'])(
  'no passkeys are offered at %s, where browsers do not support them',
  async (address) => {
    await using server = await startTestServer('sqlite', { PUBLIC_URL: address });
    await expect(server.anonymous(api.requestPasskey)).rejects.toMatchObject({ status: 409 });
    await expect((await server.as('None'))(api.startPasskeySetUp)).rejects.toMatchObject({ status: 409 });
  },
);
