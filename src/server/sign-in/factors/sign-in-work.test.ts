import { describe, expect, test } from 'vitest';
import { addPasskey, createAuthenticator } from '../../testing/authenticator.ts';
import { calls } from '../../testing/quick-argon2.ts';
import { enterPassword, setUpApp } from '../../testing/second-step.ts';
import { engines } from '../../testing/server.ts';
import { createTestServer } from '../../testing/test-server.ts';

const origin = 'https://reports.example.com';

describe.each(engines)('a rejected sign-in, on %s', (engine) => {
  const { server } = createTestServer(engine, { PUBLIC_URL: origin });

  test('a rejected sign-in hashes as often for users with a second factor, without one, and for unknown names', async () => {
    const [withApp, withPasskey, without] = [
      await server.as('Admin'),
      await server.as('None'),
      await server.as('None'),
    ];
    await setUpApp(withApp, Date.now);
    await addPasskey(withPasskey, createAuthenticator(origin));
    const countWork = async (username: string) => {
      const before = { ...calls };
      expect((await enterPassword(server.url, username, 'not the password')).status).toBe(401);
      return { hash: calls.hash - before.hash, verify: calls.verify - before.verify };
    };
    for (const username of [withApp.username, withPasskey.username, without.username, 'nobody.at.all'])
      expect([username, await countWork(username)]).toEqual([username, { hash: 0, verify: 1 }]);
  });
});
