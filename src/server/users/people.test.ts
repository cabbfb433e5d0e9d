// Full names and email addresses of users: who may set them, who may see them, and how users change
// their own address.
import { beforeAll, describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { newAudit, newFolder, newReport } from '../testing/factories.ts';
import { startMailServer } from '../testing/mail-server.ts';
import { runMaintenance } from '../testing/maintenance.ts';
import { engines, password, startTestServer, type TestClient } from '../testing/server.ts';
import { longSessions } from '../testing/settings.ts';
import { createTestServer, setUp } from '../testing/test-server.ts';
import { deleteExpiredEmailChanges } from './email-changes.ts';

const hour = 60 * 60_000;
const day = 24 * hour;

describe.each(engines)('full names and email addresses on %s', (engine) => {
  let admin: TestClient;
  let now = Date.parse('2026-12-01T12:00:00Z');
  const mail = setUp(startMailServer);
  const { server, manager } = createTestServer(
    engine,
    () => ({ ...mail.settings, PUBLIC_URL: 'http://parks.example.com', ...longSessions }),
    () => now,
  );
  beforeAll(async () => {
    admin = await server.as('Admin');
  });

  const setDetails = (client: TestClient, full_name: string, email = '') =>
    admin(api.updateUserDetails, { params: { id: client.id }, body: { full_name, email } });
  const getName = async (viewer: TestClient, of: TestClient) =>
    (await viewer(api.listNames)).find(({ username }) => username === of.username)?.name;
  const ownEmail = async (client: TestClient) => (await client(api.getNotificationSettings)).email;
  const change = (client: TestClient, email: string, currentPassword = password) =>
    client(api.requestEmailChange, { body: { email, currentPassword } });
  const getTokenSentTo = async (address: string) => {
    const find = () => mail.received.filter(({ to }) => to.includes(address)).at(-1)?.text;
    await expect.poll(find).toBeTruthy();
    return /http:\/\/parks\.example\.com\/confirm-email#([\w-]{43})\s/.exec(find() ?? '')?.[1] ?? '';
  };
  const confirm = (token: string) => server.anonymous(api.confirmEmailChange, { body: { token } });

  test('an Admin sets full names and email addresses, and only Admins and the user see an address', async () => {
    const staff = await server.as('None', 'Lido Beach');
    await setDetails(staff, 'Siân Jones', 'sian@example.com');
    const find = async (client: TestClient) => (await client(api.listUsers)).find(({ id }) => id === staff.id);
    expect(await find(admin)).toMatchObject({ full_name: 'Siân Jones', email: 'sian@example.com' });
    expect(await find(manager)).toMatchObject({ full_name: 'Siân Jones' });
    expect(await ownEmail(staff)).toBe('sian@example.com');
    const seen = [
      await manager.fetch(api.listUsers.path),
      await manager.fetch(`${api.exportUsers.path}?format=csv`),
      await manager.fetch(api.listActivity.path),
      await manager.fetch(api.listNames.path),
      // The activity log, which is kept forever, does not contain the address.
      await admin.fetch(api.listActivity.path),
    ];
    for (const response of seen) {
      const text = await response.text();
      expect([response.status, text.includes('sian@example.com')]).toEqual([200, false]);
    }
    const exportedText = await (await admin.fetch(`${api.exportUsers.path}?format=csv`)).text();
    expect(exportedText).toMatch(/Siân Jones.*sian@example\.com/);
    const logged = await admin(api.listActivity, { query: { thing: 'user', thing_id: staff.id } });
    expect(logged[0]).toMatchObject({ action: 'changed the name or email address of', changes: null });
    await expect(
      manager(api.updateUserDetails, { params: { id: staff.id }, body: { full_name: 'X', email: '' } }),
    ).rejects.toMatchObject({ status: 403 });
    await expect(setDetails(staff, 'Siân', 'sian@example.com, other@example.com')).rejects.toMatchObject({
      status: 400,
      fields: { email: 'Enter an email address such as sian@example.com' },
    });
  });

  test('new users, created one by one or from a file, may have a full name and, from an Admin, an email address', async () => {
    const body = (username: string, email?: string) => ({
      ...{ username, password: 'a walk along the shore', role: 'None' as const, park: 'Mounds' as const },
      full_name: 'Huw Parry',
      ...(email && { email }),
    });
    await admin(api.createUser, { body: body('huw.one', 'huw@example.com') });
    await manager(api.createUser, { body: body('huw.two') });
    await expect(manager(api.createUser, { body: body('huw.three', 'h@example.com') })).rejects.toMatchObject({
      status: 403,
      fields: { email: 'Only an Admin can set an email address' },
    });
    const csv = 'username,role,park,full name,email\nanna.b,None,Mounds,Anna Bevan,anna@example.com';
    await expect(manager(api.importUsers, { body: { csv } })).rejects.toMatchObject({
      body: { lines: [{ line: 2, message: 'Only an Admin can set an email address' }] },
    });
    const imported = await admin(api.importUsers, { body: { csv } });
    expect(imported.users).toEqual([
      {
        ...{ username: 'anna.b', full_name: 'Anna Bevan', role: 'None', park: 'Mounds', parks: ['Mounds'] },
        password: expect.any(String),
      },
    ]);
    const users = await admin(api.listUsers);
    const getListed = (name: string) => users.find(({ username }) => username === name);
    expect(getListed('huw.one')).toMatchObject({ full_name: 'Huw Parry', email: 'huw@example.com' });
    expect(getListed('huw.two')).toMatchObject({ full_name: 'Huw Parry', email: '' });
    expect(getListed('anna.b')).toMatchObject({ full_name: 'Anna Bevan', email: 'anna@example.com' });
  });

  test('shared full names are shown with the username, and staff get names of users who see their park', async () => {
    const [one, two, otherParkUser, headOfficeUser] = [
      await server.as('None', 'Lido Beach'),
      await server.as('None', 'Robin Hood'),
      await server.as('None', 'Robin Hood'),
      await server.as('Admin'),
    ];
    await setDetails(one, 'Eleri Price');
    await setDetails(two, 'eleri price');
    await setDetails(otherParkUser, 'Gwen Hughes');
    await setDetails(headOfficeUser, 'Owain Lloyd');
    expect(await getName(manager, one)).toBe(`Eleri Price (${one.username})`);
    expect(await getName(manager, two)).toBe(`eleri price (${two.username})`);
    // Staff of this park must not see whether a user with the same full name works at another park.
    expect(await getName(one, one)).toBe('Eleri Price');
    expect([await getName(one, two), await getName(one, otherParkUser), await getName(one, headOfficeUser)]).toEqual([
      undefined,
      undefined,
      'Owain Lloyd',
    ]);
    expect(await getName(otherParkUser, otherParkUser)).toBe('Gwen Hughes');
    // The full name of a user may be the username of another one.
    await setDetails(otherParkUser, one.username);
    expect(await getName(manager, otherParkUser)).toBe(`${one.username} (${otherParkUser.username})`);
  });

  test('users without a full name are listed by username, and staff get only users who see their park', async () => {
    const [staff, otherParkUser] = [await server.as('None', 'Mounds'), await server.as('None', 'Kingsley')];
    const people = await staff(api.listNames);
    const own = { id: staff.id, username: staff.username, name: staff.username, park: 'Mounds', parks: ['Mounds'] };
    expect(people).toContainEqual(own);
    // The settings of parks that the viewer sees name those who do audits of failing answers.
    const { id, username: assignee } = await server.as('None', ['Kingsley', 'Mounds']);
    for (const park of ['Kingsley', 'Mounds']) await admin(api.saveParkSettings, { body: { park, assignee } });
    expect(await staff(api.listNames)).toContainEqual(expect.objectContaining({ id, checksAt: ['Mounds'] }));
    expect(people.some(({ username }) => username === otherParkUser.username)).toBe(false);
    expect(new Set(people.map(({ park }) => park))).toEqual(new Set(['', 'Mounds']));
  });

  test('a deleted user has neither full name nor email address, and a reused username is shown without a full name', async () => {
    const body = {
      username: 'gone.soon',
      password: 'a walk along the shore',
      role: 'None' as const,
      park: '' as const,
    };
    const { id } = await admin(api.createUser, {
      body: { ...body, full_name: 'Gone Soon', email: 'gone@example.com' },
    });
    await admin(api.deleteUser, { params: { id } });
    const row = await server.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
    expect(row).toMatchObject({ username: 'gone.soon', full_name: '', email: '' });
    await admin(api.createUser, { body: { ...body, full_name: 'Another Person' } });
    expect((await admin(api.listNames)).some(({ name }) => name.includes('Another Person'))).toBe(false);
  });

  test('exports and access requests use the full name', async () => {
    const staff = await server.as('None', 'Lido Beach');
    await setDetails(staff, 'Mair Tudor', 'mair@example.com');
    await staff(api.submitAccident, { body: await newReport(staff) });
    const folder = await newFolder(admin, { park: 'Lido Beach' });
    const title = 'Repair the gate';
    await staff(api.createAudit, { body: newAudit(folder, { title, assignee: staff.username, completed: true }) });
    for (const path of [api.exportReports.path, api.exportAudits.path]) {
      const csv = await (await manager.fetch(`${path}?format=csv`)).text();
      expect(csv).toContain('Mair Tudor');
      expect(csv).not.toContain('mair@example.com');
    }
    // An export of the activity log has the full name and the recorded username.
    const log = await (await manager.fetch(`${api.exportActivity.path}?format=csv`)).text();
    expect(log).toContain(`Mair Tudor,${staff.username},`);
    expect(log).not.toContain('mair@example.com');
    const body = { name: 'Mair Tudor', spellings: [], receivedOn: '2026-11-30' };
    const { id } = await admin(api.createAccessRequest, { body });
    const { hits } = await admin(api.getAccessRequest, { params: { id } });
    const userHit = hits.find((hit) => hit.id === `user:${staff.id}`);
    expect(userHit?.texts).toEqual([
      { field: 'notifications', text: expect.stringMatching(/^Your email address was changed/) },
      { field: 'username', text: staff.username },
      { field: 'full name', text: 'Mair Tudor' },
      { field: 'email', text: 'mair@example.com' },
    ]);
  });

  test('a link sent to a new email address confirms it once, without a session, and a later change invalidates it', async () => {
    const staff = await server.as('None', 'Lido Beach');
    await setDetails(staff, 'Nia', 'old@example.com');
    await expect(change(staff, 'new@example.com', 'a wrong password')).rejects.toMatchObject({
      status: 400,
      fields: { currentPassword: 'This is not your current password' },
    });
    expect(await change(staff, 'new@example.com')).toEqual({ success: true, isLinkSent: true });
    const token = await getTokenSentTo('new@example.com');
    expect(await ownEmail(staff)).toBe('old@example.com');
    const rows = await server.db.selectFrom('email_changes').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(token);
    await confirm(token);
    expect(await ownEmail(staff)).toBe('new@example.com');
    const gone = { status: 404, message: 'This link has been used or has expired' };
    await expect(confirm(token)).rejects.toMatchObject(gone);
    // A later link, an Admin's change and a new password each invalidate an earlier link.
    await change(staff, 'first@example.com');
    const first = await getTokenSentTo('first@example.com');
    await change(staff, 'second@example.com');
    const second = await getTokenSentTo('second@example.com');
    await expect(confirm(first)).rejects.toMatchObject(gone);
    await setDetails(staff, 'Nia', 'set@example.com');
    await expect(confirm(second)).rejects.toMatchObject(gone);
    await change(staff, 'third@example.com');
    const thirdToken = await getTokenSentTo('third@example.com');
    await admin(api.resetPassword, { body: { id: staff.id } });
    await expect(confirm(thirdToken)).rejects.toMatchObject(gone);
    const log = await admin(api.listActivity, { query: { thing: 'user', thing_id: staff.id } });
    expect(log.map(({ action }) => action)).toContain('changed the email address');
    expect(JSON.stringify(log)).not.toContain('@example.com');
  });

  test('a link that confirms an email address expires after a day, and its row is deleted', async () => {
    const staff = await server.as('None', 'Lido Beach');
    await change(staff, 'late@example.com');
    const token = await getTokenSentTo('late@example.com');
    now += day;
    await expect(confirm(token)).rejects.toMatchObject({ status: 404 });
    await deleteExpiredEmailChanges(server.db, new Date(now));
    expect(await server.db.selectFrom('email_changes').selectAll().execute()).toEqual([]);
    expect(await ownEmail(staff)).toBe('');
  });

  test('an email address is removed without a confirmation link, and is not stored if its link could not be sent', async () => {
    const staff = await server.as('None', 'Lido Beach');
    admin = await server.as('Admin');
    await setDetails(staff, '', 'mine@example.com');
    mail.state.isRejecting = true;
    await expect(change(staff, 'full@example.com')).rejects.toMatchObject({
      status: 503,
      fields: { email: 'The link could not be sent. Check the address and try again.' },
    });
    mail.state.isRejecting = false;
    expect(await server.db.selectFrom('email_changes').selectAll().execute()).toEqual([]);
    expect(await ownEmail(staff)).toBe('mine@example.com');
    expect(await change(staff, '')).toEqual({ success: true, isLinkSent: false });
    expect(await ownEmail(staff)).toBe('');
  });

  test('a user can request 10 links a day to confirm an email address', async () => {
    const staff = await server.as('None', 'Lido Beach');
    for (let sent = 0; sent < 10; sent++) await change(staff, 'many@example.com');
    await expect(change(staff, 'many@example.com')).rejects.toMatchObject({ status: 429 });
    now += 2 * hour;
    await runMaintenance(server, () => new Date(now));
    await expect(change(staff, 'many@example.com')).rejects.toMatchObject({ status: 429 });
    now += 22 * hour;
    await change(staff, 'many@example.com');
  });
});

test('on a server that sends no email, users are told so and only Admins set email addresses', async () => {
  await using server = await startTestServer('sqlite');
  const [staff, admin] = [await server.as('None'), await server.as('Admin')];
  expect((await staff(api.getNotificationSettings)).canChangeEmail).toBe(false);
  const body = { email: 'sian@example.com', currentPassword: password };
  await expect(staff(api.requestEmailChange, { body })).rejects.toMatchObject({ status: 409 });
  await admin(api.updateUserDetails, { params: { id: staff.id }, body: { full_name: '', email: 'sian@example.com' } });
  expect((await staff(api.getNotificationSettings)).email).toBe('sian@example.com');
});
