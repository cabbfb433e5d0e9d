import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Role } from '#shared/access.ts';
import { api } from '#shared/api.ts';
import type { FactorNeed } from '#shared/sign-in/second-factors.ts';
import { createClock } from '../../clock.ts';
import { parseConfig } from '../../config.ts';
import { getCounter, setCounter } from '../../db/counters.ts';
import { addPasskey, createAuthenticator } from '../../testing/authenticator.ts';
import { newReport } from '../../testing/factories.ts';
import { enterCode, enterPassword, setUpApp } from '../../testing/second-step.ts';
import { engines, password, startTestServer, type TestClient, type TestServer } from '../../testing/server.ts';
import { linkUser } from '../../testing/single-sign-on.ts';
import { findEndOfGrace, startFactorPolicy } from '../session/factor-policy.ts';
import { generateAppCode } from './app-codes.ts';
import { remindOfSecondFactors } from './reminders.ts';

const day = 24 * 60 * 60_000;
const newPassword = 'another walk on the shore';

test.each([
  [{}, 'off'],
  [{ PUBLIC_URL: 'http://reports.example.com' }, 'off'],
  [{ PUBLIC_URL: 'https://reports.example.com' }, 'reviewers'],
  [{ PUBLIC_URL: 'https://reports.example.com', REQUIRE_SECOND_FACTOR: 'off' }, 'off'],
  [{ REQUIRE_SECOND_FACTOR: 'everyone' }, 'everyone'],
])('the settings %j require a second factor of: %s', (settings, expected) => {
  expect(parseConfig(settings).secondFactorFor).toBe(expected);
});

type Policy = 'off' | 'reviewers' | 'everyone';

describe.each(engines)('a required second factor, on %s', (engine) => {
  const servers = new Map<Policy, TestServer>();
  const start = Date.parse('2026-03-10T09:00:00Z');
  let now = start;
  let tests = 0;
  /** Sets the clock some days after the start, later in each test, because the server ignores small steps back. */
  const goTo = (days: number) => {
    tests += 1;
    now = start + days * day + tests * 5 * 60_000;
  };
  let admin: TestClient;
  beforeAll(async () => {
    for (const policy of ['off', 'reviewers', 'everyone'] as const) {
      const clock = createClock(() => now);
      servers.set(policy, await startTestServer(engine, { REQUIRE_SECOND_FACTOR: policy }, clock));
    }
  });
  afterAll(async () => {
    for (const server of servers.values()) await server.stop();
  });

  /** Signs a user in with their password, who has signed in before unless it is new. */
  async function signIn(policy: Policy, role: Role, { isNew = false } = {}) {
    const server = servers.get(policy) as TestServer;
    const user = await server.as(role);
    const at = new Date(start).toISOString();
    if (!isNew) await server.db.updateTable('users').set({ last_sign_in_at: at }).where('id', '=', user.id).execute();
    const { status, body, cookie } = await enterPassword(server.url, user.username);
    expect(status).toBe(200);
    const client = server.withCookie(cookie, user.id, user.username);
    return { server, user: client, role: body.role as Role };
  }
  const readNeed = async (client: TestClient) => (await client(api.getSession)).user.factorNeed;
  const laterUntil = new Date(start + 14 * day).toISOString();

  const nothing = undefined;
  const asked = { laterUntil, canSetUp: true };
  const refused = { laterUntil: null, canSetUp: false };
  /** No other Admin has a second factor. */
  const alone = { ...refused, needsTerminal: true };
  const mustSetUpNow = { laterUntil: null, canSetUp: true };
  const manager = 'Health & Safety Manager';
  test.each<[Policy, Role, number, boolean, Role, FactorNeed | undefined]>([
    ['off', 'Admin', 20, false, 'Admin', nothing],
    ['reviewers', 'None', 20, false, 'None', nothing],
    ['reviewers', 'Admin', 0, false, 'Admin', { ...asked, isReviewer: true }],
    ['reviewers', manager, 13.9, false, manager, { ...asked, isReviewer: true }],
    ['reviewers', manager, 14, false, 'None', { ...refused, isReviewer: true }],
    ['reviewers', 'Admin', 20, true, 'None', { ...mustSetUpNow, isReviewer: true }],
    ['everyone', 'Admin', 20, false, 'None', { ...alone, isReviewer: true }],
    ['everyone', 'None', 1, false, 'None', { ...asked, isReviewer: false }],
    ['everyone', 'None', 20, false, 'None', { ...refused, isReviewer: false }],
    ['everyone', 'None', 20, true, 'None', { ...mustSetUpNow, isReviewer: false }],
  ])(
    'with REQUIRE_SECOND_FACTOR=%s, a user with the role %s after %d days (new user: %s) has the rights of %s',
    async (...row) => {
      const [policy, role, days, isNewUser, rights, need] = row;
      goTo(days);
      const { user, role: reply } = await signIn(policy, role, { isNew: isNewUser });
      expect(reply).toBe(rights);
      expect((await user(api.getSession)).user.role).toBe(rights);
      expect(await readNeed(user)).toEqual(need);
      await user(api.submitAccident, { body: await newReport(user) });
      const list = user(api.listReports).then(
        () => 200,
        ({ status }) => status as number,
      );
      expect(await list).toBe(rights === 'None' ? 403 : 200);
      const setUp = user(api.startAppSetUp).then(
        () => true,
        ({ code }) => code as string,
      );
      expect(await setUp).toBe(need?.canSetUp === false ? 'ONE_TIME_PASSWORD_NEEDED' : true);
    },
  );

  test('a reviewer can put off the second factor for 14 days, which is logged, and not longer', async () => {
    goTo(2);
    const { server, user } = await signIn('reviewers', manager);
    await user(api.putOffSecondFactor);
    admin = await server.as('Admin');
    const [entry] = await admin(api.listActivity, { query: { thing_id: user.id } });
    expect(entry).toMatchObject({ action: 'put off two-factor sign-in', actor: user.username });
    goTo(14);
    const late = await signIn('reviewers', manager);
    await expect(late.user(api.putOffSecondFactor)).rejects.toMatchObject({ status: 409 });
  });

  test('an Admin who can be helped by no other Admin is told the command for the terminal', async () => {
    goTo(20);
    const { server, user } = await signIn('reviewers', 'Admin');
    expect(await readNeed(user)).toMatchObject({ needsTerminal: true });
    const command = `Run on the server: npm run reset-password -- ${user.username}`;
    await expect(user(api.startAppSetUp)).rejects.toThrow(command);
    const helper = await server.as('Admin', 'Lido Beach');
    await setUpApp(await server.createSession(helper.id, helper.username, 'one-time password'), () => now);
    expect(await readNeed(user)).toMatchObject({ needsTerminal: true });
    await server.db.updateTable('users').set({ parks: 'null' }).where('id', '=', helper.id).execute();
    expect(await readNeed(user)).not.toHaveProperty('needsTerminal');
    await expect(user(api.startAppSetUp)).rejects.toThrow('Ask an Admin for a one-time password');
    await server.db.updateTable('users').set({ role: 'None' }).where('id', '=', helper.id).execute();
  });

  test('users without a required second factor are reminded once each 14, 7, 3 and 1 days before the end', async () => {
    const server = servers.get('reviewers') as TestServer;
    const [user, staff, safe] = [await server.as(manager), await server.as('None'), await server.as(manager)];
    await setUpApp(await server.createSession(safe.id, safe.username, 'one-time password'), () => now);
    const policy = { secondFactorFor: 'reviewers' } as const;
    for (let days = 0; days < 16; days++)
      for (const hour of [0, 3])
        await remindOfSecondFactors(server.db, policy, new Date(start + days * day + hour * 60 * 60_000));
    const list = async ({ id }: TestClient) =>
      (
        await server.db
          .selectFrom('notifications')
          .select('words')
          .where('user_id', '=', id)
          .where('words', 'like', 'Set up%')
          .orderBy('position')
          .execute()
      ).map(({ words }) => words);
    const left = ['14 days left', '7 days left', '3 days left', '1 day left'];
    expect(await list(user)).toEqual(
      left.map(
        (days) =>
          `Set up two-factor sign-in by 24/03/2026 (${days}). Without it you can then do only what park staff can`,
      ),
    );
    expect(await list(staff)).toEqual([]);
    expect(await list(safe)).toEqual([]);
  });

  test('a one-time password lets a reviewer set up a factor, and gives the rights back at once', async () => {
    goTo(20);
    const { server, user } = await signIn('reviewers', manager);
    admin = await server.as('Admin');
    const { password: oneTime } = await admin(api.resetPassword, { body: { id: user.id } });
    const { cookie, body } = await enterPassword(server.url, user.username, oneTime);
    expect(body.role).toBe('None');
    const client = server.withCookie(cookie, user.id, user.username);
    await client(api.changePassword, { body: { newPassword } });
    expect(await readNeed(client)).toEqual({ ...mustSetUpNow, isReviewer: true });
    const { key } = await setUpApp(client, () => now);
    expect((await client(api.getSession)).user).toMatchObject({ role: manager });
    expect(await readNeed(client)).toBeUndefined();
    await client(api.listReports);
    now += 60_000;
    const half = await enterPassword(server.url, user.username, newPassword);
    const { body: signedIn } = await enterCode(server.url, half.cookie, generateAppCode(key, new Date(now)));
    expect(signedIn).toEqual({ success: true, role: manager });
  });

  test('a session begun with the password alone gets no rights from a second factor set up in another session', async () => {
    goTo(20);
    const { server, user } = await signIn('reviewers', manager);
    const elsewhere = await server.createSession(user.id, user.username, 'one-time password');
    const { key } = await setUpApp(elsewhere, () => now);
    expect((await user(api.getSession)).user.role).toBe('None');
    now += 60_000;
    await user(api.confirmIdentity, { body: { currentPassword: password, code: generateAppCode(key, new Date(now)) } });
    expect((await elsewhere(api.getSession)).user.role).toBe(manager);
    const [here] = await elsewhere(api.listSessions).then((all) => all.filter(({ isThis }) => !isThis));
    expect(here).toMatchObject({ method: 'password and code' });
  });

  test('a set-up begun within the 14 days cannot be completed after them without a one-time password', async () => {
    now = start + 14 * day - 5 * 60_000;
    const { server, user } = await signIn('reviewers', manager);
    const { key } = await user(api.startAppSetUp);
    now += 10 * 60_000;
    const code = generateAppCode(key, new Date(now));
    const { recoveryCodes = [] } = await user(api.checkAppSetUp, { body: { code } });
    await expect(user(api.confirmRecoveryCodes, { body: { code: recoveryCodes[0] ?? '' } })).rejects.toMatchObject({
      code: 'ONE_TIME_PASSWORD_NEEDED',
    });
    expect((await enterPassword(server.url, user.username)).status).toBe(200);
  });

  test("the first Admin's start password counts as a one-time password", async () => {
    goTo(20);
    const server = servers.get('reviewers') as TestServer;
    const { cookie, body } = await enterPassword(server.url, 'admin');
    expect(body).toEqual({ success: true, role: 'None' });
    const first = server.withCookie(cookie, '', 'admin');
    await setUpApp(first, () => now);
    expect((await first(api.getSession)).user.role).toBe('Admin');
  });

  test('the 14 days begin at the next start if the clock was a year ahead when a second factor was first required', async () => {
    const { db } = servers.get('reviewers') as TestServer;
    const policy = { secondFactorFor: 'reviewers' } as const;
    const name = 'second factors required since';
    const value = await getCounter(db, name);
    await setCounter(db, name, start + 365 * day);
    await startFactorPolicy(db, policy, new Date(start));
    expect(await findEndOfGrace(db)).toEqual(new Date(start + 14 * day));
    await setCounter(db, name, value);
  });

  test('the 14 days begin when a second factor is first required, and not again at a restart', async () => {
    goTo(20);
    await servers.get('reviewers')?.restart();
    const { role } = await signIn('reviewers', manager);
    expect(role).toBe('None');
  });
});

test('a passkey is a second factor too', async () => {
  const origin = 'https://reports.example.com';
  await using server = await startTestServer('sqlite', { PUBLIC_URL: origin });
  await server.db.updateTable('counters').set({ value: 1 }).where('name', 'like', 'second factor%').execute();
  const { id, username } = await server.as('Admin');
  const user = await server.createSession(id, username, 'one-time password');
  await addPasskey(user, createAuthenticator(origin));
  expect((await user(api.getSession)).user.role).toBe('Admin');
  expect(await user(api.listSessions)).toContainEqual(expect.objectContaining({ method: 'password and passkey' }));
});

test.each(engines)(
  'the System screen names who must set up a second factor, except users of the provider or without a password, on %s',
  async (engine) => {
    await using server = await startTestServer(engine, { REQUIRE_SECOND_FACTOR: 'reviewers' });
    const admin = await server.as('Admin');
    const readLine = async () => (await admin(api.getSystem)).find(({ title }) => title === 'Second Factors');
    const list = async () =>
      (await readLine())?.text
        .replace(/.*14 days more: /, '')
        .slice(0, -1)
        .split(', ');
    const before = await list();
    expect(before).toContain(admin.username);
    await server.as('None');
    const [other, withApp, linked] = [await server.as('Admin'), await server.as('Admin'), await server.as('Admin')];
    await setUpApp(await server.createSession(withApp.id, withApp.username, 'one-time password'), Date.now);
    await linkUser(server, { issuer: 'https://login.example' }, linked.id, 'sian');
    const { id } = await server.as('Admin');
    await server.db.updateTable('users').set({ password_hash: '' }).where('id', '=', id).execute();
    expect(await list()).toEqual([...(before ?? []), other.username].toSorted());
    await server.db.updateTable('counters').set({ value: 1 }).where('name', 'like', 'second factor%').execute();
    expect(await readLine()).toMatchObject({
      state: 'wrong',
      text: expect.stringContaining(`${(before?.length ?? 0) + 1} users`),
    });
  },
);
