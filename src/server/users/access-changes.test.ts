// Changes that let someone else in need a recent proof of who makes them, and others are told of them.
import { describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { defaultParks as parks } from '#shared/choices.ts';
import { startMailServer } from '../testing/mail-server.ts';
import { confirmIdentity, setUpApp } from '../testing/second-step.ts';
import { engines, type TestClient } from '../testing/server.ts';
import { createTestServer, setUp } from '../testing/test-server.ts';

const newPassword = 'a walk along the shore';
const staffOfMounds = { role: 'None', park: 'Mounds' } as const;

describe.each(engines)('changes that let someone in, on %s', (engine) => {
  let now = Date.parse('2026-12-01T12:00:00Z');
  let userCount = 0;
  const mail = setUp(startMailServer);
  const { server } = createTestServer(
    engine,
    () => ({ ...mail.settings, PUBLIC_URL: 'http://parks.example.com' }),
    () => now,
  );

  const nextUsername = () => `new.user.${++userCount}`;
  const newUser = (changes: object) => ({
    ...{ username: nextUsername(), password: newPassword, ...staffOfMounds },
    ...changes,
  });
  const setDetails = (by: TestClient, { id }: TestClient, email: string, full_name = '') =>
    by(api.updateUserDetails, { params: { id }, body: { full_name, email } });
  const setEmail = ({ id }: TestClient, email: string) =>
    server.db.updateTable('users').set({ email }).where('id', '=', id).execute();
  const listTexts = async (client: TestClient) => (await client(api.listNotifications)).map(({ text }) => text);

  /** Each change, made by an Admin of all parks to staff of one park, and what it is answered. */
  const guarded: [string, (by: TestClient, target: TestClient) => Promise<unknown>, object][] = [
    ['a new email address', (by, target) => setDetails(by, target, 'new@example.com'), { success: true }],
    [
      'the role Admin',
      (by, { username }) => by(api.assignRole, { body: { username, role: 'Admin', park: 'Mounds' } }),
      { success: true },
    ],
    [
      'all parks',
      (by, { username }) => by(api.assignRole, { body: { username, role: 'None', park: '' } }),
      { success: true },
    ],
    [
      'every park by its name',
      (by, { username }) => by(api.assignRole, { body: { username, role: 'None', park: 'Mounds', parks: [...parks] } }),
      { success: true },
    ],
    [
      'a new password',
      (by, { id }) => by(api.resetPassword, { body: { id } }),
      { success: true, password: expect.any(String) },
    ],
    [
      'a new Admin',
      (by) => by(api.createUser, { body: newUser({ role: 'Admin' }) }),
      { success: true, id: expect.any(String) },
    ],
    [
      'a new user of all parks',
      (by) => by(api.createUser, { body: newUser({ park: '' }) }),
      { success: true, id: expect.any(String) },
    ],
    [
      'a new user with an email address',
      (by) => by(api.createUser, { body: newUser({ email: 'a@example.com' }) }),
      { success: true, id: expect.any(String) },
    ],
    [
      'an Admin in a file',
      (by) => by(api.importUsers, { body: { csv: `${nextUsername()},Admin,Mounds` } }),
      { success: true, users: [expect.anything()], address: expect.any(String), qrCode: expect.any(String) },
    ],
  ];
  const unguarded: [string, (by: TestClient, target: TestClient) => Promise<unknown>][] = [
    ['a full name', (by, target) => setDetails(by, target, '', 'Siân Jones')],
    ['another park', (by, { username }) => by(api.assignRole, { body: { username, role: 'None', park: 'Winkups' } })],
    [
      'a lower role',
      async (by) => {
        const { username } = await server.as('Admin', 'Mounds');
        return by(api.assignRole, { body: { username, role: 'Health & Safety Manager', park: 'Mounds' } });
      },
    ],
    ['new staff of one park', (by) => by(api.createUser, { body: newUser({}) })],
  ];

  test.each(guarded)(
    '%s is refused eleven minutes after the last proof, and accepted after another proof or a sign-in',
    async (_, change, reply) => {
      const signedIn = await server.as('Admin');
      const target = await server.as('None', 'Mounds');
      now += 11 * 60_000;
      const before = await server.db.selectFrom('users').selectAll().orderBy('id').execute();
      await expect(change(signedIn, target)).rejects.toMatchObject({ status: 403, code: 'CONFIRMATION_NEEDED' });
      expect(await server.db.selectFrom('users').selectAll().orderBy('id').execute()).toEqual(before);
      const confirmed = await confirmIdentity(server, signedIn);
      expect(await change(confirmed, target)).toEqual(reply);
      const back = await server.signIn(signedIn.username);
      expect(await change(back, await server.as('None', 'Mounds'))).toEqual(reply);
    },
  );

  test.each(unguarded)('%s needs no other proof than the session', async (_, change) => {
    const admin = await server.as('Admin');
    const target = await server.as('None', 'Mounds');
    now += 11 * 60_000;
    await change(admin, target);
  });

  test('an Admin adds a park to the own ones only after another proof, and takes one away without', async () => {
    const admin = await server.as('Admin', ['Mounds', 'Oakfield']);
    now += 11 * 60_000;
    const setParks = (by: TestClient, ...parks: ('Mounds' | 'Winkups')[]) =>
      by(api.assignRole, { body: { username: admin.username, role: 'Admin', park: 'Mounds', parks } });
    await expect(setParks(admin, 'Mounds', 'Winkups')).rejects.toMatchObject({ code: 'CONFIRMATION_NEEDED' });
    await setParks(admin, 'Mounds');
    await setParks(await confirmIdentity(server, admin), 'Mounds', 'Winkups');
  });

  test('an Admin changes the own name, but not the own email address, in the list of users', async () => {
    const admin = await server.as('Admin');
    await setEmail(admin, 'own@example.com');
    await expect(setDetails(admin, admin, 'thief@example.com')).rejects.toMatchObject({
      status: 409,
      code: 'OWN_EMAIL',
      fields: { email: 'Change your own email address under Notification Settings' },
    });
    await expect(setDetails(admin, admin, '')).rejects.toMatchObject({ status: 409 });
    await setDetails(admin, admin, 'own@example.com', 'Nia Rees');
    expect((await admin(api.getNotificationSettings)).email).toBe('own@example.com');
  });

  const getEmailsTo = (address: string) => mail.received.filter(({ to }) => to.includes(address));
  const isToldAt = (address: string, line: string) =>
    expect.poll(() => getEmailsTo(address).some(({ text }) => text.includes(line))).toBe(true);

  test('the user is told of another email address at the earlier and the new one, and the earlier one is not kept', async () => {
    const admin = await server.as('Admin');
    const staff = await server.as('None', 'Mounds');
    await setDetails(admin, staff, 'first@example.com');
    await isToldAt('first@example.com', 'Your email address was changed');
    await setDetails(admin, staff, 'second@example.com');
    const line = 'Your email address was changed. If you did not ask for it, tell an Admin';
    for (const address of ['first@example.com', 'second@example.com']) await isToldAt(address, line);
    await setDetails(admin, staff, '');
    await isToldAt('second@example.com', 'Your email address was removed');
    const findKept = () => server.db.selectFrom('deliveries').select('id').where('address', '<>', '').execute();
    await expect.poll(findKept).toEqual([]);
    expect(getEmailsTo('first@example.com').filter(({ text }) => text.includes('removed'))).toEqual([]);
  });

  test('the earlier address is told of an address that its user confirmed, too', async () => {
    const [manager, admin] = [await server.as('Health & Safety Manager', 'Mounds'), await server.as('Admin')];
    await setEmail(manager, 'mine@example.com');
    const body = { email: 'thief@example.com', currentPassword: 'correct horse battery' };
    await manager(api.requestEmailChange, { body });
    const link = /confirm-email#([\w-]{43})\s/;
    const findToken = () => link.exec(getEmailsTo('thief@example.com').at(-1)?.text ?? '')?.[1];
    await expect.poll(findToken).toBeTruthy();
    await server.anonymous(api.confirmEmailChange, { body: { token: findToken() ?? '' } });
    await isToldAt('mine@example.com', 'Your email address was changed. If you did not ask for it, tell an Admin');
    expect(await listTexts(admin)).toContain('The email address of one or more users was changed');
  });

  test('the user and all other Admins who see one of their parks are told, each Admin once a minute', async () => {
    now = Date.parse('2026-12-02T12:00:00Z');
    const [actor, other] = [await server.as('Admin'), await server.as('Admin')];
    const [ofMounds, ofWinkups] = [
      await server.as('Admin', ['Mounds', 'Oakfield']),
      await server.as('Admin', 'Winkups'),
    ];
    const manager = await server.as('Health & Safety Manager', 'Mounds');
    const targets = [await server.as('None', 'Mounds'), await server.as('None', 'Mounds')];
    const [first, second] = targets as [TestClient, TestClient];
    const changeAll = async () => {
      for (const target of targets) {
        await setDetails(actor, target, `${target.username}.${now}@example.com`);
        await actor(api.assignRole, { body: { username: target.username, role: 'Admin', park: 'Mounds' } });
      }
    };
    const told = [
      'One or more users became Admin or got all parks',
      'The email address of one or more users was changed',
    ];
    await changeAll();
    for (const admin of [other, ofMounds]) expect(await listTexts(admin)).toEqual(told);
    for (const client of [actor, ofWinkups, manager]) expect(await listTexts(client)).toEqual([]);
    expect(await listTexts(second)).toEqual([
      'You are now an Admin',
      'Your email address was changed. If you did not ask for it, tell an Admin',
    ]);
    now += 60_000;
    await actor(api.assignRole, { body: { username: first.username, role: 'Admin', park: '' } });
    expect(await listTexts(ofMounds)).toHaveLength(3);
    // A user who gets all parks is seen by the Admins of each.
    expect(await listTexts(ofWinkups)).toEqual([told[0]]);
    expect((await listTexts(first))[0]).toBe('You have all parks now');

    now += 60_000;
    const { password } = await manager(api.resetPassword, { body: { id: (await server.as('None', 'Mounds')).id } });
    expect(password).toBeTruthy();
    const resetText = 'The password of one or more users was reset';
    for (const admin of [actor, other, ofMounds, second]) expect((await listTexts(admin))[0]).toBe(resetText);
    expect(await listTexts(ofWinkups)).toEqual([told[0]]);

    now += 60_000;
    const staff = await server.as('None', 'Mounds');
    await setUpApp(staff, () => now);
    await actor(api.resetPassword, { body: { id: staff.id, reason: 'She came to the office' } });
    for (const admin of [other, ofMounds, ofWinkups])
      expect((await listTexts(admin))[0]).toBe('The second factor of one or more users was removed');
    expect(await listTexts(manager)).toEqual([]);
  });

  test('someone with a new one-time password reads after signing in that it was set', async () => {
    const [manager, staff] = [await server.as('Health & Safety Manager', 'Mounds'), await server.as('None', 'Mounds')];
    await setEmail(staff, 'reset@example.com');
    const { password } = await manager(api.resetPassword, { body: { id: staff.id } });
    const back = await server.signIn(staff.username, staff.id, password);
    await back(api.changePassword, { body: { newPassword: 'another walk on the shore' } });
    const text = 'You have a new one-time password. If you did not ask for it, tell an Admin';
    expect(await listTexts(back)).toContain(text);
    await isToldAt('reset@example.com', text);
  });
});
