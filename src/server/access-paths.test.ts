// Paths outside the contract, requested as every kind of user: photos, unknown paths, health.
import { beforeAll, describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { type CallerName, callers, makeCaller } from './testing/access-records.ts';
import { newReport, uploadPhoto } from './testing/factories.ts';
import { engines } from './testing/server.ts';
import { createTestServer } from './testing/test-server.ts';

describe.each(engines)('access to paths outside the contract on %s', (engine) => {
  const { server, admin } = createTestServer(engine, { REQUIRE_SECOND_FACTOR: 'reviewers' });
  beforeAll(async () => {
    // A second factor has been required for years, so the time to set one up has ended.
    await server.db.updateTable('counters').set({ value: 1 }).where('name', 'like', 'second factor%').execute();
  });

  test('an unattached photo is served to its uploader, a photo of a report to reviewers, and one of a deleted report to nobody', async () => {
    const staff = await makeCaller(server, 'staff of the park');
    const unattached = await uploadPhoto(staff.client);
    const body = await newReport(staff.client);
    const { id } = await staff.client(api.submitAccident, { body });
    const photoPath = body.mediaFiles[0]?.path ?? '';
    const read = async (path: string) =>
      Object.fromEntries(
        await Promise.all(
          (Object.keys(callers) as CallerName[]).map(async (name) => [
            name,
            (await (await makeCaller(server, name)).fetch(path)).status,
          ]),
        ),
      );
    const all = (status: number, changes = {}) => ({
      ...Object.fromEntries(
        Object.entries(callers).map(([name, { statusIndex }]) => [name, statusIndex === 0 ? 401 : status]),
      ),
      ...changes,
    });
    expect((await staff.fetch(unattached)).status).toBe(200);
    expect(await read(unattached)).toEqual(all(404));
    expect((await staff.fetch(photoPath)).status).toBe(404);
    const reviewers = [
      'a manager',
      'a manager of the park',
      'a manager of both parks',
      'an Admin',
      'an Admin of the park',
    ];
    expect(await read(photoPath)).toEqual(all(404, Object.fromEntries(reviewers.map((name) => [name, 200]))));
    await admin(api.deleteReport, { params: { id } });
    expect(await read(photoPath)).toEqual(all(404));
    expect(await read('/uploads/2026/01/aaaaaaaaaaaaaaaaaaaaaaaaaa.jpg')).toEqual(all(404));
    expect((await server.anonymous.fetch('/uploads/..%2f..%2fpark-reports.sqlite')).status).toBe(401);
    expect((await admin.fetch('/uploads/..%2f..%2fpark-reports.sqlite')).status).toBe(404);
  });

  test('an unknown path returns 404, a wrong method returns 405, and /healthz needs no session', async () => {
    for (const name of Object.keys(callers) as CallerName[]) {
      const { fetch } = await makeCaller(server, name);
      expect((await fetch('/api/no-such-thing')).status).toBe(404);
      const response = await fetch(api.listReports.path, { method: 'DELETE' });
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
      const health = await fetch('/healthz');
      expect([health.status, await health.json()]).toEqual([200, expect.objectContaining({ status: 'ok' })]);
    }
  });

  test('a large request body without a session is rejected before the server reads it', async () => {
    const body = new Uint8Array(20 * 1024 * 1024);
    const response = await fetch(`${server.url}${api.createUser.path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    }).catch(() => undefined);
    // The server may close the connection before the whole body is sent. If it responds, then with
    // 401.
    if (response) expect(response.status).toBe(401);
    expect((await server.anonymous.fetch('/healthz')).status).toBe(200);
  });
});
