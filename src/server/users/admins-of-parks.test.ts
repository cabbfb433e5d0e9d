// Admins of one park, and Admins of all parks.
import { beforeAll, describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { engines, type TestClient } from '../testing/server.ts';
import { createTestServer } from '../testing/test-server.ts';

const adminOfAllParks = { role: 'Admin', park: '' } as const;
const adminOfMounds = { role: 'Admin', park: 'Mounds' } as const;
const newAdmin = { username: 'new.admin', password: 'a long walk on the beach' };

describe.each(engines)('Admins on %s', (engine) => {
  let admin: TestClient;
  const { server } = createTestServer(engine);
  const parkAdmin = server.user('Admin', 'Mounds');
  beforeAll(async () => {
    admin = await server.signIn('admin');
  });

  const findAdminId = async () => (await admin(api.listUsers)).find(({ username }) => username === 'admin')?.id ?? '';

  test('the last Admin of all parks can neither be deleted, demoted nor moved to a park', async () => {
    for (const attempt of [
      async () => admin(api.deleteUser, { params: { id: await findAdminId() } }),
      () => admin(api.assignRole, { body: { username: 'admin', role: 'None', park: '' } }),
      () => admin(api.assignRole, { body: { username: 'admin', ...adminOfMounds } }),
    ])
      await expect(attempt()).rejects.toMatchObject({
        status: 409,
        message: 'At least one Admin of all parks must remain',
      });
  });

  test('an Admin of one park can neither manage an Admin of all parks nor become one', async () => {
    const id = await findAdminId();
    for (const attempt of [
      () => parkAdmin(api.assignRole, { body: { username: parkAdmin.username, ...adminOfAllParks } }),
      () => parkAdmin(api.assignRole, { body: { username: 'admin', ...adminOfMounds } }),
      () => parkAdmin(api.createUser, { body: { ...newAdmin, ...adminOfAllParks } }),
      () => parkAdmin(api.deleteUser, { params: { id } }),
      () => parkAdmin(api.resetPassword, { body: { id } }),
      () => parkAdmin(api.updateUserDetails, { params: { id }, body: { full_name: '', email: 'a@example.com' } }),
    ])
      await expect(attempt()).rejects.toMatchObject({
        status: 403,
        message: 'Only an Admin of all parks can do this to an Admin of all parks',
      });
    const message = 'Only an Admin of all parks can make an Admin of all parks';
    await expect(parkAdmin(api.importUsers, { body: { csv: 'new.admin,Admin,All parks' } })).rejects.toMatchObject({
      body: { lines: [{ line: 1, message }] },
    });
    await parkAdmin(api.createUser, { body: { ...newAdmin, ...adminOfMounds } });
  });

  test('an Admin of one park who has moved to another park is still no Admin of all parks', async () => {
    const moveTo = (park: 'Mounds' | 'Winkups' | '') =>
      parkAdmin(api.assignRole, { body: { username: parkAdmin.username, role: 'Admin', park } });
    await moveTo('Winkups');
    await expect(moveTo('')).rejects.toMatchObject({ status: 403 });
    await expect(parkAdmin(api.listHolds)).rejects.toMatchObject({ status: 403 });
    await moveTo('Mounds');
  });

  test('any Admin can become one of all parks if there is none, but no manager can manage an Admin', async () => {
    await server.db.updateTable('users').set({ parks: '["Mounds"]' }).where('username', '=', 'admin').execute();
    const manager = await server.as('Health & Safety Manager');
    await expect(manager(api.resetPassword, { body: { id: parkAdmin.id } })).rejects.toMatchObject({
      status: 403,
      message: 'Only an Admin can do this to a user with this role',
    });
    await parkAdmin(api.assignRole, { body: { username: parkAdmin.username, ...adminOfAllParks } });
    expect(await parkAdmin(api.listHolds)).toEqual([]);
  });
});
