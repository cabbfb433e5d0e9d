// Who may see an upload: its uploader while unattached, then users who see its record.
import { beforeAll, describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { newReport, uploadPhoto } from '../testing/factories.ts';
import { changeRows, insertRow, readRows } from '../testing/rows.ts';
import { engines, type TestClient } from '../testing/server.ts';
import { createTestServer } from '../testing/test-server.ts';

describe.each(engines)('access to uploads on %s', (engine) => {
  let people: Record<'nobody' | 'owner' | 'colleague' | 'elsewhere' | 'head' | 'manager' | 'admin', TestClient>;
  const { server } = createTestServer(engine);
  beforeAll(async () => {
    people = {
      nobody: server.anonymous,
      owner: await server.as('None', 'Lido Beach'),
      colleague: await server.as('None', 'Lido Beach'),
      elsewhere: await server.as('None', 'Robin Hood'),
      head: await server.as('None'),
      manager: await server.as('Health & Safety Manager', 'Robin Hood'),
      admin: await server.as('Admin'),
    };
  });

  async function listReaders(path: string) {
    const seen: string[] = [];
    const missing = await (await people.admin.fetch('/uploads/2026/01/aaaaaaaaaaaaaaaaaaaaaaaaaa.jpg')).json();
    for (const [name, client] of Object.entries(people)) {
      const statuses = new Set<number>();
      for (const address of [path, `${path}?thumb=1`, `${path}?download=1`]) {
        const response = await client.fetch(address);
        statuses.add(response.status);
        const text = await response.text();
        // An upload that the user may not see responds as if it did not exist.
        if (response.status === 404)
          expect({ ...JSON.parse(text), requestId: '' }).toEqual({ ...missing, requestId: '' });
      }
      expect([name, statuses.size]).toEqual([name, 1]);
      if (statuses.has(200)) seen.push(name);
      else expect([name, ...statuses]).toEqual([name, name === 'nobody' ? 401 : 404]);
    }
    return seen;
  }

  test('an unattached upload is served to its uploader only', async () => {
    expect(await listReaders(await uploadPhoto(people.owner))).toEqual(['owner']);
  });

  test("a report's upload is served to reviewers, and to nobody once it is deleted", async () => {
    const body = await newReport(people.owner);
    const { id } = await people.owner(api.submitAccident, { body });
    const paths = [body.mediaFiles[0]?.path ?? '', body.signature.path, body.affectedUserSignature.path];
    for (const path of paths) expect(await listReaders(path)).toEqual(['manager', 'admin']);
    await people.admin(api.deleteReport, { params: { id } });
    for (const path of paths) expect(await listReaders(path)).toEqual([]);
  });

  test("a folder's or audit's upload is served to its park, and to nobody once deleted", async () => {
    const at = new Date().toISOString();
    const by = people.owner.id;
    const { db } = server;
    await insertRow(db, 'folders', {
      id: 'f1',
      name: 'Pools',
      park: 'Lido Beach',
      version: 1,
      created_at: at,
      created_by: by,
    });
    await insertRow(db, 'audits', {
      id: 'a1',
      folder_id: 'f1',
      title: 'Depth',
      data: '{}',
      position: 1,
      due: '9999-12-31 24:00',
      version: 1,
      created_at: at,
      created_by: by,
    });
    const [thumbnail, picture] = [await uploadPhoto(people.owner), await uploadPhoto(people.owner)];
    await changeRows(db, 'uploads', { path: thumbnail }, { attached_to: 'folder', attached_id: 'f1' });
    await changeRows(db, 'uploads', { path: picture }, { attached_to: 'audit', attached_id: 'a1' });
    for (const path of [thumbnail, picture])
      expect(await listReaders(path)).toEqual(['owner', 'colleague', 'head', 'admin']);
    await insertRow(db, 'deletions', { id: 'd1', thing: 'audit', thing_id: 'a1', deleted_at: at, deleted_by: by });
    await db.updateTable('audits').set({ deletion_id: 'd1' }).execute();
    expect(await listReaders(picture)).toEqual([]);
    expect(await listReaders(thumbnail)).toHaveLength(4);
    await db.updateTable('audits').set({ deletion_id: null }).execute();
    await db.updateTable('folders').set({ deletion_id: 'd1' }).execute();
    for (const path of [thumbnail, picture]) expect(await listReaders(path)).toEqual([]);
  });

  test("viewing a report's photo is logged", async () => {
    const body = await newReport(people.owner);
    const { id, number } = await people.owner(api.submitAccident, { body });
    await people.manager.fetch(body.signature.path);
    await people.owner.fetch(body.signature.path);
    const lines = await readRows(server.db, 'activity', { thing_id: id }, 'seq');
    expect(lines.map(({ actor, action }) => [actor, action])).toEqual([
      [people.owner.username, 'filed'],
      [people.manager.username, 'opened a photo'],
    ]);
    expect(number).toBe(lines[0]?.label);
  });

  test('an upload is served with its type and without caching, and downloads under the name of its stored file', async () => {
    const path = await uploadPhoto(people.owner);
    const name = path.split('/').at(-1);
    for (const [query, disposition] of [
      ['', 'inline'],
      ['?download=1', 'attachment'],
    ]) {
      const { headers } = await people.owner.fetch(path + query);
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-type': 'image/jpeg',
        'content-disposition': `${disposition}; filename="${name}"`,
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      });
    }
    const { headers } = await people.owner.fetch(`${path}?thumb=1`);
    expect(headers.get('content-type')).toBe('image/jpeg');
  });
});
