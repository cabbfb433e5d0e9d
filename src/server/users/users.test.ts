import { randomUUID } from 'node:crypto';
import jsQR from 'jsqr';
import sharp from 'sharp';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { api } from '#shared/api.ts';
import { assertStrongPassword } from '../sign-in/session/passwords.ts';
import { newReport } from '../testing/factories.ts';
import { createTestFolder } from '../testing/folder.ts';
import { startProcess } from '../testing/process.ts';
import { changeRows } from '../testing/rows.ts';
import { engines, password, signInAt, startTestServer, type TestClient } from '../testing/server.ts';
import { createTestServer } from '../testing/test-server.ts';

const expectedError = (status: number, message?: string) => ({ status, ...(message && { message }) });

describe.each(engines)('users on %s', (engine) => {
  let admin: TestClient;
  let now = Date.parse('2026-03-10T09:00:00Z');
  const { server, manager } = createTestServer(engine, {}, () => now);
  beforeAll(async () => {
    admin = await server.as('Admin');
  });

  const person = (changes = {}) => ({
    username: `sian.${randomUUID().slice(0, 8)}`,
    password: 'a long walk on the beach',
    role: 'None' as const,
    park: 'Lido Beach' as const,
    ...changes,
  });
  const find = async (username: string) => (await admin(api.listUsers)).find((user) => user.username === username);

  test('a created user can sign in, and the list shows when they last did', async () => {
    const body = person();
    expect(await admin(api.userExists, { body })).toEqual({ exists: false });
    const { id } = await admin(api.createUser, { body });
    expect(await admin(api.userExists, { body: { username: ` ${body.username.toUpperCase()} ` } })).toEqual({
      exists: true,
    });
    expect(await find(body.username)).toEqual({
      id,
      username: body.username,
      accessFromProvider: false,
      role: 'None',
      park: 'Lido Beach',
      parks: ['Lido Beach'],
      lastSignInAt: null,
      full_name: '',
      email: '',
      secondFactor: 'none',
    });
    await server.anonymous(api.login, { body });
    expect((await find(body.username))?.lastSignInAt).toBe(new Date(now).toISOString());
  });

  test('the list of users contains no password hash', async () => {
    const text = await (await admin.fetch(api.listUsers.path)).text();
    expect(text).toContain(admin.username);
    expect(text).not.toMatch(/argon2|password|hash/i);
  });

  test('a username that differs from another only in case is rejected', async () => {
    const body = person();
    const replies = await Promise.allSettled(
      [body, { ...body, username: body.username.toUpperCase() }, body].map((body) => admin(api.createUser, { body })),
    );
    expect(replies.filter((reply) => reply.status === 'fulfilled')).toHaveLength(1);
    for (const reply of replies)
      if (reply.status === 'rejected') expect(reply.reason).toMatchObject(expectedError(409, 'User already exists'));
  });

  test.each([
    ['a common password', { password: 'password1' }, 'Choose a less common password'],
    ['a common password of digits', { password: '123456789' }, 'Choose a less common password'],
    ['its username as password', { username: '4471-9038-2', password: '4471-9038-2' }, 'Choose a less common password'],
    ['a park name with digits as password', { password: 'lidobeach2026' }, 'Choose a less common password'],
    ['a common word with digits as password', { password: 'Welcome2024' }, 'Choose a less common password'],
    ['a common word with punctuation as password', { password: '!! Autumn 2025 !' }, 'Choose a less common password'],
    ['a short password', { password: 'seven77' }, 'A password has at least 8 characters'],
    ['an unknown role', { role: 'Owner' }, 'Choose a role'],
    ['no park', { park: undefined }, 'Choose a park'],
    ['a username with a space', { username: 'sian jones' }, 'A username has letters, digits and . _ - @ only'],
  ])('a new user with %s is rejected with a message', async (_, changes, message) => {
    await expect(admin(api.createUser, { body: person(changes) as never })).rejects.toMatchObject(
      expectedError(400, message),
    );
  });

  test('where passwords have at least 15 characters, an emoji is one of them', () => {
    const check = (text: string) => assertStrongPassword(text, 'sian', '', 15);
    for (const text of ['qzqzqzqzqzqzqz', '🏖'.repeat(8)]) expect(() => check(text)).toThrow('at least 15 characters');
    check('qzqzqzqzqzqzqzq');
  });

  test('a request repeated with one idempotency key creates one user, and no stored reply or log entry has the password', async () => {
    const body = person();
    const key = randomUUID();
    const first = await admin(api.createUser, { body, key });
    expect(await admin(api.createUser, { body, key })).toEqual(first);
    for (const table of ['replies', 'activity'] as const) {
      const storedText = JSON.stringify(await server.db.selectFrom(table).selectAll().execute());
      expect(storedText).toContain(first.id);
      expect(storedText).not.toMatch(/long walk/);
    }
  });

  test("a change of a user's role and park is logged", async () => {
    const staff = await server.as('None', 'Lido Beach');
    await admin(api.assignRole, { body: { username: staff.username, role: 'Health & Safety Manager', park: '' } });
    expect(await staff(api.getSession)).toMatchObject({ user: { role: 'Health & Safety Manager', park: '' } });
    const [line] = await admin(api.listActivity, { query: { thing: 'user', thing_id: staff.id } });
    expect(line).toMatchObject({
      action: 'changed',
      actor: admin.username,
      changes: {
        role: { from: 'None', to: 'Health & Safety Manager' },
        park: { from: 'Lido Beach', to: '' },
      },
    });
    await expect(
      admin(api.assignRole, { body: { username: 'nobody.here', role: 'None', park: '' } }),
    ).rejects.toMatchObject(expectedError(404));
  });

  test('a new username has letters of one alphabet only, and a user with an older one can sign in', async () => {
    const create = (username: string) => admin(api.createUser, { body: person({ username }) });
    const message = 'A username has letters of one alphabet only';
    for (const username of ['m\u0430ri.wyn', 'mar\u0456.wyn', 'ｍari.ｗуn', 'mari.٤', 'sian.李', 'ᏢᎪul'])
      await expect(create(username)).rejects.toMatchObject({ status: 400, fields: { username: message } });
    await expect(
      admin(api.importUsers, { body: { csv: 'paul,None,Mounds\np\u0430ul,None,Mounds' } }),
    ).rejects.toMatchObject({ body: { lines: [{ line: 2, message }] } });
    for (const username of ['łukasz.o-connor_2', 'Ольга.2', 'さくら.花ー', '김.李', 'عمر٤', 'nguyễn.văn'])
      expect(await create(username)).toMatchObject({ success: true });

    await changeRows(server.db, 'users', { username: 'Ольга.2' }, { username: 'Ольga.2', username_key: 'ольga.2' });
    expect((await server.signIn('Ольga.2', '', person({}).password)).username).toBe('Ольga.2');
  });

  test('a username that looks like another one is refused, and its user signs in', async () => {
    const create = (username: string) => admin(api.createUser, { body: person({ username }) });
    await create('Ieuan.ll');
    await expect(create('leuan.II')).rejects.toMatchObject({
      status: 409,
      fields: { username: 'This looks like the username Ieuan.ll. Choose another one' },
    });
    await expect(create('admın')).rejects.toMatchObject({ status: 409, code: 'USER_LOOKALIKE' });
    await expect(create('IEUAN.LL')).rejects.toMatchObject({ status: 409, code: 'USER_EXISTS' });
    const csv = 'gate1,None,Mounds\ngatel,None,Mounds\nadmın,None,Mounds';
    const lines = [
      { line: 2, message: 'gatel looks like gate1 on line 1' },
      { line: 3, message: 'This looks like the username admin. Choose another one' },
    ];
    await expect(admin(api.importUsers, { body: { csv } })).rejects.toMatchObject({ body: { lines } });
    expect((await server.signIn('ieuan.ll', '', person({}).password)).username).toBe('ieuan.ll');
  });

  test.each([
    ['digits only', '7305918264'],
    ['small letters only', 'lanternharbour'],
    ['letters with accents, composed and not', 'Si\u00e2n a\u0302 thatch'],
    ['emoji and letters of several alphabets', '🦆🐟 пляж さくら'],
    ['64 characters', `${'harbour '.repeat(8)}`.trim().padEnd(64, 'x')],
    ['128 characters', `${'harbour lantern '.repeat(8)}`.trim().padEnd(128, 'x')],
  ])('a password of %s is accepted, and signs in exactly as typed only', async (_, password) => {
    const { username } = person();
    await admin(api.createUser, { body: person({ username, password }) });
    const signIn = (typed: string) => server.anonymous(api.login, { body: { username, password: typed } });
    const others = [password.slice(0, -1), password.toUpperCase(), password.normalize('NFC'), `${password} `];
    for (const other of new Set(others))
      if (other !== password) await expect(signIn(other)).rejects.toMatchObject({ status: 401 });
    expect(await signIn(password)).toMatchObject({ success: true });
  });

  test.each([
    ['        ', 'A password cannot begin or end with a space'],
    [' lantern harbour', 'A password cannot begin or end with a space'],
    ['lantern harbour ', 'A password cannot begin or end with a space'],
  ])('the password "%s", with a space at an end, is rejected with a reason', async (password, message) => {
    await expect(admin(api.createUser, { body: person({ password }) })).rejects.toMatchObject({
      status: 400,
      fields: { password: message },
    });
  });

  test('an idempotency key with another password is rejected, and with the same one returns the stored reply', async () => {
    const key = crypto.randomUUID();
    const body = person({ password: 'lantern harbour' });
    const { id } = await admin(api.createUser, { body, key });
    expect(await admin(api.createUser, { body, key })).toMatchObject({ id });
    await expect(admin(api.createUser, { body: { ...body, password: 'another harbour' }, key })).rejects.toMatchObject({
      status: 422,
      code: 'KEY_REUSED',
    });
  });

  test('a manager manages staff only and can promote nobody', async () => {
    const staff = await server.as('None');
    const other = await server.as('Health & Safety Manager');
    expect(await manager(api.listRoles)).toEqual(['None']);
    expect(await admin(api.listRoles)).toEqual(['None', 'Health & Safety Manager', 'Admin']);
    const assign = (username: string, role: 'None' | 'Health & Safety Manager' | 'Admin') =>
      manager(api.assignRole, { body: { username, role, park: 'Mounds' } });
    await assign(staff.username, 'None');
    for (const attempt of [
      () => assign(staff.username, 'Health & Safety Manager'),
      () => assign(staff.username, 'Admin'),
      () => assign(other.username, 'None'),
      () => assign(manager.username, 'Admin'),
      () => manager(api.deleteUser, { params: { id: other.id } }),
      () => manager(api.deleteUser, { params: { id: admin.id } }),
      () => manager(api.resetPassword, { body: { id: admin.id } }),
      () => manager(api.createUser, { body: person({ role: 'Admin' }) }),
    ])
      await expect(attempt()).rejects.toMatchObject(expectedError(403));
    await manager(api.deleteUser, { params: { id: staff.id } });
    await server.restart(); // writes the log entries of rejected requests
    const log = await admin(api.listActivity, { query: { q: `${manager.username} refused` } });
    expect(log.map(({ label, changes }) => [label, changes])).toEqual(
      expect.arrayContaining([
        ['POST /api/admin/assign-role', { times: 4 }],
        ['DELETE /api/admin/users/:id', { times: 2 }],
        ['POST /api/admin/reset-password', { times: 1 }],
        ['POST /api/admin/create-user', { times: 1 }],
      ]),
    );
  });

  test('users cannot delete or demote themselves', async () => {
    await expect(admin(api.deleteUser, { params: { id: admin.id } })).rejects.toMatchObject(expectedError(409));
    await expect(
      admin(api.assignRole, { body: { username: admin.username, role: 'None', park: '' } }),
    ).rejects.toMatchObject(expectedError(409, 'You cannot change your own role'));
  });

  test('a deleted user is signed out, keeps their name on records and frees the username', async () => {
    const staff = await server.as('None', 'Lido Beach');
    const { id } = await staff(api.submitAccident, { body: await newReport(staff) });
    await admin(api.deleteUser, { params: { id: staff.id } });
    await expect(staff(api.getSession)).rejects.toMatchObject(expectedError(401));
    expect((await admin(api.getReport, { params: { id } })).created_by).toBe(staff.username);
    expect(await admin(api.getUsername, { params: { id: staff.id } })).toEqual({ username: staff.username });
    await expect(admin(api.deleteUser, { params: { id: staff.id } })).rejects.toMatchObject(expectedError(404));
    const newUser = await admin(api.createUser, { body: person({ username: staff.username }) });
    expect(newUser.id).not.toBe(staff.id);
    await expect(staff(api.getSession)).rejects.toMatchObject(expectedError(401));
  });

  test('a request with a malformed user id gets a 400', async () => {
    await expect(admin(api.deleteUser, { params: { id: 'no such!' } })).rejects.toMatchObject(
      expectedError(400, 'Invalid user ID'),
    );
  });

  test('two Admins who delete each other at once leave one Admin', async () => {
    await using separateServer = await startTestServer(engine);
    const [first, second] = [await separateServer.as('Admin'), await separateServer.as('Admin')];
    await first(api.deleteUser, {
      params: { id: (await first(api.listUsers)).find((user) => user.username === 'admin')?.id ?? '' },
    });
    const replies = await Promise.allSettled([
      first(api.deleteUser, { params: { id: second.id } }),
      second(api.deleteUser, { params: { id: first.id } }),
    ]);
    expect(replies.map((reply) => reply.status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  test('a password set by an Admin ends all sessions of the user and must be replaced at the next sign-in', async () => {
    const staff = await server.as('None');
    const { password: oneTimePassword } = await admin(api.resetPassword, { body: { id: staff.id } });
    await expect(staff(api.getSession)).rejects.toMatchObject(expectedError(401));
    await expect(server.anonymous(api.login, { body: { username: staff.username, password } })).rejects.toMatchObject(
      expectedError(401),
    );
    const back = await server.signIn(staff.username, staff.id, oneTimePassword);
    expect((await back(api.getSession)).user.mustChangePassword).toBe(true);
    await expect(back(api.getUsername, { params: { id: staff.id } })).rejects.toMatchObject({
      status: 403,
      code: 'PASSWORD_CHANGE_NEEDED',
    });
    const newPassword = 'only I know this one';
    await expect(back(api.changePassword, { body: { newPassword: oneTimePassword } })).rejects.toMatchObject({
      fields: { newPassword: 'New password must be different' },
    });
    await back(api.changePassword, { body: { newPassword } });
    expect((await back(api.getSession)).user.mustChangePassword).toBe(false);
    const log = await admin(api.listActivity, { query: { thing: 'user', thing_id: staff.id } });
    expect(log.map((line) => line.action)).toEqual(['changed the password', 'set a new password for']);
    expect(JSON.stringify(await server.db.selectFrom('activity').selectAll().execute())).not.toContain(oneTimePassword);
  });

  test("changing one's password requires the current one, except right after signing in with a one-time password", async () => {
    const missingPasswordError = { status: 400, fields: { currentPassword: 'Enter your current password' } };
    const newPassword = 'only I know this one';
    const staff = await server.as('None');
    await expect(staff(api.changePassword, { body: { newPassword } })).rejects.toMatchObject(missingPasswordError);

    const { password: oneTimePassword } = await admin(api.resetPassword, { body: { id: staff.id } });
    const back = await server.signIn(staff.username, staff.id, oneTimePassword);
    now += 11 * 60_000;
    await expect(back(api.changePassword, { body: { newPassword } })).rejects.toMatchObject(missingPasswordError);
    await expect(
      back(api.changePassword, { body: { currentPassword: 'wrong one', newPassword } }),
    ).rejects.toMatchObject({ fields: { currentPassword: 'This is not your current password' } });
    await back(api.changePassword, { body: { currentPassword: oneTimePassword, newPassword } });
  });

  test('a CSV file creates all users, each with a password', async () => {
    const csv =
      '\uFEFFUsername;Role;Park;Name\r\n"huw.p";park staff;Lido Beach;Huw\r\nceri.j;Health & Safety Manager;"All parks"\r\ndai.é;;st marys\r\n';
    admin = await server.as('Admin');
    const { users, address, qrCode } = await admin(api.importUsers, { body: { csv } });
    expect(users).toMatchObject([
      { username: 'huw.p', role: 'None', park: 'Lido Beach', full_name: 'Huw' },
      { username: 'ceri.j', role: 'Health & Safety Manager', park: '' },
      { username: 'dai.é', role: 'None', park: 'St Marys' },
    ]);
    expect(address).toBe(server.url);
    const picture = sharp(Buffer.from(qrCode.split(',')[1] ?? '', 'base64')).ensureAlpha();
    const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true });
    expect(jsQR.default(new Uint8ClampedArray(data), info.width, info.height)?.data).toBe(server.url);
    expect(new Set(users.map((user) => user.password)).size).toBe(3);
    for (const user of users) {
      const client = await server.signIn(user.username, '', user.password);
      expect((await client(api.getSession)).user.mustChangePassword).toBe(true);
    }
  });

  test('every invalid line of a CSV file is named and no user is created', async () => {
    const csv = [
      'username,role,park',
      'good.one,None,Mounds',
      'x,None,Mounds',
      'bad.role,Owner,Mounds',
      'bad.park,None,Nowhere',
      'no.park,None,',
      'GOOD.one,None,Mounds',
      `${admin.username},None,Mounds`,
      '',
      'too.many,None,Mounds,extra',
    ].join('\n');
    const error = await admin(api.importUsers, { body: { csv } }).catch((error: unknown) => error);
    expect(error).toMatchObject({
      status: 400,
      message: 'No users were created. Correct 7 lines and choose the file again.',
    });
    const { lines } = (error as { body: { lines: { line: number; message: string }[] } }).body;
    expect(lines.map(({ line }) => line)).toEqual([3, 4, 5, 6, 7, 8, 10]);
    expect(lines[4]?.message).toBe('GOOD.one is already on line 2');
    expect(await find('good.one')).toBeUndefined();
  });

  test('a manager cannot create an Admin with a CSV file', async () => {
    await expect(manager(api.importUsers, { body: { csv: 'new.boss,Admin,Mounds' } })).rejects.toMatchObject({
      status: 400,
      body: { lines: [{ line: 1, message: 'Only an Admin can make a user with the role Admin' }] },
    });
  });

  test('checking usernames is rate limited', async () => {
    await using separateServer = await startTestServer(engine, { RATE_SCALE: '1' }, () => now);
    const client = await separateServer.as('Admin');
    const checkUsername = () => client(api.userExists, { body: { username: 'sian' } });
    for (let i = 0; i < 30; i++) await checkUsername();
    await expect(checkUsername()).rejects.toMatchObject({ status: 429, retryAfter: 60 });
    await expect(checkUsername()).rejects.toMatchObject({ status: 429 });
    await separateServer.restart(); // log entries of rejected requests are written after a minute, or when the server stops
    expect(await client(api.listActivity, { query: { q: 'slowed down' } })).toHaveLength(1);
    now += 60_000;
    await checkUsername();
  });
});

test('a CSV import that takes too long is rejected and creates no user', async () => {
  const folder = createTestFolder(onTestFinished);
  const settings = { DATA_DIR: folder, ADMIN_PASSWORD: password, ANSWER_SECONDS: '1', LOG_LEVEL: 'error' };
  await using server = await startProcess(settings);
  const admin = await signInAt(server.url, 'admin');
  const csv = Array.from({ length: 200 }, (_, index) => `person.${index},None,Mounds`).join('\n');
  await expect(admin(api.importUsers, { body: { csv } })).rejects.toMatchObject(expectedError(503));
  // The hashing continues after the timeout, and the server logs this error when it has ended.
  await expect.poll(server.output, { timeout: 60_000 }).toContain('Promise errored, but reply.sent = true was set');
  expect((await admin(api.listUsers)).map(({ username }) => username)).toEqual(['admin']);
}, 90_000);
