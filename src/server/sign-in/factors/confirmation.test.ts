import { beforeAll, describe, expect, test } from 'vitest';
import { api, contract } from '#shared/api.ts';
import { newId } from '../../ids.ts';
import { readRows } from '../../testing/rows.ts';
import { confirmIdentity, setUpApp } from '../../testing/second-step.ts';
import { engines, password, type TestClient } from '../../testing/server.ts';
import { createTestServer } from '../../testing/test-server.ts';
import { generateAppCode } from './app-codes.ts';

const confirmationNeeded = { status: 403, code: 'CONFIRMATION_NEEDED' };

describe.each(engines)('a change of second factors, on %s', (engine) => {
  let now = Date.parse('2026-03-10T09:00:00Z');
  const { server } = createTestServer(engine, {}, () => now);
  const pass = (minutes: number) => {
    now += minutes * 60_000;
  };

  test('a change of second factors needs the password, entered in the last ten minutes', async () => {
    const user = await server.as('None');
    pass(9);
    await user(api.startAppSetUp);
    pass(2);
    await expect(user(api.startAppSetUp)).rejects.toMatchObject(confirmationNeeded);
    await expect(user(api.confirmIdentity, { body: { currentPassword: 'not this one' } })).rejects.toMatchObject({
      status: 400,
      fields: { currentPassword: 'This is not your current password' },
    });
    await expect(user(api.startAppSetUp)).rejects.toMatchObject(confirmationNeeded);
    const confirmed = await confirmIdentity(server, user);
    await confirmed(api.startAppSetUp);
    const elsewhere = await server.createSession(user.id, user.username);
    pass(11);
    await confirmIdentity(server, confirmed);
    await expect(elsewhere(api.startAppSetUp)).rejects.toMatchObject(confirmationNeeded);
  });

  test('the set-up of an app is not completed with a recovery code from before a new key was shown', async () => {
    const user = await server.as('None');
    const { key } = await user(api.startAppSetUp);
    const { recoveryCodes = [] } = await user(api.checkAppSetUp, {
      body: { code: generateAppCode(key, new Date(now)) },
    });
    await user(api.startAppSetUp);
    await expect(user(api.confirmRecoveryCodes, { body: { code: recoveryCodes[0] ?? '' } })).rejects.toMatchObject({
      status: 400,
      code: 'WRONG_CODE',
    });
    expect(await user(api.getSecondFactors)).toMatchObject({ appSince: null });
  });

  test('a change of second factors needs the second factor too, if there is one', async () => {
    let user = await server.as('Admin');
    const other = await server.as('Admin');
    await setUpApp(other, () => now);
    await other(api.createRecoveryCodes);
    const readOther = () => readRows(server.db, 'recovery_codes', { user_id: other.id }, 'code_hash');
    const before = await readOther();
    const { key, recoveryCodes } = await setUpApp(user, () => now);
    pass(11);
    for (const change of [api.removeApp, api.createRecoveryCodes])
      await expect(user(change)).rejects.toMatchObject(confirmationNeeded);
    const confirm = async (code?: string) => {
      user = await confirmIdentity(server, user, code === undefined ? {} : { code });
    };
    await expect(confirm()).rejects.toMatchObject({ status: 400, fields: { code: 'Enter the code' } });
    await expect(confirm('12345')).rejects.toMatchObject({ status: 400, code: 'WRONG_CODE' });
    await expect(confirm(generateAppCode(key, new Date(now - 30_000)))).rejects.toMatchObject({ code: 'EXPIRED_CODE' });
    await expect(user(api.removeApp)).rejects.toMatchObject(confirmationNeeded);
    await confirm(generateAppCode(key, new Date(now)));
    const renewed = await user(api.createRecoveryCodes);
    expect(await user(api.getSecondFactors)).toMatchObject({ recoveryCodes: 9 });
    pass(11);
    // The earlier codes work until one of the new ones was typed back.
    await confirm(recoveryCodes[0]);
    await user(api.confirmRecoveryCodes, { body: { code: renewed.recoveryCodes[9] ?? '' } });
    expect(await user(api.getSecondFactors)).toMatchObject({ recoveryCodes: 9 });
    pass(11);
    // Someone may have seen the code that was typed back.
    await expect(confirm(renewed.recoveryCodes[9])).rejects.toMatchObject({ code: 'WRONG_CODE' });
    await expect(confirm(recoveryCodes[1])).rejects.toMatchObject({ code: 'WRONG_CODE' });
    await confirm(renewed.recoveryCodes[1]);
    await user(api.removeApp);
    await user(api.removeApp);
    expect(await user(api.getSecondFactors)).toMatchObject({ appSince: null, passkeys: [], recoveryCodes: 0 });
    expect(await readOther()).toEqual(before);
    await server.signIn(user.username);
    const notices = (await user(api.listNotifications)).map(({ text }) => text);
    expect(notices).toEqual([
      'Signing in no longer needs a code from your app',
      'One of your recovery codes was used. If it was not you, tell an Admin',
      'You have new recovery codes. The earlier ones no longer work',
      'One of your recovery codes was used. If it was not you, tell an Admin',
      'Signing in now needs a second factor',
    ]);
  });

  test('users with a second factor need it to change the password or email address, or to end other sessions', async () => {
    const user = await server.as('None');
    await server.db.updateTable('users').set({ email: 'sian@example.com' }).where('id', '=', user.id).execute();
    const { key } = await setUpApp(user, () => now);
    const elsewhere = await server.createSession(user.id, user.username);
    pass(11);
    const newPassword = 'another walk on the shore';
    const changes = (client: typeof user) => [
      () => client(api.requestEmailChange, { body: { email: '', currentPassword: password } }),
      () => client(api.endSessions, { body: { currentPassword: password } }),
      () => client(api.changePassword, { body: { currentPassword: password, newPassword } }),
    ];
    for (const change of changes(user)) await expect(change()).rejects.toMatchObject(confirmationNeeded);
    await elsewhere(api.getSession);
    const confirmed = await confirmIdentity(server, user, { code: generateAppCode(key, new Date(now)) });
    for (const change of changes(confirmed)) await change();
    await expect(elsewhere(api.getSession)).rejects.toMatchObject({ status: 401 });
    expect((await confirmed(api.listNotifications)).map(({ text }) => text)).toEqual(
      expect.arrayContaining([
        'Your password was changed',
        'A device of yours was signed out',
        'Your email address was removed. If you did not ask for it, tell an Admin',
      ]),
    );
  });

  test('a confirmation gives the session a new token, keeps its device subscribed, and ends the earlier token after 30 seconds', async () => {
    const user = await server.as('None');
    const keys = { p256dh: `B${'A'.repeat(86)}`, auth: 'A'.repeat(22) };
    await user(api.addPushSubscription, { body: { endpoint: `https://fcm.googleapis.com/${user.id}`, keys } });
    const confirmed = await confirmIdentity(server, user);
    expect(confirmed.cookie).not.toBe(user.cookie);
    now += 29_000;
    await Promise.all([user(api.getSession), confirmed(api.getSession)]);
    expect(await confirmed(api.listSessions)).toHaveLength(1);
    now += 2_000;
    await expect(user(api.getSession)).rejects.toMatchObject({ status: 401 });
    const subscriptions = () =>
      server.db.selectFrom('push_subscriptions').select('endpoint').where('user_id', '=', user.id).execute();
    expect(await subscriptions()).toHaveLength(1);
    await confirmed(api.logout);
    expect(await subscriptions()).toEqual([]);
  });

  test('the set-up of an app counts only once a recovery code was typed back', async () => {
    const user = await server.as('None');
    const { key } = await user(api.startAppSetUp);
    const code = generateAppCode(key, new Date(now));
    await expect(user(api.checkAppSetUp, { body: { code: '123' } })).rejects.toMatchObject({ code: 'WRONG_CODE' });
    await user(api.checkAppSetUp, { body: { code } });
    await expect(user(api.confirmRecoveryCodes, { body: { code: '1-aaaa' } })).rejects.toMatchObject({
      code: 'WRONG_CODE',
    });
    await server.signIn(user.username);
    expect(await user(api.getSecondFactors)).toMatchObject({ appSince: null, passkeys: [], recoveryCodes: 0 });
  });

  test('a second authenticator app can be set up only after the first is removed', async () => {
    const user = await server.as('None');
    await setUpApp(user, () => now);
    await expect(user(api.startAppSetUp)).rejects.toMatchObject({ status: 409 });
  });
});

/** Calls about signing in that add and change no way in, or need no session. */
const otherCalls = new Set([
  ...['login', 'enterCode', 'requestPasskey', 'signInWithPasskey', 'signInWithPin', 'logout', 'confirmEmailChange'],
  // With the purpose 'link' it fails like the others: see below.
  ...['startProviderSignIn', 'completeProviderSignIn'],
  // It gives the session a new token, and needs the password, a passkey or the provider.
  'confirmIdentity',
  ...['putOffSecondFactor', 'refuseIdentity', 'removeSharedDevice', 'userExists', 'deleteUser', 'saveFirstSteps'],
]);

const signInCalls = Object.entries(contract).filter(
  ([name, { method, path, ...endpoint }]) =>
    method !== 'GET' &&
    !otherCalls.has(name) &&
    ('notByPin' in endpoint ||
      'needsConfirmation' in endpoint ||
      /^\/api\/(?:login|logout|change-password|pin|email|users?\/|shared-device|admin\/(?:[\w-]*user|assign))/.test(
        path,
      )),
);

describe.each(engines)('the token of a session from before a confirmation, on %s', (engine) => {
  let confirmed: TestClient;
  const { server } = createTestServer(engine, { RATE_SCALE: '100' });
  const copied = server.user('Admin');
  beforeAll(async () => {
    confirmed = await confirmIdentity(server, copied);
  });

  test.each(signInCalls)('does not work for %s', async (_, { method, path }) => {
    const response = await copied.fetch(path.replace('{id}', newId()), { method });
    expect(response.status).toBe(401);
  });

  test('works for other calls, and to confirm again', async () => {
    await copied(api.listSessions);
    await confirmIdentity(server, copied);
    await expect(confirmed(api.startAppSetUp)).rejects.toMatchObject({ status: 401 });
  });
});

test('no endpoint for signing in stores its reply for retries, because it may contain codes', () => {
  const endpoints = Object.values(contract).filter(({ path }) => /login|factors|recovery|identity/.test(path));
  expect(endpoints.length).toBeGreaterThan(7);
  for (const endpoint of endpoints) expect(endpoint).not.toHaveProperty('idempotent');
});
