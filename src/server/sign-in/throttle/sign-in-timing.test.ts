// Runs with the real hashing, which the other tests replace.
import { expect, test } from 'vitest';
import { clientSettings } from '../../testing/oidc-provider.ts';
import { jsonPost } from '../../testing/requests.ts';
import { password, signInAt } from '../../testing/server.ts';
import { linkUser } from '../../testing/single-sign-on.ts';
import { createTestServer } from '../../testing/test-server.ts';

const provider = { OIDC_ISSUER: 'http://127.0.0.1:9', ...clientSettings };
const { server } = createTestServer('sqlite', { TRUST_PROXY: '127.0.0.1', ...provider });

test('a sign-in with an unknown username, or the password of a linked user, takes about as much CPU time as another', async () => {
  const { username } = await server.as('None');
  const linked = await server.as('None');
  await linkUser(server, { issuer: 'http://127.0.0.1:9' }, linked.id, 'sian');
  // Compares CPU time, because other load changes the response time, and the lowest of several
  // measurements, because the rest includes other work of this process.
  const { POSITIVE_INFINITY: none } = Number;
  const lowestCpuTimes = { known: none, unknown: none, linked: none };
  for (let i = 0; i < 10; i++)
    for (const [kind, name, typed] of [
      ['known', username, 'wrong'],
      ['unknown', 'nobody.at.all', 'wrong'],
      ['linked', linked.username, password],
    ] as const) {
      const before = process.cpuUsage();
      const { status } = await fetch(
        `${server.url}/api/login`,
        jsonPost({ username: name, password: typed }, { 'x-forwarded-for': `203.0.113.${i}` }),
      );
      const { user, system } = process.cpuUsage(before);
      expect(status).toBe(401);
      lowestCpuTimes[kind] = Math.min(lowestCpuTimes[kind], user + system);
    }
  expect(lowestCpuTimes.unknown).toBeGreaterThan(lowestCpuTimes.known / 2);
  expect(lowestCpuTimes.linked).toBeGreaterThan(lowestCpuTimes.known / 2);
});

test('the real password hashing, which other tests replace, verifies a password', async () => {
  const { username } = await server.as('None');
  await signInAt(server.url, username);
});
