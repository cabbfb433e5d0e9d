// Staff choose a PIN and sign in with it on shared devices.
import { beforeEach, describe, expect, test } from 'vitest';
import { api, contract } from '#shared/api.ts';
import type { Endpoint } from '#shared/contract.ts';
import { engines, password, type TestClient } from '../../testing/server.ts';
import { makePinUser, pin, shareDevice, signInWithPin } from '../../testing/shared-devices.ts';
import { createTestServer } from '../../testing/test-server.ts';
import { insertSession } from '../session/session.ts';

const minute = 60_000;

describe.each(engines)('PINs on %s', (engine) => {
  let now = Date.parse('2026-03-10T09:00:00Z');
  let admin: TestClient;
  let device: string;
  const { server } = createTestServer(engine, {}, () => now);
  beforeEach(async () => {
    admin = await server.as('Admin');
    device = await shareDevice(await server.as('Health & Safety Manager', 'Lido Beach'));
  });

  const guess = async (user: TestClient, times: number, on = device) => {
    const results: (string | undefined)[] = [];
    for (let at = 0; at < times; at += 1) results.push((await signInWithPin(server, on, user, '000000')).code);
    return results;
  };
  const repeat = (code: string, times: number) => Array.from({ length: times }, () => code);
  const listNames = (on = device) =>
    server
      .withCookie(
        on,
        '',
        '',
      )(api.getOwnSharedDevice)
      .then(({ people }) => people.map(({ name }) => name));

  test('a PIN signs its user in with the rights of staff, and the device lists its last user first', async () => {
    const [gwen, huw] = [await makePinUser(server), await makePinUser(server)];
    await server.as('None', 'Lido Beach');
    expect(await listNames()).toEqual(expect.arrayContaining([gwen.username, huw.username]));
    const signedIn = await signInWithPin(server, device, huw);
    expect((await signedIn.client(api.getSession)).user).toMatchObject({
      id: huw.id,
      role: 'None',
      park: 'Lido Beach',
    });
    expect((await listNames())[0]).toBe(huw.username);
    await signInWithPin(server, device, gwen);
    expect((await listNames()).slice(0, 2)).toEqual([gwen.username, huw.username]);
    expect(await huw(api.listSessions)).toMatchObject([{ isThis: true }, { method: 'PIN', device: 'Lifeguard hut' }]);
    // Sign-ins by PIN are not in the permanent log.
    const log = await admin(api.listActivity, { query: { q: huw.username } });
    expect(log.map(({ action }) => action)).not.toContain('signed in');
  });

  test('a PIN works at the parks of its user only, and its user is listed there only', async () => {
    const staff = await makePinUser(server, 'Mounds');
    expect(await listNames()).not.toContain(staff.username);
    expect(await signInWithPin(server, device, staff)).toMatchObject({ status: 401, code: 'WRONG_PIN' });
    const everywhere = await makePinUser(server, '');
    expect(await signInWithPin(server, device, everywhere)).toMatchObject({ status: 200 });
  });

  test('five wrong PINs stop a user on a device for 15 minutes, and not on another', async () => {
    const staff = await makePinUser(server);
    const other = await shareDevice(await server.as('Admin'));
    expect(await guess(staff, 6)).toEqual([...repeat('WRONG_PIN', 5), 'PIN_PAUSE']);
    expect(await signInWithPin(server, device, staff)).toMatchObject({
      status: 429,
      message: 'There were too many wrong PINs. Sign in with your password, or wait 15 minutes and try again.',
    });
    expect(await signInWithPin(server, other, staff)).toMatchObject({ status: 200 });
    now += 15 * minute;
    expect(await signInWithPin(server, device, staff)).toMatchObject({ status: 200 });
  });

  test('five more wrong PINs stop the user for an hour, and then until midnight, but never for ever', async () => {
    const staff = await makePinUser(server);
    const startedAt = now;
    now = Date.parse('2026-03-11T20:00:00Z');
    await guess(staff, 5);
    now += 15 * minute;
    expect(await guess(staff, 6)).toEqual([...repeat('WRONG_PIN', 5), 'PIN_PAUSE']);
    now += 59 * minute;
    expect(await guess(staff, 1)).toEqual(['PIN_PAUSE']);
    now += minute;
    expect(await guess(staff, 6)).toEqual([...repeat('WRONG_PIN', 5), 'PIN_PAUSE']);
    now = Date.parse('2026-03-11T23:59:59Z');
    expect(await guess(staff, 1)).toEqual(['PIN_PAUSE']);
    now += 1000;
    expect(await guess(staff, 5)).toEqual(repeat('WRONG_PIN', 5));
    now += 15 * minute;
    expect(await signInWithPin(server, device, staff)).toMatchObject({ status: 200 });
    // After the right PIN the first pause is 15 minutes again.
    await guess(staff, 5);
    now += 15 * minute;
    expect(await signInWithPin(server, device, staff)).toMatchObject({ status: 200 });
    now = Math.max(now, startedAt);
  });

  test('forty wrong PINs on any devices stop a user until midnight, or until they use the password', async () => {
    const staff = await makePinUser(server);
    for (let at = 0; at < 8; at += 1) {
      const other = await shareDevice(await server.as('Admin'));
      expect(await guess(staff, 5, other)).toEqual(repeat('WRONG_PIN', 5));
    }
    expect(await guess(staff, 1)).toEqual(['PIN_PAUSE']);
    await server.signIn(staff.username);
    expect(await signInWithPin(server, device, staff)).toMatchObject({ status: 200 });
  });

  test('PINs count only at parks of their user, while their user is staff', async () => {
    const elsewhere = await makePinUser(server, 'Mounds');
    const promoted = await makePinUser(server);
    await server.db.updateTable('users').set({ role: 'Admin' }).where('id', '=', promoted.id).execute();
    for (const user of [elsewhere, promoted]) expect(await guess(user, 7)).toEqual(repeat('WRONG_PIN', 7));
    const mounds = await shareDevice(await server.as('Admin'), 'Mounds');
    expect(await signInWithPin(server, mounds, elsewhere)).toMatchObject({ status: 200 });
  });

  test('a PIN guessed in ten sessions at once is checked five times, and the right one is accepted ten times', async () => {
    const staff = await makePinUser(server);
    const tryAtOnce = (typed?: string) =>
      Promise.all(Array.from({ length: 10 }, () => signInWithPin(server, device, staff, typed)));
    expect((await tryAtOnce()).map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    expect((await tryAtOnce('000000')).filter(({ code }) => code === 'WRONG_PIN')).toHaveLength(5);
  });

  test('a PIN does not make the device a browser in which its user has signed in', async () => {
    const staff = await makePinUser(server);
    await signInWithPin(server, device, staff);
    const browsers = server.db.selectFrom('browsers').selectAll().where('user_id', '=', staff.id);
    expect(await browsers.execute()).toEqual([]);
  });

  test('thirty wrong PINs of several users stop PINs on a device for an hour', async () => {
    const users = await Promise.all(Array.from({ length: 7 }, () => makePinUser(server)));
    for (const user of users.slice(0, 6)) expect(await guess(user, 5)).toEqual(repeat('WRONG_PIN', 5));
    const last = users[6] as TestClient;
    now += 59 * minute;
    expect(await signInWithPin(server, device, last)).toMatchObject({ status: 429, code: 'PIN_PAUSE' });
    now += minute;
    expect(await signInWithPin(server, device, last)).toMatchObject({ status: 200 });
  });

  test('a session by PIN ends 30 minutes after its last request, and cannot change the password or PIN', async () => {
    const { client } = await signInWithPin(server, device, await makePinUser(server));
    const body = { currentPassword: password, newPassword: 'another walk on the shore' };
    await expect(client(api.changePassword, { body })).rejects.toMatchObject({ status: 403 });
    await expect(client(api.setPin, { body: { currentPassword: password, pin: '916274' } })).rejects.toMatchObject({
      status: 403,
    });
    now += 29 * minute;
    await client(api.getSession);
    now += 29 * minute;
    await client(api.getSession);
    now += 30 * minute;
    await expect(client(api.getSession)).rejects.toMatchObject({ status: 401 });
  });

  test('a new PIN ends the sessions started with the earlier one, and no others of its user or of other users', async () => {
    const [staff, other] = [await makePinUser(server), await makePinUser(server)];
    const onPhone = await server.signIn(staff.username, staff.id);
    const { client: onDevice } = await signInWithPin(server, device, staff);
    const { client: ofOther } = await signInWithPin(server, device, other);
    await staff(api.setPin, { body: { pin: '916274', currentPassword: password } });
    await expect(onDevice(api.getSession)).rejects.toMatchObject({ status: 401 });
    await ofOther(api.getSession);
    for (const session of [staff, onPhone]) expect((await session(api.getSession)).user.id).toBe(staff.id);
  });

  test('every endpoint that asks for the password or a confirmation is closed to sessions by PIN', () => {
    const asksForPassword = ({ body }: Endpoint) =>
      'currentPassword' in ((body as { shape?: object } | undefined)?.shape ?? {});
    const endpoints = Object.entries<Endpoint>(contract).filter(
      ([, endpoint]) => endpoint.access === 'signedIn' && (endpoint.needsConfirmation || asksForPassword(endpoint)),
    );
    expect(endpoints.length).toBeGreaterThan(8);
    expect(endpoints.flatMap(([name, { notByPin }]) => (notByPin ? [] : [name]))).toEqual([]);
  });

  test('a new role deletes the PIN and ends the sessions started with it', async () => {
    const staff = await makePinUser(server);
    const { client } = await signInWithPin(server, device, staff);
    await admin(api.assignRole, { body: { username: staff.username, role: 'Admin', park: '' } });
    await expect(client(api.getSession)).rejects.toMatchObject({ status: 401 });
    await admin(api.assignRole, { body: { username: staff.username, role: 'None', park: '' } });
    expect(await signInWithPin(server, device, staff)).toMatchObject({ status: 401 });
  });

  test('a new password from a manager, and deleting the user, delete the PIN', async () => {
    const [reset, deleted] = [await makePinUser(server), await makePinUser(server)];
    await admin(api.resetPassword, { body: { id: reset.id } });
    await admin(api.deleteUser, { params: { id: deleted.id } });
    const ids = (await server.db.selectFrom('pins').select('user_id').execute()).map(({ user_id }) => user_id);
    expect(ids).not.toContain(reset.id);
    expect(ids).not.toContain(deleted.id);
  });

  test('on a shared device a PIN takes the place of the one-time password, which then no longer works', async () => {
    const body = { username: 'new.lifeguard', password, role: 'None' as const, park: 'Lido Beach' as const };
    const { id } = await admin(api.createUser, { body });
    const { password: oneTime } = await admin(api.resetPassword, { body: { id } });
    const elsewhere = await server.signIn('new.lifeguard', id, oneTime);
    await expect(elsewhere(api.setPin, { body: { pin } })).rejects.toMatchObject({ code: 'PASSWORD_CHANGE_NEEDED' });
    await insertSession(server.db, id, new Date(now), { method: 'one-time password' });
    const here = server.withCookie(`${device}; ${elsewhere.cookie}`, id, 'new.lifeguard');
    await here(api.setPin, { body: { pin } });
    expect((await here(api.getSession)).user.mustChangePassword).toBe(false);
    // Someone else may have used the one-time password.
    const sessions = await server.db.selectFrom('sessions').select('token_hash').where('user_id', '=', id).execute();
    expect(sessions).toHaveLength(1);
    await expect(server.signIn('new.lifeguard', id, oneTime)).rejects.toThrow('(401)');
    expect(await signInWithPin(server, device, here)).toMatchObject({ status: 200 });
  });

  test('the database has no PIN, only an encrypted hash', async () => {
    const staff = await makePinUser(server);
    const row = await server.db.selectFrom('pins').selectAll().where('user_id', '=', staff.id).executeTakeFirst();
    expect(row?.pin_hash).toMatch(/^v1\./);
  });
});
