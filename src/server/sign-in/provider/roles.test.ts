import { afterEach, describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { newReport } from '../../testing/factories.ts';
import { startOidcProvider } from '../../testing/oidc-provider.ts';
import { readRow } from '../../testing/rows.ts';
import { engines, password, startTestServer, type TestClient } from '../../testing/server.ts';
import { makePinUser, shareDevice, signInWithPin } from '../../testing/shared-devices.ts';
import { at, linkUser, readProviderClient, signInAtProvider } from '../../testing/single-sign-on.ts';
import { createTestServer, setUp } from '../../testing/test-server.ts';

const roleSettings = {
  OIDC_ROLE_CLAIM: 'groups',
  OIDC_ROLES: [
    'admins = Admin @ All parks',
    'mounds = Health & Safety Manager @ Mounds',
    'winkups = Health & Safety Manager @ Winkups, Lyndale',
    'staff = None @ Lido Beach',
    'sold = Admin @ Sold',
    'half = None @ Sold, Mounds',
  ].join('; '),
};
const noAccess = { status: 403, body: { code: 'NO_ACCESS' } };

describe.each(engines)('roles from the provider on %s', (engine) => {
  let count = 0;
  const provider = setUp(() => startOidcProvider({}));
  const { server, admin } = createTestServer(engine, () => ({
    ...provider.settings,
    ...roleSettings,
    OIDC_CREATE: '1',
  }));
  afterEach(() => provider.tamper());

  function newAccount(claims: object) {
    count += 1;
    const sub = `account-${count}`;
    provider.accounts[sub] = { claims: { ...claims } };
    return sub;
  }

  async function newLinkedUser(user: TestClient | undefined, claims: object) {
    const linked = user ?? (await server.as('None', 'Lido Beach'));
    const sub = newAccount(claims);
    await linkUser(server, provider, linked.id, sub);
    return { user: linked, sub };
  }

  const find = async (id: string) => (await admin(api.listUsers)).find((user) => user.id === id);
  const signIn = (sub: string) => signInAtProvider(server, provider, sub);
  const countNotices = async () =>
    (await admin(api.listNotifications)).filter(({ kind }) => kind === 'providerRefusal').length;

  test.each([
    [['staff'], 'None', ['Lido Beach']],
    [['mounds', 'unknown', 7], 'Health & Safety Manager', ['Mounds']],
    [['mounds', 'winkups', 'staff'], 'Health & Safety Manager', ['Lyndale', 'Mounds', 'Winkups']],
    [['admins', 'mounds'], 'Admin', null],
    ['admins', 'Admin', null],
    // A park that is not in the list gives nothing, and takes nothing away.
    [['sold', 'staff'], 'None', ['Lido Beach']],
    ['half', 'None', ['Mounds']],
  ])('the claim %j gives a user the role %s at %j', async (groups, role, parks) => {
    const { user, sub } = await newLinkedUser(undefined, { groups });
    expect(await signIn(sub)).toMatchObject({ status: 200, body: { role } });
    expect(await find(user.id)).toMatchObject({ role, parks, accessFromProvider: true });
  });

  test('a new role from the provider deletes the PIN and ends all other sessions', async () => {
    const { user, sub } = await newLinkedUser(await makePinUser(server), { groups: ['mounds'] });
    const client = readProviderClient(server, await signIn(sub), user);
    expect((await client(api.getSession)).user).toMatchObject({ role: 'Health & Safety Manager', parks: ['Mounds'] });
    await expect(user(api.getSession)).rejects.toMatchObject({ status: 401 });
    expect(await server.db.selectFrom('pins').select('user_id').where('user_id', '=', user.id).execute()).toEqual([]);
  });

  test('an Admin cannot change a role and parks that come from the provider', async () => {
    const { user, sub } = await newLinkedUser(undefined, { groups: ['staff'] });
    await signIn(sub);
    const body = { username: user.username, role: 'Admin', park: '' } as const;
    await expect(admin(api.assignRole, { body })).rejects.toMatchObject({ status: 409, code: 'FROM_PROVIDER' });
  });

  test.each([
    ['absent', {}, 'Your account has no role for this. Ask an Admin'],
    ['empty', { groups: [] }, 'Your account has no role for this. Ask an Admin'],
    [
      'unknown',
      { groups: ['visitors', '__proto__', { admins: 1 }] },
      'Your account has no role for this. Ask an Admin',
    ],
    ['of unknown parks', { groups: ['sold'] }, 'The parks of your account are closed, or not known here. Ask an Admin'],
    [
      'too many',
      { hasgroups: true },
      'Your account is in too many groups to find your role. Ask an Admin to use app roles instead',
    ],
  ])(
    'a role claim that is %s ends all sessions of the user and blocks every way to sign in',
    async (_, claims, message) => {
      const device = await shareDevice(await server.as('Admin', 'Lido Beach'));
      const { user, sub } = await newLinkedUser(await makePinUser(server), { groups: ['staff'] });
      const client = readProviderClient(server, await signIn(sub), user);
      expect(await signInWithPin(server, device, user)).toMatchObject({ status: 200 });
      const notices = await countNotices();

      provider.accounts[sub] = { claims };
      for (const _ of [1, 2]) expect(await signIn(sub)).toMatchObject({ ...noAccess, body: { message } });

      for (const session of [user, client])
        await expect(session(api.getSession)).rejects.toMatchObject({ status: 401 });
      expect(await signInWithPin(server, device, user)).toMatchObject({ status: 403, code: 'PIN_BLOCKED' });
      expect(await countNotices()).toBe(notices + 1);
      expect(await find(user.id)).toMatchObject({ link: { isRefused: true } });

      provider.accounts[sub] = { claims: { groups: ['staff'] } };
      expect((await signIn(sub)).status).toBe(200);
      expect(await find(user.id)).toMatchObject({ link: { isRefused: false } });
      expect(await signInWithPin(server, device, user)).toMatchObject({ status: 200 });
    },
  );

  test('a reviewer to whom the provider gives no role gets no notifications', async () => {
    const { user, sub } = await newLinkedUser(await server.as('Health & Safety Manager', 'Mounds'), {});
    const colleague = await server.as('Health & Safety Manager', 'Mounds');
    await signIn(sub);
    const staff = await server.as('None', 'Mounds');
    await staff(api.submitAccident, { body: await newReport(staff, { selectedPlace: 'Mounds' }) });
    const count = async ({ id }: TestClient) =>
      (await server.db.selectFrom('notifications').select('kind').where('user_id', '=', id).execute()).length;
    expect([await count(user), await count(colleague)]).toEqual([0, 1]);
  });

  test('a token that only refers to the groups is rejected, because the user is in too many', async () => {
    const { sub } = await newLinkedUser(undefined, {});
    provider.tamper((claims, sign) => sign({ ...claims, _claim_names: { groups: 'src1' } }));
    expect(await signIn(sub)).toMatchObject({
      body: { message: 'Your account is in too many groups to find your role. Ask an Admin to use app roles instead' },
    });
  });

  test('an Admin can allow a user without a role from the provider, whose role and parks Admins set from then on', async () => {
    const { user, sub } = await newLinkedUser(undefined, {});
    expect(await signIn(sub)).toMatchObject(noAccess);

    await admin(api.allowLinkedUser, { params: { id: user.id } });

    expect(await signIn(sub)).toMatchObject({ status: 200, body: { role: 'None' } });
    expect(await find(user.id)).toMatchObject({ accessFromProvider: false });
    await admin(api.assignRole, { body: { username: user.username, role: 'None', park: 'Oakfield' } });
  });

  test('an Admin to whom the provider gives no role cannot sign in, even with a password', async () => {
    const { user, sub } = await newLinkedUser(await server.as('Admin'), { groups: ['admins'] });
    const login = () => server.anonymous(api.login, { body: { username: user.username, password } });
    expect(await login()).toMatchObject({ success: true });
    provider.accounts[sub] = {};
    expect(await signIn(sub)).toMatchObject(noAccess);
    await expect(login()).rejects.toMatchObject({ status: 401, message: 'Invalid username or password' });
  });

  test('linking requires a role from the provider, and sets it', async () => {
    const user = await server.as('None', 'Mounds');
    const without = await signInAtProvider(at(server, user), provider, newAccount({}), 'link');
    expect(without).toMatchObject(noAccess);
    expect(await find(user.id)).not.toHaveProperty('link');
    const linked = await signInAtProvider(at(server, user), provider, newAccount({ groups: 'winkups' }), 'link');
    expect(linked).toMatchObject({ status: 200, body: { role: 'Health & Safety Manager' } });
  });

  test('a user without a password is created for an account with a mapped role', async () => {
    const claims = { preferred_username: 'gwen.rees', name: 'Gwen Rees', email: 'gwen@example.com' };
    const sub = newAccount({ ...claims, groups: ['winkups'] });
    expect(await signIn(sub)).toMatchObject({ status: 200, body: { role: 'Health & Safety Manager' } });
    const user = (await admin(api.listUsers)).find(({ username }) => username === 'gwen.rees');
    expect(user).toMatchObject({ full_name: 'Gwen Rees', parks: ['Lyndale', 'Winkups'], email: '' });
    const body = { username: 'gwen.rees', password: 'x' };
    await expect(server.anonymous(api.login, { body })).rejects.toMatchObject({ status: 401 });
    await admin(api.deleteUser, { params: { id: user?.id ?? '' } });
    expect(await signIn(sub)).toMatchObject(noAccess);
  });

  test.each([
    ['no role', { preferred_username: 'no.role' }],
    ['a username that is taken', { preferred_username: 'ADMIN', groups: ['admins'] }],
    ['a username that is not allowed', { preferred_username: 'a b<c>', groups: ['admins'] }],
    ['no username', { groups: ['admins'] }],
  ])('no user is created for an account with %s', async (_, claims) => {
    const before = (await admin(api.listUsers)).length;
    expect(await signIn(newAccount(claims))).toMatchObject({ status: 403, body: { code: 'ASK_ADMIN' } });
    expect(await admin(api.listUsers)).toHaveLength(before);
  });
});

describe.each(engines)('the last Admin with a password on %s', (engine) => {
  test('the last Admin keeps role and access, whatever the provider and other Admins do', async () => {
    await using provider = await startOidcProvider({ boss: { claims: { groups: ['staff'] } } });
    await using server = await startTestServer(engine, { ...provider.settings, ...roleSettings, OIDC_CREATE: '1' });
    const { id } = await readRow(server.db, 'users', { username: 'admin' });
    const boss = await server.createSession(id, 'admin');
    await linkUser(server, provider, id, 'boss');
    const signIn = (sub: string) => signInAtProvider(server, provider, sub);
    expect(await signIn('boss')).toMatchObject({ status: 200, body: { role: 'Admin' } });
    // An Admin whom the provider has created has no password.
    provider.accounts.other = { claims: { preferred_username: 'other', groups: ['admins'] } };
    const step = await signIn('other');
    const others = await boss(api.listUsers);
    const otherId = others.find(({ username }) => username === 'other')?.id ?? '';
    const other = readProviderClient(server, step, { id: otherId, username: 'other' });

    expect(await signIn('boss')).toMatchObject({ body: { role: 'Admin' } });
    provider.accounts.boss = {};
    expect(await signIn('boss')).toMatchObject(noAccess);

    expect((await boss(api.getSession)).user.role).toBe('Admin');
    expect(await server.anonymous(api.login, { body: { username: 'admin', password } })).toMatchObject({
      role: 'Admin',
    });
    const kept = { status: 409, code: 'LAST_ADMIN' };
    await expect(other(api.deleteUser, { params: { id } })).rejects.toMatchObject(kept);
    const staff = { username: 'admin', role: 'None', park: 'Mounds' } as const;
    await expect(other(api.assignRole, { body: staff })).rejects.toMatchObject(kept);
  });
});
