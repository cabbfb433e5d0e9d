import { describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { changeRows } from '../testing/rows.ts';
import { enterPassword, setUpApp } from '../testing/second-step.ts';
import { engines, password, type TestClient } from '../testing/server.ts';
import { createTestServer } from '../testing/test-server.ts';

describe.each(engines)('lost second factors on %s', (engine) => {
  const { server, admin, manager } = createTestServer(engine);
  const listTexts = async (client: TestClient) => (await client(api.listNotifications)).map(({ text }) => text);

  test('a lost second factor is removed together with the password, by a reviewer who says how they identified the user', async () => {
    const otherAdmin = await server.as('Admin');
    const user = await server.as('None');
    await setUpApp(user, Date.now);
    const { cookie } = await enterPassword(server.url, user.username);
    expect(cookie).toMatch(/^hs_second_step=/);
    for (const reason of [undefined, '  '])
      await expect(manager(api.resetPassword, { body: { id: user.id, reason } })).rejects.toMatchObject({
        status: 400,
        fields: { reason: 'Enter how you made sure who it is' },
      });
    await user(api.getSession);
    const reason = 'She came to the office';
    const reset = await manager(api.resetPassword, { body: { id: user.id, reason } });
    await expect(user(api.getSession)).rejects.toMatchObject({ status: 401 });
    expect((await enterPassword(server.url, user.username)).body).toMatchObject({ code: 'NOT_SIGNED_IN' });
    const back = await server.signIn(user.username, user.id, reset.password);
    await back(api.changePassword, { body: { newPassword: 'another walk on the shore' } });
    expect(await back(api.getSecondFactors)).toMatchObject({ appSince: null, passkeys: [], recoveryCodes: 0 });
    expect(await listTexts(back)).toContain('Your second factor was removed. If you did not ask for it, tell an Admin');
    for (const client of [admin, otherAdmin])
      expect(await listTexts(client)).toContain('The second factor of one or more users was removed');
    expect(await listTexts(manager)).toEqual([]);
    const stored = await server.db.selectFrom('factor_resets').selectAll().where('user_id', '=', user.id).execute();
    expect(stored).toMatchObject([{ reason, created_by: manager.id, created_by_name: manager.username }]);
    const log = await server.db.selectFrom('activity').selectAll().where('thing_id', '=', user.id).execute();
    expect(log.map(({ action }) => action)).toContain('removed the second factor of');
    expect(JSON.stringify(log)).not.toContain(reason);
    await admin(api.deleteUser, { params: { id: user.id } });
    expect(await server.db.selectFrom('factor_resets').select('id').execute()).toEqual([]);
  });

  test('resetting the password of a user without a second factor needs no reason', async () => {
    const user = await server.as('None');
    await admin(api.resetPassword, { body: { id: user.id } });
    expect(await server.db.selectFrom('factor_resets').select('id').execute()).toEqual([]);
  });

  test('those who manage a user see whether the user has no second factor, one way in or several', async () => {
    const [plain, several, oneWay] = [await server.as('None'), await server.as('None'), await server.as('None')];
    await setUpApp(several, Date.now);
    await setUpApp(oneWay, Date.now);
    await changeRows(server.db, 'recovery_codes', { user_id: oneWay.id }, { used_at: '2026-01-01' });
    const find = async (client: TestClient, { id }: TestClient) =>
      (await client(api.listUsers)).find((user) => user.id === id)?.secondFactor;
    expect(await Promise.all([plain, several, oneWay].map((user) => find(admin, user)))).toEqual([
      ...['none', 'several', 'oneWay'],
    ]);
    expect(await find(manager, oneWay)).toBe('oneWay');
    expect(await find(manager, admin)).toBeUndefined();
    const response = await admin.fetch(`${api.exportUsers.path}?format=csv`);
    expect(await response.text()).toMatch(new RegExp(`${oneWay.username}.*Two-factor sign-in, only one way in`));
    const seen = await manager.fetch(`${api.exportUsers.path}?format=csv`);
    expect(await seen.text()).not.toContain('Second factor');
    await server.signIn(plain.username, '', password);
  });
});
