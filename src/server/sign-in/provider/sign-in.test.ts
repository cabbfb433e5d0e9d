import { describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { openSecrets } from '../../secrets/secrets-key.ts';
import { addPasskey, createAuthenticator } from '../../testing/authenticator.ts';
import { startOidcProvider } from '../../testing/oidc-provider.ts';
import { signInWithPasskey } from '../../testing/second-step.ts';
import { engines, password, startTestServer } from '../../testing/server.ts';
import { makePinUser, pin, shareDevice, signInWithPin } from '../../testing/shared-devices.ts';
import {
  at,
  linkUser,
  readProviderClient,
  returnFromProvider,
  signInAtProvider,
  startAtProvider,
} from '../../testing/single-sign-on.ts';
import { createTestServer, setUp } from '../../testing/test-server.ts';
import { insertPin } from '../devices/pins.ts';
import { saveWaitingIdentity } from '../session/identity-links.ts';

const day = 24 * 60 * 60_000;
const hour = 60 * 60_000;
const origin = 'http://localhost:3000';

describe.each(engines)('single sign-on on %s', (engine) => {
  let offset = 0;
  let count = 0;
  const provider = setUp(() => startOidcProvider({}));
  const settings = () => ({ ...provider.settings, PUBLIC_URL: origin });
  const { server, admin } = createTestServer(engine, settings, () => new Date(Date.now() + offset));

  /** An account that nobody is linked to. */
  function newAccount(claims = {}) {
    count += 1;
    const sub = `account-${count}`;
    provider.accounts[sub] = { claims };
    return sub;
  }

  async function newLinkedUser(role: 'None' | 'Admin' = 'None') {
    const user = await server.as(role, role === 'None' ? 'Mounds' : '');
    const sub = newAccount();
    await linkUser(server, provider, user.id, sub);
    return { user, sub };
  }

  const login = (username: string) => server.anonymous(api.login, { body: { username, password } });

  test('a linked user signs in through the provider', async () => {
    const { user, sub } = await newLinkedUser();

    const step = await signInAtProvider(server, provider, sub);

    expect(step.body).toEqual({ success: true, role: 'None', purpose: 'sign in' });
    const client = readProviderClient(server, step, user);
    expect((await client(api.getSession)).user.id).toBe(user.id);
    expect(await client(api.listSessions)).toContainEqual(
      expect.objectContaining({ method: 'single sign-on', isThis: true }),
    );
    const listed = (await admin(api.listUsers)).find(({ id }) => id === user.id);
    expect(listed).toMatchObject({ link: { isRefused: false, lastSignInAt: expect.any(String) } });
    expect(await client(api.getSecondFactors)).toMatchObject({ isLinked: true });
  });

  test('the browser is sent to choose an account, and asks for no refresh token', async () => {
    const { searchParams } = new URL((await startAtProvider(server)).url);
    expect(Object.fromEntries(searchParams)).toMatchObject({
      prompt: 'select_account',
      code_challenge_method: 'S256',
      scope: 'openid profile email',
      redirect_uri: `${origin}/sign-in/return`,
    });
  });

  test('someone with the username and email of a user waits until an Admin links them', async () => {
    const user = await server.as('None', 'Mounds');
    await admin(api.updateUserDetails, { params: { id: user.id }, body: { full_name: '', email: 'nia@example.com' } });
    const claims = { preferred_username: user.username, email: 'nia@example.com', name: 'Nia' };
    const sub = newAccount({ ...claims, email_verified: true });

    for (const _ of [1, 2])
      expect(await signInAtProvider(server, provider, sub)).toMatchObject({ status: 403, body: { code: 'ASK_ADMIN' } });

    const waiting = (await admin(api.listWaitingIdentities)).filter(({ name }) => name === 'Nia');
    expect(waiting).toMatchObject([{ email: 'nia@example.com' }]);
    const link = { params: { id: waiting[0]?.id ?? '' }, body: { user: user.id } };
    await admin(api.linkIdentity, link);
    // The session that was begun with the password has ended.
    await expect(user(api.getSession)).rejects.toMatchObject({ status: 401 });
    expect(await admin(api.listWaitingIdentities)).not.toContainEqual(expect.objectContaining({ name: 'Nia' }));
    await expect(admin(api.linkIdentity, link)).rejects.toMatchObject({ status: 409 });
    expect((await signInAtProvider(server, provider, sub)).status).toBe(200);
  });

  test('an identity that an Admin removed waits again when it is used again', async () => {
    const sub = newAccount({ name: 'Bryn' });
    const find = async () => (await admin(api.listWaitingIdentities)).find(({ name }) => name === 'Bryn');
    await signInAtProvider(server, provider, sub);

    await admin(api.refuseIdentity, { params: { id: (await find())?.id ?? '' } });

    expect(await find()).toBeUndefined();
    await signInAtProvider(server, provider, sub);
    expect(await find()).toBeDefined();
  });

  test('at most 100 identities wait, for 30 days', async () => {
    await signInAtProvider(server, provider, newAccount({ name: 'First' }));
    for (let number = 0; number < 100; number += 1) {
      const at = new Date(Date.now() + 1000 + number);
      await saveWaitingIdentity(server.db, `hash ${number}`, { name: `Person ${number}`, email: '' }, at);
    }
    const names = (await admin(api.listWaitingIdentities)).map(({ name }) => name);
    expect(names).toHaveLength(100);
    expect(names).not.toContain('First');
    offset = 31 * day;
    const later = await server.as('Admin');
    expect(await later(api.listWaitingIdentities)).toEqual([]);
    offset = 0;
    // The next tests' identities would be older than these, and deleted as the oldest of more than 100.
    await server.db.deleteFrom('waiting_identities').execute();
  });

  test('the same subject at another issuer is someone else', async () => {
    const user = await server.as('None', 'Mounds');
    const sub = newAccount();
    await linkUser(server, { issuer: 'https://other.example' }, user.id, sub);

    expect(await signInAtProvider(server, provider, sub)).toMatchObject({ status: 403, body: { code: 'ASK_ADMIN' } });
  });

  test('the password of linked staff is rejected like a wrong one, and that of a linked Admin is accepted', async () => {
    const { user } = await newLinkedUser();
    const wrong = { status: 401, message: 'Invalid username or password' };
    await expect(login(user.username)).rejects.toMatchObject(wrong);
    await expect(user(api.confirmIdentity, { body: { currentPassword: password } })).rejects.toMatchObject({
      status: 400,
      message: 'This is not your current password',
    });

    const { user: boss } = await newLinkedUser('Admin');
    expect(await login(boss.username)).toMatchObject({ role: 'Admin' });
    expect(await user(api.getSecondFactors)).toMatchObject({ hasPassword: false });
    expect(await boss(api.getSecondFactors)).toMatchObject({ hasPassword: true });
  });

  test('a linked user gets a new password only after they were unlinked', async () => {
    const { user } = await newLinkedUser();
    const reset = () => admin(api.resetPassword, { body: { id: user.id } });
    await expect(reset()).rejects.toMatchObject({ status: 409 });
    await admin(api.unlinkUser, { params: { id: user.id } });
    expect(await reset()).toMatchObject({ success: true });
  });

  test('the passkey of linked staff does not sign in, that of an Admin does', async () => {
    for (const [role, status] of [
      ['None', 401],
      ['Admin', 200],
    ] as const) {
      const { user } = await newLinkedUser(role);
      const passkey = createAuthenticator(origin);
      await addPasskey(user, passkey);
      const { challenge } = await server.anonymous(api.requestPasskey);
      const signed = passkey.sign(challenge);
      const response = await signInWithPasskey(server.url, signed);
      expect(response.status).toBe(status);
    }
  });

  test('a PIN works for seven days after the last sign-in at the provider', async () => {
    const device = await shareDevice(await server.as('Admin'));
    const staff = await makePinUser(server);
    const sub = newAccount();
    await linkUser(server, provider, staff.id, sub);
    expect(await signInWithPin(server, device, staff)).toMatchObject({ status: 200 });

    offset = 8 * day;
    expect(await signInWithPin(server, device, staff)).toMatchObject({ status: 403, code: 'PIN_BLOCKED' });
    await signInAtProvider(server, provider, sub);
    expect(await signInWithPin(server, device, staff)).toMatchObject({ status: 200 });
    // The clock was ahead.
    offset = 0;
    expect(await signInWithPin(server, device, staff)).toMatchObject({ status: 403, code: 'PIN_BLOCKED' });
  });

  test('a user who has just signed in at the provider can set a PIN and end other sessions without a password', async () => {
    const { user, sub } = await newLinkedUser();
    const client = readProviderClient(server, await signInAtProvider(server, provider, sub), user);

    await client(api.endSessions, { body: { currentPassword: '' } });

    await expect(user(api.getSession)).rejects.toMatchObject({ status: 401 });
    expect(await client(api.setPin, { body: { pin: '274916' } })).toEqual({ success: true });
    offset = 11 * 60_000;
    const late = { status: 403, code: 'CONFIRMATION_NEEDED' };
    await expect(client(api.setPin, { body: { pin: '482915' } })).rejects.toMatchObject(late);
    await expect(
      client(api.changePassword, { body: { newPassword: 'another walk on the shore' } }),
    ).rejects.toMatchObject(late);
    offset = 0;
  });

  test('a session begun at the provider lasts at most 12 hours', async () => {
    const { user, sub } = await newLinkedUser();
    const client = readProviderClient(server, await signInAtProvider(server, provider, sub), user);
    const { expiresAt } = await client(api.getSession);
    expect(Date.parse(expiresAt) - Date.now()).toBeLessThanOrEqual(12 * hour);
    offset = 11.9 * hour;
    await client(api.getSession);
    offset = 12.1 * hour;
    await expect(client(api.getSession)).rejects.toMatchObject({ status: 401 });
    offset = 0;
  });

  test('a shared device cannot start a sign-in at the provider', async () => {
    const cookie = await shareDevice(await server.as('Admin'));
    expect(await startAtProvider({ url: server.url, cookie })).toMatchObject({ status: 403 });
    // The same holds after a restore, until an Admin allows the device.
    await server.db.updateTable('shared_devices').set({ is_allowed: 0 }).execute();
    expect(await startAtProvider({ url: server.url, cookie })).toMatchObject({ status: 403 });
    const asDevice = server.withCookie(cookie, '', '');
    await expect(asDevice(api.getOwnSharedDevice)).rejects.toMatchObject({ code: 'NOT_ALLOWED_YET' });
  });

  test('a session started with a PIN can neither link nor confirm through the provider', async () => {
    const device = await shareDevice(await server.as('Admin'));
    const { client } = await signInWithPin(server, device, await makePinUser(server));
    for (const purpose of ['sign in', 'link', 'confirm'] as const)
      expect(await startAtProvider(at(server, client), purpose)).toMatchObject({ status: 403 });
  });

  test('a user links their own account once they have confirmed who they are', async () => {
    const user = await server.as('None', 'Mounds');
    const sub = newAccount({ name: 'Elin' });
    await signInAtProvider(server, provider, sub);
    const late = await server.as('None', 'Mounds');
    offset = 11 * 60_000;
    expect(await startAtProvider(at(server, late), 'link')).toMatchObject({ body: { code: 'CONFIRMATION_NEEDED' } });
    offset = 0;

    const elsewhere = await server.createSession(user.id, user.username);
    const step = await signInAtProvider(at(server, user), provider, sub, 'link');

    expect(step).toMatchObject({ status: 200, body: { purpose: 'link' } });
    expect((await user(api.getSession)).user.id).toBe(user.id);
    await expect(elsewhere(api.getSession)).rejects.toMatchObject({ status: 401 });
    expect((await signInAtProvider(server, provider, sub)).status).toBe(200);
    expect(await admin(api.listWaitingIdentities)).not.toContainEqual(expect.objectContaining({ name: 'Elin' }));
    const taken = await signInAtProvider(at(server, await server.as('None', 'Mounds')), provider, sub, 'link');
    expect(taken).toMatchObject({ status: 409, body: { code: 'LINKED_ALREADY' } });
    const second = await signInAtProvider(at(server, user), provider, newAccount(), 'link');
    expect(second).toMatchObject({ status: 409, body: { code: 'LINKED_ALREADY' } });
  });

  test("linking an account is not completed in another user's session", async () => {
    const [user, other] = [await server.as('None', 'Mounds'), await server.as('None', 'Mounds')];
    const { url, cookie } = await startAtProvider(at(server, user), 'link');
    const query = await provider.signIn(url, newAccount());
    const outcome = await returnFromProvider(at(server, other), cookie, query);
    expect(outcome).toMatchObject({ status: 400, body: { code: 'SIGN_IN_AGAIN' } });
  });

  test('unlinking a user ends their sessions and lets them use the password again', async () => {
    const { user, sub } = await newLinkedUser();
    const client = readProviderClient(server, await signInAtProvider(server, provider, sub), user);

    await admin(api.unlinkUser, { params: { id: user.id } });

    await expect(client(api.getSession)).rejects.toMatchObject({ status: 401 });
    expect(await login(user.username)).toMatchObject({ success: true });
    await expect(admin(api.unlinkUser, { params: { id: user.id } })).rejects.toMatchObject({ status: 404 });
  });

  test('the identity of a deleted user is rejected, even if another user tries to link it, until an Admin does', async () => {
    const { user, sub } = await newLinkedUser();
    provider.accounts[sub] = { claims: { name: 'Leaver', preferred_username: user.username } };
    await admin(api.deleteUser, { params: { id: user.id } });
    const [row] = await server.db.selectFrom('identity_links').selectAll().where('user_id', '=', user.id).execute();
    expect(row).toMatchObject({ created_by: '', last_sign_in_at: null });

    expect(await signInAtProvider(server, provider, sub)).toMatchObject({ status: 403, body: { code: 'NO_ACCESS' } });

    const again = await server.as('None', 'Mounds');
    expect(await signInAtProvider(at(server, again), provider, sub, 'link')).toMatchObject({ status: 409 });
    const waiting = (await admin(api.listWaitingIdentities)).find(({ name }) => name === 'Leaver');
    await admin(api.linkIdentity, { params: { id: waiting?.id ?? '' }, body: { user: again.id } });
    expect((await signInAtProvider(server, provider, sub)).status).toBe(200);
  });
});

describe.each(engines)('settings of single sign-on on %s', (engine) => {
  test('LOCAL_SIGN_IN=admins stops everyone else signing in with a password, but not with a PIN', async () => {
    await using provider = await startOidcProvider({});
    await using server = await startTestServer(engine, { ...provider.settings, LOCAL_SIGN_IN: 'admins' });
    const admin = await server.as('Admin', 'Mounds');
    const staff = await server.as('None', 'Lido Beach');
    const login = (username: string) => server.anonymous(api.login, { body: { username, password } });
    expect(await login(admin.username)).toMatchObject({ success: true });
    await expect(login(staff.username)).rejects.toMatchObject({ status: 401, message: 'Invalid username or password' });
    const device = await shareDevice(await server.as('Admin'));
    const secrets = await openSecrets(server.config, server.db);
    await insertPin(server.db, secrets, staff.id, pin, new Date());
    expect(await signInWithPin(server, device, staff)).toMatchObject({ status: 200 });
  });

  test('a wrong client secret is reported as an unreachable provider, not as an error of the user', async () => {
    await using provider = await startOidcProvider({ sian: {} });
    await using server = await startTestServer(engine, { ...provider.settings, OIDC_CLIENT_SECRET: 'expired' });
    const unreachable = { status: 503, body: { code: 'PROVIDER_UNREACHABLE' } };
    expect(await signInAtProvider(server, provider, 'sian')).toMatchObject(unreachable);
  });

  test('while the provider cannot be reached users sign in with passwords, and it is used again once it is back', async () => {
    const provider = await startOidcProvider({ sian: {} });
    await using server = await startTestServer(engine, provider.settings);
    const { port } = new URL(provider.issuer);
    await provider.stop();
    const unreachable = { status: 503, body: { code: 'PROVIDER_UNREACHABLE' } };
    expect(await startAtProvider(server)).toMatchObject(unreachable);
    const user = await server.as('None', 'Mounds');
    expect(await server.anonymous(api.login, { body: { username: user.username, password } })).toBeDefined();
    await linkUser(server, provider, user.id, 'sian');
    const back = await startOidcProvider({ sian: {} }, { port: Number(port) });
    const { url, cookie } = await startAtProvider(server);
    const query = await back.signIn(url, 'sian');
    await back.stop();
    expect(await returnFromProvider(server, cookie, query)).toMatchObject(unreachable);
    await using third = await startOidcProvider({ sian: {} }, { port: Number(port) });
    expect((await signInAtProvider(server, third, 'sian')).status).toBe(200);
  });
});
