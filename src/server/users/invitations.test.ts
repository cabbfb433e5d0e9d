import { beforeAll, describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import type { Database } from '../db/schema.ts';
import { sha256 } from '../hash.ts';
import { startMailServer } from '../testing/mail-server.ts';
import { runMaintenance } from '../testing/maintenance.ts';
import { jsonPost } from '../testing/requests.ts';
import { readRows } from '../testing/rows.ts';
import { engines, startTestServer, type TestClient } from '../testing/server.ts';
import { longSessions } from '../testing/settings.ts';
import { createTestServer, setUp } from '../testing/test-server.ts';
import { deleteUser, updateAssignment, updateDetails, updateEmail, updatePassword } from './store.ts';

const day = 24 * 60 * 60_000;
const password = 'a long walk by the sea';
const chosen = 'one that only I know';

describe.each(engines)('invitations on %s', (engine) => {
  let admin: TestClient;
  let now = Date.parse('2026-12-01T12:00:00Z');
  let count = 0;
  const mail = setUp(startMailServer);
  const settings = () => ({
    ...mail.settings,
    ...longSessions,
    PUBLIC_URL: 'http://parks.example.com',
    RATE_SCALE: '100',
  });
  const { server } = createTestServer(engine, settings, () => now);
  beforeAll(async () => {
    admin = await server.as('Admin');
  });

  async function create({ email = `mari.${count}@example.com` } = {}) {
    // Each sender may send 20 in an hour.
    admin = await server.as('Admin');
    count += 1;
    const username = `mari.${count}`;
    const { id } = await admin(api.createUser, {
      body: { username, password, role: 'None', park: 'Lido Beach', email },
      key: crypto.randomUUID(),
    });
    return { id, username, email };
  }
  const invite = (id: string, client = admin) => client(api.inviteUser, { params: { id } });
  const findToken = () =>
    /http:\/\/parks\.example\.com\/invitation#([\w-]{43})\s/.exec(mail.received.at(-1)?.text ?? '')?.[1] ?? '';
  async function inviteNew() {
    const user = await create();
    await invite(user.id);
    return { ...user, token: findToken() };
  }
  const accept = (token: string, text = chosen) =>
    server.anonymous(api.acceptInvitation, { body: { token, password: text } });
  const refusal = {
    status: 404,
    message: 'This link cannot be used. It was used before, or has ended. Ask your manager for a new one.',
  };
  const listed = async (id: string) => (await admin(api.listUsers)).find((user) => user.id === id);

  test('an invitation lets a user choose a password once, and signs nobody in', async () => {
    const { id, username, email } = await create();
    expect(await listed(id)).toMatchObject({ invitation: { sentAt: null } });
    await invite(id);
    const { to, subject, text } = mail.received.at(-1) ?? {};
    expect(to).toEqual([email]);
    expect(subject).toContain('choose your password');
    expect(text).toContain(`with the username ${username}`);
    expect(await listed(id)).toMatchObject({ invitation: { sentAt: new Date(now).toISOString() } });
    const token = findToken();
    const rows = await server.db.selectFrom('one_use_tokens').selectAll().where('user_id', '=', id).execute();
    expect(rows).toMatchObject([{ token_hash: sha256(token), kind: 'invitation' }]);

    const response = await server.anonymous.fetch('/api/invitation', jsonPost({ token, password: chosen }));
    expect([response.status, response.headers.getSetCookie()]).toEqual([200, []]);
    expect(await response.json()).toEqual({ success: true });
    await expect(accept(token)).rejects.toMatchObject(refusal);
    await expect(server.signIn(username, id, password)).rejects.toThrow('(401)');
    const session = await server.signIn(username, id, chosen);
    expect((await session(api.getSession)).user.mustChangePassword).toBe(false);
    expect(await listed(id)).not.toHaveProperty('invitation');
    const entries = await server.db.selectFrom('activity').select('action').where('thing_id', '=', id).execute();
    expect(entries.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['invited', 'accepted the invitation', 'signed in']),
    );
  });

  test('links that are unknown, used, replaced or expired are refused in the same words', async () => {
    const replaced = await inviteNew();
    await invite(replaced.id);
    const expired = await inviteNew();
    const open = await inviteNew();
    now += 7 * day - 1;
    await accept(open.token);
    now += 1;
    for (const token of ['', 'x', 'x'.repeat(43), replaced.token, open.token, expired.token])
      await expect(accept(token)).rejects.toMatchObject(refusal);
    await runMaintenance(server, () => new Date(now));
    expect(await listed(expired.id)).toMatchObject({ invitation: { sentAt: null } });
    const kept = await readRows(server.db, 'one_use_tokens', { kind: 'invitation' });
    expect(kept).toEqual([]);
  });

  type Invited = Awaited<ReturnType<typeof inviteNew>>;
  test.each<[string, (user: Invited) => Promise<unknown>]>([
    [
      'the email address',
      ({ id }) => admin(api.updateUserDetails, { params: { id }, body: { full_name: '', email: 'other@example.com' } }),
    ],
    ['the role', ({ username }) => assign(username, 'Health & Safety Manager', 'Lido Beach')],
    ['the park', ({ username }) => assign(username, 'None', 'Mounds')],
    ['the password', ({ id }) => admin(api.resetPassword, { body: { id } })],
    ['nothing, but the user signed in', ({ id, username }) => server.signIn(username, id, password)],
    ['everything: the user was deleted', ({ id }) => admin(api.deleteUser, { params: { id } })],
  ])('an invitation ends when something has changed: %s', async (_, change) => {
    const user = await inviteNew();
    await change(user);
    await expect(accept(user.token)).rejects.toMatchObject(refusal);
  });
  const assign = (username: string, role: 'None' | 'Health & Safety Manager', park: string) =>
    admin(api.assignRole, { body: { username, role, park } });

  // Whoever calls it: some handlers also end sessions, which ends all links.
  test.each<[string, (db: Database, id: string) => Promise<unknown>]>([
    ['updateAssignment', (db, id) => updateAssignment(db, id, { role: 'None', parks: null })],
    ['updateDetails', (db, id) => updateDetails(db, id, { full_name: '', email: 'other@example.com' })],
    ['updateEmail', (db, id) => updateEmail(db, id, '')],
    ['updatePassword', (db, id) => updatePassword(db, id, 'hash', false)],
    ['deleteUser', (db, id) => deleteUser(db, id, new Date(now))],
  ])('%s ends an invitation in the store, and no other', async (_, change) => {
    const [id, other] = [(await inviteNew()).id, (await inviteNew()).id];
    await change(server.db, id);
    const tokens = server.db.selectFrom('one_use_tokens').select('user_id');
    expect(await tokens.where('user_id', 'in', [id, other]).execute()).toEqual([{ user_id: other }]);
  });

  test('an invitation stays when only the name changes, and stays ended when a change is undone', async () => {
    const { id, username, email, token } = await inviteNew();
    await admin(api.updateUserDetails, { params: { id }, body: { full_name: 'Mari', email } });
    expect(await listed(id)).toMatchObject({ invitation: { sentAt: new Date(now).toISOString() } });
    await assign(username, 'None', 'Mounds');
    await assign(username, 'None', 'Lido Beach');
    await expect(accept(token)).rejects.toMatchObject(refusal);
  });

  test('a password that is too weak does not use up the link, and of two requests at once one uses it', async () => {
    const { id, username, token } = await inviteNew();
    await expect(accept(token, 'password1234')).rejects.toMatchObject({
      status: 400,
      fields: { password: expect.anything() },
    });
    const passwords = ['first of two passwords', 'second of two passwords'];
    const outcomes = await Promise.allSettled(passwords.map((text) => accept(token, text)));
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await server.signIn(username, id, passwords[outcomes.findIndex(({ status }) => status === 'fulfilled')]);
  });

  test('whoever may manage a user may invite them; the user needs an email address, and has never signed in', async () => {
    const user = await create();
    const manager = await server.as('Health & Safety Manager', 'Lido Beach');
    const managedUser = (await manager(api.listUsers)).find(({ id }) => id === user.id);
    expect(managedUser).toMatchObject({ invitation: { sentAt: null } });
    expect(managedUser).not.toHaveProperty('email');
    await invite(user.id, manager);
    const staff = await server.as('None', 'Lido Beach');
    await expect(invite(user.id, staff)).rejects.toMatchObject({ status: 403 });
    await expect(invite(admin.id, manager)).rejects.toMatchObject({ status: 403 });
    expect((await manager(api.listUsers)).find(({ id }) => id === admin.id)).not.toHaveProperty('invitation');
    const { id } = await create({ email: '' });
    expect(await listed(id)).not.toHaveProperty('invitation');
    await expect(invite(id)).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining('no email address'),
    });
    await server.signIn(user.username, user.id, password);
    await expect(invite(user.id)).rejects.toMatchObject({ status: 409 });
    await expect(invite('nobody')).rejects.toMatchObject({ status: 404 });
  });

  test('a user is invited three times in a day, and a sender invites 20 in an hour', async () => {
    const { id } = await create();
    for (let sent = 0; sent < 3; sent += 1) await invite(id);
    const other = await server.as('Admin');
    const before = findToken();
    await expect(invite(id, other)).rejects.toMatchObject({ status: 429 });
    await accept(before);
    now += day;
    const again = await inviteNew();
    await invite(again.id);
    const users = [];
    for (let created = 0; created < 20; created += 1) users.push(await create());
    const sender = await server.as('Admin');
    const outcomes = await Promise.allSettled(users.concat(again).map((user) => invite(user.id, sender)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { status: 429 } });
  });

  test('two invitations of a user at once leave one open', async () => {
    const { id } = await create();
    const second = await server.as('Admin');
    await Promise.all([invite(id), invite(id, second)]);
    expect(await server.db.selectFrom('one_use_tokens').selectAll().where('user_id', '=', id).execute()).toHaveLength(
      1,
    );
  });

  test('the link leads to PUBLIC_URL whatever host a request names, and is withdrawn if it cannot be sent', async () => {
    const { id } = await create();
    const response = await admin.fetch(`/api/users/${id}/invitation`, {
      method: 'POST',
      headers: { host: 'evil.example.com', 'x-forwarded-host': 'evil.example.com' },
    });
    expect(response.status).toBe(200);
    expect(mail.received.at(-1)?.text).not.toContain('evil');
    mail.state.isRejecting = true;
    await expect(invite(id)).rejects.toMatchObject({ status: 503 });
    mail.state.isRejecting = false;
    expect(await listed(id)).toMatchObject({ invitation: { sentAt: null } });
  });
});

test('a server that sends no email offers no invitations', async () => {
  await using server = await startTestServer('sqlite', { PUBLIC_URL: 'http://parks.example.com' });
  const admin = await server.as('Admin');
  const { id } = await admin(api.createUser, {
    body: { username: 'mari', password, role: 'None', park: 'Mounds', email: 'mari@example.com' },
    key: crypto.randomUUID(),
  });
  expect((await admin(api.listUsers)).find((user) => user.id === id)).not.toHaveProperty('invitation');
  await expect(admin(api.inviteUser, { params: { id } })).rejects.toMatchObject({ status: 409 });
});
