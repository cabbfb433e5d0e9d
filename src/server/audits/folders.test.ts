import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { endpointUrl } from '#shared/client.ts';
import type { ClientEndpoint } from '#shared/contract.ts';
import { getToday } from '#shared/dates.ts';
import { previewUrl } from '#shared/uploads.ts';
import { getError } from '../testing/errors.ts';
import { fixture, newAudit, newFolder, photo, uploadPhoto } from '../testing/factories.ts';
import { readRows } from '../testing/rows.ts';
import { engines, type TestClient } from '../testing/server.ts';
import { createTestServer } from '../testing/test-server.ts';
import { ruleFolders } from './rule-folders.ts';

/** A raw response without its request id. */
async function sendRaw(
  client: TestClient,
  endpoint: ClientEndpoint,
  params: Record<string, string>,
  body?: unknown,
): Promise<string> {
  const response = await client.fetch(endpointUrl(endpoint, { params }), {
    method: endpoint.method,
    ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  return `${response.status} ${(await response.text()).replace(/"requestId":"\w+"/, '')}`;
}

describe.each(engines)('folders on %s', (engine) => {
  const { server } = createTestServer(engine);
  const lidoUser = server.user('None', 'Lido Beach');
  const robinHoodUser = server.user('None', 'Robin Hood');
  const headOfficeUser = server.user('None');

  const create = async (client: TestClient, folder: string, changes = {}) =>
    (await client(api.createAudit, { body: newAudit(folder, changes) })).id;
  const get = (client: TestClient, id: string) => client(api.getAudit, { params: { id } });

  describe('folders', () => {
    test('a folder created with a thumbnail is listed with the thumbnail as WebP', async () => {
      const file = new Blob([new Uint8Array(fixture('photos/orientation-landscape-6.jpg'))]);
      const body = { name: '  Llŷn\nfire  ', description: 'Two\nlines', park: 'Lido Beach' as const };
      const { id } = await lidoUser(api.createFolder, { body, file, fileName: 'x.jpg' });
      const listed = (await lidoUser(api.listFolders)).find((folder) => folder.id === id);
      expect(listed).toMatchObject({
        name: 'Llŷn fire',
        description: 'Two\nlines',
        park: 'Lido Beach',
        audit_count: 0,
      });
      expect(await lidoUser(api.getFolder, { params: { id } })).toEqual(listed);
      const thumbnailResponse = await lidoUser.fetch(listed?.thumbnail ?? '');
      expect(thumbnailResponse.headers.get('content-type')).toBe('image/webp');
      const small = await lidoUser.fetch(previewUrl(listed?.thumbnail ?? ''));
      expect((await sharp(await small.arrayBuffer()).metadata()).width).toBeLessThanOrEqual(320);
    });

    test('a form without a file creates a folder without a thumbnail, and an invalid file creates no folder', async () => {
      const fields = { body: { name: 'No picture', park: 'Lido Beach' as const } };
      const { id } = await lidoUser(api.createFolder, { ...fields, file: new Blob([]), fileName: '' });
      expect((await lidoUser(api.getFolder, { params: { id } })).thumbnail).toBeNull();
      const before = (await lidoUser(api.listFolders)).length;
      const rejection = await getError(
        lidoUser(api.createFolder, { ...fields, file: new Blob(['%PDF-1.7']), fileName: 'x.png' }),
      );
      expect(rejection).toMatchObject({ status: 415, message: 'Only image files are supported' });
      expect(await lidoUser(api.listFolders)).toHaveLength(before);
    });

    test('requests repeated with one idempotency key create one folder and one upload', async () => {
      const file = new Blob([new Uint8Array(await photo())]);
      const body = { name: 'Once', park: 'Lido Beach' as const };
      const key = randomUUID();
      const replies = await Promise.all(
        Array.from({ length: 6 }, () => lidoUser(api.createFolder, { body, file, fileName: 'x.jpg', key })),
      );
      expect(new Set(replies.map(({ id }) => id)).size).toBe(1);
      expect((await lidoUser(api.listFolders)).filter(({ name }) => name === 'Once')).toHaveLength(1);
      const uploads = await readRows(server.db, 'uploads', { attached_id: replies[0]?.id ?? '' });
      expect(uploads).toHaveLength(1);
    });

    test('folders are listed by park and name with their number of audits', async () => {
      const ids = await Promise.all(
        ['Round 10', 'Round 9', 'round 1'].map((name) => newFolder(headOfficeUser, { name, park: 'Winkups' })),
      );
      await newFolder(headOfficeUser, { name: 'Zebra', park: 'Abbeyffordd' });
      await create(headOfficeUser, ids[0] ?? '');
      const deleted = await create(headOfficeUser, ids[0] ?? '');
      await headOfficeUser(api.deleteAudit, { params: { id: deleted } });
      const listed = await headOfficeUser(api.listFolders);
      expect(listed[0]?.name).toBe('Zebra');
      expect(listed.slice(-3).map(({ name, audit_count }) => [name, audit_count])).toEqual([
        ['round 1', 0],
        ['Round 9', 0],
        ['Round 10', 1],
      ]);
    });

    test('folders that rules create are listed after those that users created, of all parks', async () => {
      const hazard = { park: 'Abbeyffordd' as const, kind: 'Fire' as const };
      await headOfficeUser(api.createAudit, { body: { hazard, location: 'Kitchen' } });
      for (const { name } of Object.values(ruleFolders)) await newFolder(headOfficeUser, { name, park: 'Abbeyffordd' });
      await newFolder(headOfficeUser, { name: 'Zebra', park: 'Winkups' });
      const listed = (await headOfficeUser(api.listFolders)).map(({ name, park }) => `${name}, ${park}`);
      const own = listed.indexOf('Zebra, Winkups');
      expect(new Set(listed.slice(own + 1))).toEqual(
        new Set(['From checks, Abbeyffordd', 'Hazards, Abbeyffordd', 'Lessons, Abbeyffordd']),
      );
    });

    test('a folder includes its number of overdue audits, and an audit the names of its folder and park', async () => {
      const folder = await newFolder(lidoUser, { name: 'Rounds' });
      const days = { late: '2026-01-05', later: '2026-01-06', due: getToday(), future: '2090-01-01', none: null };
      for (const date of Object.values(days)) await create(lidoUser, folder, { date });
      await create(lidoUser, folder, { date: days.late, completed: true });
      const deletedAudit = await create(lidoUser, folder, { date: days.late });
      await lidoUser(api.deleteAudit, { params: { id: deletedAudit } });
      const openedFolder = await lidoUser(api.getFolder, { params: { id: folder } });
      expect(openedFolder).toMatchObject({ audit_count: 6, overdue_count: 2 });
      const [audit] = await lidoUser(api.listAudits, { params: { folderId: folder } });
      expect(await get(lidoUser, audit?.id ?? '')).toMatchObject({ folder_name: 'Rounds', park: 'Lido Beach' });
    });

    test("a folder's new thumbnail replaces the old one, and the same file can be sent again", async () => {
      const id = await newFolder(lidoUser);
      const fields = { name: 'Renamed', description: '', park: 'Lido Beach' as const };
      const first = await uploadPhoto(lidoUser);
      const second = await uploadPhoto(lidoUser);
      const put = (thumbnail?: string | null) =>
        lidoUser(api.updateFolder, { params: { id }, body: { ...fields, thumbnail } });
      const shown = async () => (await lidoUser(api.getFolder, { params: { id } })).thumbnail;
      await put(first);
      await put(first);
      expect(await shown()).toBe(first);
      await put(second);
      await put(undefined);
      expect(await shown()).toBe(second);
      const unattached = await server.db.selectFrom('uploads').selectAll().where('path', '=', first).executeTakeFirst();
      expect(unattached?.attached_id).toBeNull();
      await put(null);
      expect(await shown()).toBeNull();
      const otherUsersPhoto = await uploadPhoto(headOfficeUser);
      expect(await getError(put(otherUsersPhoto))).toMatchObject({ status: 409, code: 'FILE_USED' });
    });

    test('a folder saved over another change is rejected with the current version, unless it names no version', async () => {
      const id = await newFolder(lidoUser);
      const put = (name: string, version?: number) =>
        lidoUser(api.updateFolder, { params: { id }, body: { name, park: 'Lido Beach' as const, version } });
      await put('Mine', 1);
      const staleUpdate = await getError(put('Yours', 1));
      expect(staleUpdate).toMatchObject({
        status: 409,
        code: 'STALE',
        body: { current: { name: 'Mine', version: 2 } },
      });
      await put('Last write', undefined);
      expect(await lidoUser(api.getFolder, { params: { id } })).toMatchObject({ name: 'Last write', version: 3 });
    });
  });

  describe('a user of one park', () => {
    let folder: string;
    let audit: string;
    let path: string;
    let thumbnailPath: string;
    const change = { title: 'Taken over', data: { completed: true } };
    const folderChange = { name: 'Taken over', park: 'Robin Hood' };
    beforeAll(async () => {
      path = await uploadPhoto(lidoUser);
      thumbnailPath = await uploadPhoto(lidoUser);
      folder = await newFolder(lidoUser);
      await lidoUser(api.updateFolder, {
        params: { id: folder },
        body: { name: 'Lido’s', park: 'Lido Beach', thumbnail: thumbnailPath },
      });
      audit = await create(lidoUser, folder, { media_files: [{ path, name: 'a.jpg' }] });
    });

    const calls = (folder: string, audit: string): [string, ClientEndpoint, Record<string, string>, unknown?][] => [
      ['getFolder', api.getFolder, { id: folder }],
      ['updateFolder', api.updateFolder, { id: folder }, folderChange],
      ['deleteFolder', api.deleteFolder, { id: folder }],
      ['listAudits', api.listAudits, { folderId: folder }],
      ['createAudit', api.createAudit, {}, newAudit(folder)],
      ['getAudit', api.getAudit, { id: audit }],
      ['updateAudit', api.updateAudit, { id: audit }, change],
      ['deleteAudit', api.deleteAudit, { id: audit }],
      ['getAuditPdf', api.getAuditPdf, { id: audit }],
    ];

    test('every request for records of another park gets the same response as if they did not exist', async () => {
      const manager = await server.as('Health & Safety Manager', 'Robin Hood');
      const admin = await server.as('Admin', 'Robin Hood');
      for (const client of [robinHoodUser, manager, admin]) {
        const missing = calls('aaaaaaaaaaaaaaaaaaaaaaaaaa', 'aaaaaaaaaaaaaaaaaaaaaaaaaa');
        for (const [index, [name, row, params, body]] of calls(folder, audit).entries()) {
          const [, , absent, absentVersionBody] = missing[index] as (typeof missing)[number];
          const answer = await sendRaw(client, row, params, body);
          expect(answer, name).toMatch(/^404 /);
          expect(answer, name).toBe(await sendRaw(client, row, absent, absentVersionBody));
        }
        expect((await client(api.listFolders)).map(({ id }) => id)).not.toContain(folder);
      }
      expect(await get(lidoUser, audit)).toMatchObject({ title: 'Check the extinguishers', version: 1 });
    });

    test('photos and thumbnails are served to users of their park and of all parks only', async () => {
      for (const file of [path, thumbnailPath, previewUrl(path), previewUrl(thumbnailPath)]) {
        expect((await lidoUser.fetch(file)).status, file).toBe(200);
        expect((await headOfficeUser.fetch(file)).status, file).toBe(200);
        expect((await robinHoodUser.fetch(file)).status, file).toBe(404);
      }
    });

    test('users of all parks see and change the folders and audits of every park', async () => {
      expect((await headOfficeUser(api.listFolders)).map(({ id }) => id)).toContain(folder);
      expect(await get(headOfficeUser, audit)).toEqual(await get(lidoUser, audit));
      const id = await create(headOfficeUser, folder);
      await headOfficeUser(api.updateAudit, { params: { id }, body: { data: { completed: true } } });
      expect((await get(lidoUser, id)).data.completed_by).toBe(headOfficeUser.username);
      await headOfficeUser(api.deleteAudit, { params: { id } });
    });

    test('users of one park can neither create a folder in another park nor move one there', async () => {
      const rejection = { status: 403, message: 'You can only use your own parks' };
      expect(await getError(newFolder(robinHoodUser))).toMatchObject(rejection);
      const body = { name: 'Moved', park: 'Robin Hood' as const };
      expect(await getError(lidoUser(api.updateFolder, { params: { id: folder }, body }))).toMatchObject(rejection);
    });

    test('moving a folder moves its audits to the other park', async () => {
      const id = await newFolder(lidoUser);
      const movedAudit = await create(lidoUser, id);
      await headOfficeUser(api.updateFolder, { params: { id }, body: { name: 'Moved', park: 'Robin Hood' } });
      expect((await get(robinHoodUser, movedAudit)).folder_id).toBe(id);
      expect(await getError(get(lidoUser, movedAudit))).toMatchObject({ status: 404 });
    });

    test('requests for folders without a session are rejected', async () => {
      for (const [name, row, params, body] of calls(folder, audit))
        expect(await sendRaw(server.anonymous, row, params, body), name).toMatch(/^401 /);
      expect((await server.anonymous.fetch(path)).status).toBe(401);
    });
  });
});
