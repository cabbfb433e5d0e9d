// Runs with the real hashing, which the other tests replace.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signInAt, startTestServer, type TestServer } from '../testing/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer('sqlite', { TRUST_PROXY: '127.0.0.1' });
});
afterAll(() => server.stop());

test('a sign-in with an unknown username takes as much CPU time as with a known one', async () => {
  const { username } = await server.as('None');
  // Compares CPU time, because other load changes the response time, and the lowest of several
  // measurements, because the rest includes other work of this process.
  const lowestCpuTimes = { known: Number.POSITIVE_INFINITY, unknown: Number.POSITIVE_INFINITY };
  for (let i = 0; i < 10; i++)
    for (const [kind, name] of [
      ['known', username],
      ['unknown', 'nobody.at.all'],
    ] as const) {
      const before = process.cpuUsage();
      const { status } = await fetch(`${server.url}/api/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': `203.0.113.${i}` },
        body: JSON.stringify({ username: name, password: 'wrong' }),
      });
      const { user, system } = process.cpuUsage(before);
      expect(status).toBe(401);
      lowestCpuTimes[kind] = Math.min(lowestCpuTimes[kind], user + system);
    }
  expect(lowestCpuTimes.unknown).toBeGreaterThan(lowestCpuTimes.known / 2);
});

test('the real password hashing, which other tests replace, verifies a password', async () => {
  const { username } = await server.as('None');
  await signInAt(server.url, username);
});
