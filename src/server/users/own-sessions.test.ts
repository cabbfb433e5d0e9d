import { describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { createClock } from '../clock.ts';
import { jsonPost } from '../testing/requests.ts';
import { engines, password } from '../testing/server.ts';
import { createTestServer } from '../testing/test-server.ts';

const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';
const wrongPasswordError = { status: 400, fields: { currentPassword: 'This is not your current password' } };
const unauthorised = { status: 401, message: 'Please sign in' };

describe.each(engines)('where a user is signed in, on %s', (engine) => {
  let now = Date.parse('2026-03-10T09:00:00Z');
  const clock = createClock(() => now);
  const { server } = createTestServer(engine, {}, clock);

  test('sessions are listed with device and times, without tokens and without those that have expired', async () => {
    const reviewer = await server.as('Health & Safety Manager');
    now += 13 * 60 * 60_000;
    const other = await server.signIn(reviewer.username);
    now += 60_000;
    const response = await fetch(
      `${server.url}${api.login.path}`,
      jsonPost({ username: reviewer.username, password }, { 'user-agent': firefox }),
    );
    expect(response.status).toBe(200);
    const sessions = await other(api.listSessions);
    expect(sessions).toEqual([
      expect.objectContaining({ signedInAt: '2026-03-10T22:00:00.000Z', isThis: true }),
      {
        id: expect.stringMatching(/^[0-9a-f]{64}$/),
        device: 'Firefox on Windows',
        method: 'password',
        signedInAt: '2026-03-10T22:01:00.000Z',
        lastUsedAt: '2026-03-10T22:01:00.000Z',
        isThis: false,
      },
    ]);
    const stored = await server.db.selectFrom('sessions').select('token_hash').execute();
    for (const { token_hash } of stored) expect(JSON.stringify(sessions)).not.toContain(token_hash);
  });

  test('a user ends one or all other sessions with the right password; sessions of other users stay', async () => {
    const [here, other] = [await server.as('None'), await server.as('None')];
    const [first, second, third] = await Promise.all([1, 2, 3].map(() => server.signIn(here.username)));
    if (!first || !second || !third) throw new Error('no session');
    const end = (body: { id?: string; currentPassword: string }) => here(api.endSessions, { body });
    const getId = async (client: typeof here) =>
      (await client(api.listSessions)).find(({ isThis }) => isThis)?.id ?? '';
    const id = await getId(first);
    await expect(end({ id, currentPassword: 'not this one' })).rejects.toMatchObject(wrongPasswordError);
    await expect(end({ currentPassword: 'not this one' })).rejects.toMatchObject(wrongPasswordError);
    await first(api.getSession);
    await end({ id, currentPassword: password });
    await expect(first(api.getSession)).rejects.toMatchObject(unauthorised);
    await second(api.getSession);
    for (const foreign of [id, await getId(other), await getId(here)])
      await end({ id: foreign, currentPassword: password });
    await Promise.all([here(api.getSession), second(api.getSession), other(api.getSession)]);
    await end({ currentPassword: password });
    await expect(second(api.getSession)).rejects.toMatchObject(unauthorised);
    await expect(third(api.getSession)).rejects.toMatchObject(unauthorised);
    await Promise.all([here(api.getSession), other(api.getSession)]);
    const admin = await server.as('Admin');
    const log = await admin(api.listActivity, { query: { thing: 'user', thing_id: here.id } });
    expect(log.map(({ action }) => action)).toEqual([
      'signed out a device of',
      'signed out a device of',
      'failed to sign out a device',
      'failed to sign out a device',
    ]);
  });

  test('a device that was signed out gets no more push messages', async () => {
    const here = await server.as('None');
    const elsewhere = await server.signIn(here.username);
    const keys = { p256dh: `B${'A'.repeat(86)}`, auth: 'A'.repeat(22) };
    const rows = () =>
      server.db.selectFrom('push_subscriptions').where('user_id', '=', here.id).select('session').execute();
    await elsewhere(api.addPushSubscription, { body: { endpoint: 'https://fcm.googleapis.com/one', keys } });
    expect(await rows()).toHaveLength(1);
    await here(api.endSessions, { body: { currentPassword: password } });
    expect(await rows()).toEqual([]);
  });
});
