import { afterEach, describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { startOidcProvider } from '../../testing/oidc-provider.ts';
import { enterCode, setUpApp } from '../../testing/second-step.ts';
import { engines, startTestServer, type TestClient } from '../../testing/server.ts';
import {
  at,
  joinCookies,
  linkUser,
  readProviderClient,
  signInAtProvider,
  startAtProvider,
} from '../../testing/single-sign-on.ts';
import { createTestServer, setUp } from '../../testing/test-server.ts';
import { generateAppCode } from '../factors/app-codes.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const acr = 'phishing-resistant';
const withFactor = 'single sign-on with second factor';

describe.each(engines)('second factors at the provider on %s', (engine) => {
  let offset = 0;
  const now = () => Date.now() + offset;
  /** Sets the clock ahead, to the start of the 30 seconds for which an app shows a code. */
  const setAhead = (ms: number) => {
    offset = ms;
    offset += 30_000 - (now() % 30_000);
  };
  let count = 0;
  const provider = setUp(() => startOidcProvider({}));
  const settings = { REQUIRE_SECOND_FACTOR: 'reviewers', OIDC_SECOND_FACTOR_ACR: `other, ${acr}` };
  const { server } = createTestServer(
    engine,
    () => ({ ...provider.settings, ...settings }),
    () => new Date(now()),
  );
  afterEach(() => {
    offset = 0;
    provider.tamper();
  });

  async function newLinkedUser(role: 'None' | 'Admin', account = {}) {
    count += 1;
    const sub = `account-${count}`;
    provider.accounts[sub] = account;
    const user = await server.as(role);
    await linkUser(server, provider, user.id, sub);
    return { user, sub };
  }

  const readMethod = async (client: TestClient) => (await client(api.listSessions))[0]?.method;
  const signIn = async (sub: string, user: TestClient) =>
    readProviderClient(server, await signInAtProvider(server, provider, sub), user);
  /** A call that needs a confirmation. */
  const startSetUp = (client: TestClient) => client(api.startPasskeySetUp);
  const needed = { status: 403, code: 'CONFIRMATION_NEEDED' };

  test.each([
    ['amr with mfa', { amr: ['pwd', 'mfa'] }, withFactor, 'Admin'],
    ['an acr of the settings', { acr }, withFactor, 'Admin'],
    ['an amr of several passwords', { amr: ['pwd', 'otp'] }, 'single sign-on', 'None'],
    ['another acr', { acr: '0' }, 'single sign-on', 'None'],
    ['nothing', {}, 'single sign-on', 'None'],
  ])('a sign-in at the provider with %s gets the expected method and rights', async (_, account, method, role) => {
    const { user, sub } = await newLinkedUser('Admin', account);
    offset = 15 * day;
    const step = await signInAtProvider(server, provider, sub);
    expect(step).toMatchObject({ status: 200, body: { role } });
    const client = readProviderClient(server, step, user);
    expect((await client(api.getSession)).user.role).toBe(role);
    expect(await readMethod(client)).toBe(method);
  });

  test("a sign-in without a second factor at the provider is completed with the product's own", async () => {
    const { user, sub } = await newLinkedUser('Admin');
    const { key } = await setUpApp(user, now);

    const half = await signInAtProvider(server, provider, sub);

    expect(half).toMatchObject({ status: 401, body: { code: 'SECOND_FACTOR', methods: ['app', 'recoveryCode'] } });
    expect(half.cookies.hs_session).toBeUndefined();
    const cookie = `hs_second_step=${half.cookies.hs_second_step}`;
    await expect(
      server.withCookie(`hs_session=${half.cookies.hs_second_step}`, '', '')(api.getSession),
    ).rejects.toMatchObject({ status: 401 });
    setAhead(minute);
    expect(await enterCode(server.url, cookie, '000000')).toMatchObject({ status: 401 });
    const step = await enterCode(server.url, cookie, generateAppCode(key, new Date(now())));
    expect(step).toMatchObject({ status: 200, body: { role: 'Admin' } });
    const client = server.withCookie(step.cookie, user.id, user.username);
    expect(await readMethod(client)).toBe(withFactor);
    await startSetUp(client);
  });

  test("a sign-in with a second factor at the provider does not require the product's own", async () => {
    const { user, sub } = await newLinkedUser('Admin', { amr: ['mfa'] });
    await setUpApp(user, now);
    expect(await signInAtProvider(server, provider, sub)).toMatchObject({ status: 200, body: { role: 'Admin' } });
  });

  test('a sign-in that the provider dates an hour ago, or not at all, starts a session but does not confirm the user', async () => {
    const { user, sub } = await newLinkedUser('Admin', { amr: ['mfa'] });
    provider.tamper((claims, sign) => sign({ ...claims, auth_time: Number(claims.auth_time) - 3600 }));
    const client = await signIn(sub, user);
    await expect(startSetUp(client)).rejects.toMatchObject(needed);
    provider.tamper(({ auth_time: _, ...claims }, sign) => sign(claims));
    await expect(startSetUp(await signIn(sub, user))).rejects.toMatchObject(needed);
  });

  test('a user confirms who they are at the provider, and the session gets a new token', async () => {
    const { user, sub } = await newLinkedUser('Admin', { amr: ['mfa'] });
    const client = await signIn(sub, user);
    await startSetUp(client);
    // Ten minutes later, as far as the session knows.
    const confirmed_at = new Date(Date.now() - 11 * minute).toISOString();
    await server.db.updateTable('sessions').set({ confirmed_at }).where('user_id', '=', user.id).execute();
    await expect(startSetUp(client)).rejects.toMatchObject(needed);
    const { searchParams } = new URL((await startAtProvider(at(server, client), 'confirm')).url);
    expect(searchParams.get('max_age')).toBe('0');

    const step = await signInAtProvider(at(server, client), provider, sub, 'confirm');

    expect(step.body).toEqual({ success: true, role: 'Admin', purpose: 'confirm' });
    const confirmed = readProviderClient(server, step, user);
    await startSetUp(confirmed);
    expect(await readMethod(confirmed)).toBe(withFactor);
    expect(confirmed.cookie).not.toBe(client.cookie);
  });

  test('a confirmation that the second factor of the product completes renews the session, and its device stays subscribed', async () => {
    const { user, sub } = await newLinkedUser('Admin');
    const { key } = await setUpApp(user, now);
    const enter = async (step: { cookies: Record<string, string> }, session = '') => {
      const cookie = joinCookies(session, `hs_second_step=${step.cookies.hs_second_step}`);
      const entered = await enterCode(server.url, cookie, generateAppCode(key, new Date(now())));
      return server.withCookie(entered.cookie, user.id, user.username);
    };
    setAhead(minute);
    const client = await enter(await signInAtProvider(server, provider, sub));
    const keys = { p256dh: `B${'A'.repeat(86)}`, auth: 'A'.repeat(22) };
    await client(api.addPushSubscription, { body: { endpoint: `https://fcm.googleapis.com/${user.id}`, keys } });
    const subscriptions = () =>
      server.db.selectFrom('push_subscriptions').select('id').where('user_id', '=', user.id).execute();
    const [begun] = await client(api.listSessions);
    setAhead(2 * minute);

    const step = await signInAtProvider(at(server, client), provider, sub, 'confirm');

    expect(step.body).toMatchObject({ code: 'SECOND_FACTOR', purpose: 'confirm' });
    const confirmed = await enter(step, client.cookie);
    expect(confirmed.cookie).not.toBe(client.cookie);
    await startSetUp(confirmed);
    const [renewed] = await confirmed(api.listSessions);
    expect(renewed).toMatchObject({ signedInAt: begun?.signedInAt, method: withFactor });
    // Requests in flight still use the earlier token.
    await client(api.getSession);
    await confirmed(api.logout);
    expect(await subscriptions()).toEqual([]);
  });

  test('a second factor that the provider asks for later counts for the session', async () => {
    const { user, sub } = await newLinkedUser('Admin');
    const client = await signIn(sub, user);
    provider.accounts[sub] = { amr: ['mfa'] };
    const step = await signInAtProvider(at(server, client), provider, sub, 'confirm');
    expect(await readMethod(readProviderClient(server, step, user))).toBe(withFactor);
  });

  test('a confirmation is rejected without a recent sign-in at the provider', async () => {
    const { user, sub } = await newLinkedUser('Admin', { amr: ['mfa'] });
    const client = await signIn(sub, user);
    const confirm = () => signInAtProvider(at(server, client), provider, sub, 'confirm');
    const again = { status: 400, body: { code: 'SIGN_IN_AGAIN' } };
    provider.tamper((claims, sign) => sign({ ...claims, auth_time: Number(claims.auth_time) - 3600 }));
    expect(await confirm()).toMatchObject(again);
    provider.tamper(({ auth_time: _, ...claims }, sign) => sign(claims));
    expect(await confirm()).toMatchObject(again);
  });

  test('another account at the provider does not confirm the user', async () => {
    const { user, sub } = await newLinkedUser('Admin', { amr: ['mfa'] });
    const { sub: other } = await newLinkedUser('Admin', { amr: ['mfa'] });
    provider.accounts.nobody = {};
    const client = await signIn(sub, user);
    for (const chosen of [other, 'nobody'])
      expect(await signInAtProvider(at(server, client), provider, chosen, 'confirm')).toMatchObject({
        ...{ status: 403, body: { code: 'NO_ACCESS' } },
      });
  });

  test('linking and confirming through the provider need a session', async () => {
    for (const purpose of ['link', 'confirm'] as const)
      expect(await startAtProvider(server, purpose)).toMatchObject({ status: 401 });
  });

  test('linking an account is rejected for a reviewer without a required second factor', async () => {
    const user = await server.createSession((await server.as('Admin')).id, 'x', 'password');
    offset = 15 * day;
    const late = await server.createSession(user.id, 'x', 'password');
    const rejection = { status: 403, body: { code: 'ONE_TIME_PASSWORD_NEEDED' } };
    expect(await startAtProvider(at(server, late), 'link')).toMatchObject(rejection);
  });
});

describe.each(engines)('OIDC_HAS_SECOND_FACTOR, on %s', (engine) => {
  test('counts every sign-in at the provider as one with a second factor', async () => {
    await using provider = await startOidcProvider({
      sian: { claims: { hd: 'parks.example' } },
      huw: { claims: { hd: 'x' } },
    });
    const settings = { REQUIRE_SECOND_FACTOR: 'reviewers', OIDC_HAS_SECOND_FACTOR: '1', OIDC_DOMAIN: 'parks.example' };
    await using server = await startTestServer(engine, { ...provider.settings, ...settings });
    const user = await server.as('Admin');
    await linkUser(server, provider, user.id, 'sian');
    const client = readProviderClient(server, await signInAtProvider(server, provider, 'sian'), user);
    expect((await client(api.listSessions))[0]?.method).toBe(withFactor);
    // Another domain, and none.
    provider.accounts.gwen = {};
    for (const sub of ['huw', 'gwen'])
      expect(await signInAtProvider(server, provider, sub)).toMatchObject({
        ...{ status: 403, body: { code: 'NO_ACCESS', message: 'Use your Test Account account' } },
      });
    expect(await client(api.listWaitingIdentities)).toEqual([]);
  });
});
