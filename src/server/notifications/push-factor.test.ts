// Reviewers who lack the second factor that is required get no push messages of reviewers.
import { describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { newReport } from '../testing/factories.ts';
import { startPushService } from '../testing/push-service.ts';
import { engines } from '../testing/server.ts';
import { createTestServer, setUp } from '../testing/test-server.ts';

const day = 24 * 60 * 60_000;

describe.each(engines)('push messages with a required second factor on %s', (engine) => {
  let now = Date.parse('2026-03-10T09:00:00Z');
  const push = setUp(startPushService);
  const settings = () => ({ ...push.settings, REQUIRE_SECOND_FACTOR: 'reviewers' });
  const { server } = createTestServer(engine, settings, () => now);

  test('a device with a session without it gets no push about reports, one with it does', async () => {
    const manager = await server.as('Health & Safety Manager');
    const { id, username } = manager;
    const methods = { phone: 'passkey', laptop: 'password', tablet: 'single sign-on' } as const;
    for (const [name, method] of Object.entries(methods)) {
      const client = await server.createSession(id, username, method);
      const { endpoint, keys } = push.subscribe(name);
      await client(api.addPushSubscription, { body: { endpoint, keys } });
    }
    const submit = async () => {
      const staff = await server.as('None', 'Lido Beach');
      await staff(api.submitAccident, { body: await newReport(staff) });
      await expect
        .poll(() => server.db.selectFrom('deliveries').select('id').where('state', '=', 'waiting').execute())
        .toEqual([]);
      return push.received.splice(0).map(({ device }) => device);
    };
    expect((await submit()).toSorted()).toEqual(['laptop', 'phone', 'tablet']);
    now += 15 * day;
    expect(await submit()).toEqual(['phone']);
    // The sessions ended long ago, and the user has no second factor any more.
    now += day;
    await server.db.deleteFrom('sessions').where('user_id', '=', id).execute();
    expect(await submit()).toEqual([]);
  });
});
