import { describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { newAudit, newFolder } from '../testing/factories.ts';
import { engines } from '../testing/server.ts';
import { createTestServer } from '../testing/test-server.ts';

describe.each(engines)('a change with If-Match on %s', (engine) => {
  const { admin } = createTestServer(engine);

  const put = (path: string, body: unknown, ifMatch: string) =>
    admin.fetch(path, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', 'if-match': ifMatch },
      body: JSON.stringify(body),
    });
  const folder = { name: 'Fire', park: 'Lido Beach' };
  const checklist = { title: 'Pool', sections: [{ title: 'Gate', type: 'text' as const, required: false }] };
  const endpointsByRecord = {
    folder: async () => [`/api/audit-folders/${await newFolder(admin)}`, folder] as const,
    audit: async () => {
      const { id } = await admin(api.createAudit, { body: newAudit(await newFolder(admin)) });
      return [`/api/audits/${id}`, { title: 'Ladders' }] as const;
    },
    checklist: async () => {
      const { id } = await admin(api.createChecklist, { body: checklist });
      return [`/api/admin/update-checklist/${id}`, checklist] as const;
    },
  };

  test.each(Object.entries(endpointsByRecord))(
    'a change of a %s with If-Match applies to that version only, and otherwise returns the current one',
    async (_, make) => {
      const [path, body] = await make();
      expect((await put(path, body, '"no tag of ours"')).status).toBe(409);
      expect((await put(path, body, '"1"')).status).toBe(200);
      for (const staleTag of ['"1"', '"7"', '"no tag of ours"', 'W/"2"', '2', '""', '"1", "2"', '"-1"', '"1e9"']) {
        const conflict = await put(path, body, staleTag);
        expect([staleTag, conflict.status]).toEqual([staleTag, 409]);
        expect(await conflict.json()).toMatchObject({ current: { version: 2 } });
      }
      // If both versions are sent, both must be current.
      expect((await put(path, { ...body, version: 1 }, '"2"')).status).toBe(409);
      expect((await put(path, { ...body, version: 2 }, '"1"')).status).toBe(409);
      expect((await put(path, { ...body, version: 2 }, '"2"')).status).toBe(200);
      // `*` matches any version, and a client that sends neither version overwrites any.
      expect((await put(path, body, '*')).status).toBe(200);
      const results = await Promise.all(Array.from({ length: 5 }, () => put(path, body, '"4"')));
      expect(results.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409]);
    },
  );

  test('the ETag of a record works as If-Match', async () => {
    for (const make of [endpointsByRecord.folder, endpointsByRecord.audit]) {
      const [path, body] = await make();
      const tag = async () => (await admin.fetch(path)).headers.get('etag') ?? '';
      expect(await tag()).toBe('"1"');
      expect((await put(path, body, await tag())).status).toBe(200);
      expect(await tag()).toBe('"2"');
    }
    const [path, body] = await endpointsByRecord.checklist();
    const tag = (await put(path, body, '"1"')).headers.get('etag') ?? '';
    expect(tag).toBe('"2"');
    expect((await put(path, body, tag)).status).toBe(200);
  });
});
