// A repeated request has one effect.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { clearOldReplies, deleteFingerprintsOf, deleteRepliesOf } from '../db/idempotency.ts';
import { openDiskStore } from '../files/store.ts';
import { deleteUnusedUploads } from '../maintenance/unused-uploads.ts';
import { newReport, photo, uploadPhoto } from '../testing/factories.ts';
import { jsonPost } from '../testing/requests.ts';
import { engines } from '../testing/server.ts';
import { createTestServer } from '../testing/test-server.ts';

const days = 24 * 60 * 60 * 1000;

describe.each(engines)('a repeated request on %s', (engine) => {
  const { server } = createTestServer(engine);
  const staff = server.user('None');

  const send = async (body: unknown, key?: string, client = staff, path: string = api.submitAccident.path) => {
    const response = await client.fetch(path, jsonPost(body, { ...(key && { 'idempotency-key': key }) }));
    return {
      status: response.status,
      replayed: response.headers.get('idempotency-replayed'),
      text: await response.text(),
    };
  };
  const count = async (table: 'reports' | 'replies' | 'activity') => {
    const { rows } = await server.db
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as('rows'))
      .executeTakeFirstOrThrow();
    return rows;
  };

  test('a repeated request with the same key gets the stored reply and a header that says so', async () => {
    const [body, key] = [await newReport(staff), randomUUID()];
    const first = await send(body, key);
    expect([first.status, first.replayed]).toEqual([201, null]);
    const [reports, lines] = [await count('reports'), await count('activity')];
    for (const spelledKey of [key, key.toUpperCase(), `"${key}"`])
      expect(await send(body, spelledKey)).toEqual({ ...first, replayed: 'true' });
    const reordered = Object.fromEntries(Object.entries(body).reverse());
    expect(await send({ ...reordered, nobodyReads: 'this' }, key)).toEqual({ ...first, replayed: 'true' });
    expect([await count('reports'), await count('activity')]).toEqual([reports, lines]);
  });

  test('a repeated request with the same key and another payload is rejected', async () => {
    const [body, key] = [await newReport(staff), randomUUID()];
    const { id, number } = JSON.parse((await send(body, key)).text);
    const other = await send({ ...body, details: 'Something else' }, key);
    expect(JSON.parse(other.text).received.isSame).toBeUndefined();
    expect([other.status, JSON.parse(other.text)]).toMatchObject([
      422,
      {
        code: 'KEY_REUSED',
        message: expect.stringMatching(
          new RegExp(
            `^This was already received on \\d\\d/\\d\\d/\\d{4} at \\d\\d:\\d\\d\\. Its number is ${number}\\.$`,
          ),
        ),
        received: { id, number, at: expect.stringMatching(/Z$/) },
      },
    ]);
  });

  test('an idempotency key used by another user or for another endpoint is not a repeated request', async () => {
    const key = randomUUID();
    const other = await server.as('None');
    const responses = [
      await send(await newReport(staff), key),
      await send(await newReport(other), key, other),
      await send(await newReport(staff), key, staff, api.submitIncident.path),
    ];
    expect(responses.map(({ status, replayed }) => [status, replayed])).toEqual(Array(3).fill([201, null]));
  });

  test('a request sent fifty times at once with one key creates one report', async () => {
    const [body, key] = [await newReport(staff), randomUUID()];
    const before = await count('reports');
    const responses = await Promise.all(Array.from({ length: 50 }, () => send(body, key)));
    expect(new Set(responses.map((response) => response.text)).size).toBe(1);
    expect(responses.filter((response) => response.status !== 201)).toEqual([]);
    expect(responses.filter((response) => response.replayed === null)).toHaveLength(1);
    expect(await count('reports')).toBe(before + 1);
  });

  test('a request sent fifty times at once without a key also creates one report', async () => {
    const body = await newReport(staff);
    const before = await count('reports');
    const responses = await Promise.all(Array.from({ length: 50 }, () => send(body)));
    expect(responses.filter((response) => response.status !== 201)).toEqual([]);
    expect(new Set(responses.map((response) => response.text)).size).toBe(1);
    expect(await count('reports')).toBe(before + 1);
    const changed = await send({ ...body, details: 'Changed' });
    expect([changed.status, JSON.parse(changed.text).code]).toEqual([409, 'FILE_USED']);
    const incidentReply = await send(body, undefined, staff, api.submitIncident.path);
    expect(incidentReply.status).toBe(409);
  });

  test('a request repeated after an error is handled as a new one', async () => {
    const [body, key] = [await newReport(staff), randomUUID()];
    expect((await send({ ...body, name: '' }, key)).status).toBe(400);
    const other = await server.as('None');
    const otherUsersBody = { ...body, mediaFiles: [{ path: await uploadPhoto(other) }] };
    expect((await send(otherUsersBody, key)).status).toBe(409);
    expect(await send(body, key)).toMatchObject({ status: 201, replayed: null });
  });

  test.each(['x', '123', '{}', 'a'.repeat(36), `${'0'.repeat(8)}-0000-0000-0000-000000000000; x`])(
    'a request with the idempotency key %s is rejected',
    async (key) => {
      const { status, text } = await send(await newReport(staff), key);
      expect([status, JSON.parse(text).code]).toEqual([400, 'BAD_KEY']);
    },
  );

  test('a request with two idempotency keys is rejected', async () => {
    const keys = `${randomUUID()}, ${randomUUID()}`;
    expect((await send(await newReport(staff), keys)).status).toBe(400);
  });

  test('a repeated request gets its stored reply after a restart, and a submission as long as its record exists', async () => {
    const [body, key] = [await newReport(staff), randomUUID()];
    const first = await send(body, key);
    await server.restart();
    expect(await send(body, key)).toEqual({ ...first, replayed: 'true' });
    await clearOldReplies(server.db, new Date(Date.now() + 400 * days));
    expect(await send(body, key)).toEqual({ ...first, replayed: 'true' });
    const { id, number } = JSON.parse(first.text);
    await deleteFingerprintsOf(server.db, [id]);
    const unknown = await send(body, key);
    expect(unknown.status).toBe(422);
    expect(unknown.text).toContain(number);
    await deleteRepliesOf(server.db, [id]);
    const expiredReply = await send(body, key);
    expect([expiredReply.status, JSON.parse(expiredReply.text).code]).toEqual([422, 'KEY_REUSED']);
  });

  test('a repeated request gets its stored reply even if the disk is full', async () => {
    const [body, other, key] = [await newReport(staff), await newReport(staff), randomUUID()];
    const first = await send(body, key);
    const { space } = server.config;
    space.writeFreeMb = 2 ** 40;
    await server.restart();
    expect((await send(other, randomUUID())).status).toBe(503);
    expect(await send(body, key)).toEqual({ ...first, replayed: 'true' });
    space.writeFreeMb = 0;
    await server.restart();
  });

  test('a repeated request that submits nothing gets its stored reply for a week, then an error', async () => {
    const admin = await server.as('Admin');
    const checklist = { title: 'Pool', sections: [{ title: 'Gate', type: 'text', required: false }] };
    const key = randomUUID();
    const repeatRequest = () => send(checklist, key, admin, api.createChecklist.path);
    const first = await repeatRequest();
    await clearOldReplies(server.db, new Date(Date.now() + 7 * days - 60_000));
    expect(await repeatRequest()).toEqual({ ...first, replayed: 'true' });
    await clearOldReplies(server.db, new Date(Date.now() + 7 * days + 60_000));
    const late = await repeatRequest();
    expect([late.status, JSON.parse(late.text).received]).toEqual([422, { at: expect.any(String), isSame: true }]);
  });

  test('a repeated upload request gets its stored reply as long as the upload exists', async () => {
    const key = randomUUID();
    const file = new Blob([new Uint8Array(await photo())]);
    const send = () => staff(api.uploadImage, { body: {}, file, fileName: 'pool.jpg', key });
    const { filePath } = await send();
    expect((await send()).filePath).toBe(filePath);
    const get80HoursLater = () => new Date(Date.now() + 80 * 60 * 60 * 1000);
    const files = await openDiskStore(join(server.folder, 'uploads'), { isInUse: true });
    await deleteUnusedUploads({ db: server.db, files, clock: get80HoursLater });
    await expect(send()).rejects.toMatchObject({ status: 422, code: 'KEY_REUSED' });
  });

  test('a request of one user that arrives with another user’s session is rejected, and its key stays unused', async () => {
    const [body, key] = [await newReport(staff), randomUUID()];
    const other = await server.as('None');
    const before = await count('reports');
    const otherUsersRequest = other(api.submitAccident, { body, key, userId: staff.id });
    await expect(otherUsersRequest).rejects.toMatchObject({ status: 401, code: 'OTHER_USER' });
    expect(await count('reports')).toBe(before);
    await staff(api.submitAccident, { body, key, userId: staff.id });
    expect(await count('reports')).toBe(before + 1);
  });
});
