// The activity log contains rejected requests, and very many of them do not fill it.
import { afterEach, expect, test, vi } from 'vitest';
import { api } from '#shared/api.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';

let server: TestServer;
afterEach(async () => {
  vi.useRealTimers();
  await server.stop();
});

const listEntries = async () =>
  (await server.db.selectFrom('activity').selectAll().where('thing', '=', 'session').orderBy('seq').execute())
    .filter(({ action }) => /refused|slowed/.test(action))
    .map(({ actor, action, label, changes }) => [actor, action, label, JSON.parse(changes ?? '{}').times]);

test('600 rejected requests become one log entry per user, route and minute', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  let now = Date.parse('2026-03-14T10:00:00Z');
  server = await startTestServer('sqlite', {}, () => now);
  const [one, two] = [await server.as('None'), await server.as('None')];
  for (let at = 0; at < 600; at++) await one.fetch(api.listReports.path);
  await one.fetch(api.listUsers.path);
  await two.fetch(api.listReports.path);
  now += 30_000;
  await vi.advanceTimersByTimeAsync(30_000);
  expect(await listEntries()).toEqual([]);
  now += 30_000;
  await vi.advanceTimersByTimeAsync(30_000);
  const written = [
    [one.username, 'was refused', 'GET /api/get-reports', 600],
    [one.username, 'was refused', 'GET /api/admin/users', 1],
    [two.username, 'was refused', 'GET /api/get-reports', 1],
  ];
  await expect.poll(listEntries).toEqual(written);
  await one.fetch(api.listReports.path);
  await server.restart();
  expect(await listEntries()).toEqual([...written, [one.username, 'was refused', 'GET /api/get-reports', 1]]);
});

test('a user over the rate limit gets one log entry with the number of rejected requests', async () => {
  server = await startTestServer('sqlite', { RATE_SCALE: '1' });
  const staff = await server.as('None');
  const address = api.getUsername.path.replace('{id}', staff.id);
  for (let at = 0; at < 65; at++) await staff.fetch(address);
  await server.restart();
  expect(await listEntries()).toEqual([[staff.username, 'was slowed down', 'GET /api/user/:id', 5]]);
});
