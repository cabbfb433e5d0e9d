import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { type ApiError, endpointUrl } from '#shared/client.ts';
import type { ClientEndpoint } from '#shared/contract.ts';
import { getToday } from '#shared/dates.ts';
import { previewUrl } from '#shared/uploads.ts';
import { fixture, newAudit, newFolder, photo, uploadPhoto } from '../testing/factories.ts';
import { engines, startTestServer, type TestClient, type TestServer } from '../testing/server.ts';

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.unreachable('was not refused'),
    (error: ApiError) => error,
  );

/** A raw response without its request id. */
async function sendRaw(
  as: TestClient,
  row: ClientEndpoint,
  params: Record<string, string>,
  body?: unknown,
): Promise<string> {
  const response = await as.fetch(endpointUrl(row, { params }), {
    method: row.method,
    ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  return `${response.status} ${(await response.text()).replace(/"requestId":"\w+"/, '')}`;
}

describe.each(engines)('folders on %s', (engine) => {
  let server: TestServer;
  let lido: TestClient;
  let robinHoodUser: TestClient;
  let office: TestClient;
  beforeAll(async () => {
    server = await startTestServer(engine);
    lido = await server.as('None', 'Lido Beach');
    robinHoodUser = await server.as('None', 'Robin Hood');
    office = await server.as('None');
  });
  afterAll(() => server.stop());

  const create = async (as: TestClient, folder: string, changes = {}) =>
    (await as(api.createAudit, { body: newAudit(folder, changes) })).id;
  const get = (as: TestClient, id: string) => as(api.getAudit, { params: { id } });

  describe('folders', () => {
    test('a folder created with a thumbnail is listed with it as WebP', async () => {
      const file = new Blob([new Uint8Array(fixture('photos/orientation-landscape-6.jpg'))]);
      const body = { name: '  Llŷn\nfire  ', description: 'Two\nlines', park: 'Lido Beach' as const };
      const { id } = await lido(api.createFolder, { body, file, fileName: 'x.jpg' });
      const listed = (await lido(api.listFolders)).find((folder) => folder.id === id);
      expect(listed).toMatchObject({
        name: 'Llŷn fire',
        description: 'Two\nlines',
        park: 'Lido Beach',
        audit_count: 0,
      });
      expect(await lido(api.getFolder, { params: { id } })).toEqual(listed);
      const picture = await lido.fetch(listed?.thumbnail ?? '');
      expect(picture.headers.get('content-type')).toBe('image/webp');
      const small = await lido.fetch(previewUrl(listed?.thumbnail ?? ''));
      expect((await sharp(await small.arrayBuffer()).metadata()).width).toBeLessThanOrEqual(320);
    });

    test('a form without a file creates a folder without thumbnail, and an invalid file creates none', async () => {
      const fields = { body: { name: 'No picture', park: 'Lido Beach' as const } };
      const { id } = await lido(api.createFolder, { ...fields, file: new Blob([]), fileName: '' });
      expect((await lido(api.getFolder, { params: { id } })).thumbnail).toBeNull();
      const before = (await lido(api.listFolders)).length;
      const refused = await failure(
        lido(api.createFolder, { ...fields, file: new Blob(['%PDF-1.7']), fileName: 'x.png' }),
      );
      expect(refused).toMatchObject({ status: 415, message: 'Only image files are supported' });
      expect(await lido(api.listFolders)).toHaveLength(before);
    });

    test('a repeated request with one key creates one folder and leaves no file', async () => {
      const file = new Blob([new Uint8Array(await photo())]);
      const body = { name: 'Once', park: 'Lido Beach' as const };
      const key = randomUUID();
      const replies = await Promise.all(
        Array.from({ length: 6 }, () => lido(api.createFolder, { body, file, fileName: 'x.jpg', key })),
      );
      expect(new Set(replies.map(({ id }) => id)).size).toBe(1);
      expect((await lido(api.listFolders)).filter(({ name }) => name === 'Once')).toHaveLength(1);
      const uploads = await server.db
        .selectFrom('uploads')
        .selectAll()
        .where('attached_id', '=', replies[0]?.id ?? '')
        .execute();
      expect(uploads).toHaveLength(1);
    });

    test('folders are listed by park and name with their number of audits', async () => {
      const ids = await Promise.all(
        ['Round 10', 'Round 9', 'round 1'].map((name) => newFolder(office, { name, park: 'Winkups' })),
      );
      await newFolder(office, { name: 'Zebra', park: 'Abbeyffordd' });
      await create(office, ids[0] ?? '');
      const deleted = await create(office, ids[0] ?? '');
      await office(api.deleteAudit, { params: { id: deleted } });
      const listed = await office(api.listFolders);
      expect(listed[0]?.name).toBe('Zebra');
      expect(listed.slice(-3).map(({ name, audit_count }) => [name, audit_count])).toEqual([
        ['round 1', 0],
        ['Round 9', 0],
        ['Round 10', 1],
      ]);
    });

    test('a folder counts its overdue audits, and an audit names its folder and park', async () => {
      const folder = await newFolder(lido, { name: 'Rounds' });
      const days = { late: '2026-01-05', later: '2026-01-06', due: getToday(), future: '2090-01-01', none: null };
      for (const date of Object.values(days)) await create(lido, folder, { date });
      await create(lido, folder, { date: days.late, completed: true });
      const gone = await create(lido, folder, { date: days.late });
      await lido(api.deleteAudit, { params: { id: gone } });
      const found = await lido(api.getFolder, { params: { id: folder } });
      expect(found).toMatchObject({ audit_count: 6, overdue_count: 2 });
      const [audit] = await lido(api.listAudits, { params: { folderId: folder } });
      expect(await get(lido, audit?.id ?? '')).toMatchObject({ folder_name: 'Rounds', park: 'Lido Beach' });
    });

    test('a new thumbnail replaces the old one, and the same one may be sent again', async () => {
      const id = await newFolder(lido);
      const fields = { name: 'Renamed', description: '', park: 'Lido Beach' as const };
      const first = await uploadPhoto(lido);
      const second = await uploadPhoto(lido);
      const put = (thumbnail?: string | null) =>
        lido(api.updateFolder, { params: { id }, body: { ...fields, thumbnail } });
      const shown = async () => (await lido(api.getFolder, { params: { id } })).thumbnail;
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
      const foreign = await uploadPhoto(office);
      expect(await failure(put(foreign))).toMatchObject({ status: 409, code: 'FILE_USED' });
    });

    test('a save over another user’s change is rejected with the current version', async () => {
      const id = await newFolder(lido);
      const put = (name: string, version?: number) =>
        lido(api.updateFolder, { params: { id }, body: { name, park: 'Lido Beach' as const, version } });
      await put('Mine', 1);
      const refused = await failure(put('Yours', 1));
      expect(refused).toMatchObject({ status: 409, code: 'STALE', body: { current: { name: 'Mine', version: 2 } } });
      await put('Last write', undefined);
      expect(await lido(api.getFolder, { params: { id } })).toMatchObject({ name: 'Last write', version: 3 });
    });

    test('users who see a folder are suggested as assignees', async () => {
      const id = await newFolder(lido);
      const names = await lido(api.listAssignees, { params: { id } });
      expect(names).toEqual(expect.arrayContaining([lido.username, office.username]));
      expect(names).not.toContain(robinHoodUser.username);
    });
  });

  describe('a user of one park', () => {
    let folder: string;
    let audit: string;
    let path: string;
    let picture: string;
    const change = { title: 'Taken over', data: { completed: true } };
    const folderChange = { name: 'Taken over', park: 'Robin Hood' };
    beforeAll(async () => {
      path = await uploadPhoto(lido);
      picture = await uploadPhoto(lido);
      folder = await newFolder(lido);
      await lido(api.updateFolder, {
        params: { id: folder },
        body: { name: 'Lido’s', park: 'Lido Beach', thumbnail: picture },
      });
      audit = await create(lido, folder, { media_files: [{ path, name: 'a.jpg' }] });
    });

    const calls = (folder: string, audit: string): [string, ClientEndpoint, Record<string, string>, unknown?][] => [
      ['getFolder', api.getFolder, { id: folder }],
      ['updateFolder', api.updateFolder, { id: folder }, folderChange],
      ['deleteFolder', api.deleteFolder, { id: folder }],
      ['listAssignees', api.listAssignees, { id: folder }],
      ['listAudits', api.listAudits, { folderId: folder }],
      ['createAudit', api.createAudit, {}, newAudit(folder)],
      ['getAudit', api.getAudit, { id: audit }],
      ['updateAudit', api.updateAudit, { id: audit }, change],
      ['deleteAudit', api.deleteAudit, { id: audit }],
      ['getAuditPdf', api.getAuditPdf, { id: audit }],
    ];

    test('every request for another park’s records responds as if they did not exist', async () => {
      const manager = await server.as('Health & Safety Manager', 'Robin Hood');
      const admin = await server.as('Admin', 'Robin Hood');
      for (const as of [robinHoodUser, manager, admin]) {
        const missing = calls('aaaaaaaaaaaaaaaaaaaaaaaaaa', 'aaaaaaaaaaaaaaaaaaaaaaaaaa');
        for (const [index, [name, row, params, body]] of calls(folder, audit).entries()) {
          const [, , absent, absentBody] = missing[index] as (typeof missing)[number];
          const answer = await sendRaw(as, row, params, body);
          expect(answer, name).toMatch(/^404 /);
          expect(answer, name).toBe(await sendRaw(as, row, absent, absentBody));
        }
        expect((await as(api.listFolders)).map(({ id }) => id)).not.toContain(folder);
      }
      expect(await get(lido, audit)).toMatchObject({ title: 'Check the extinguishers', version: 1 });
    });

    test('photos and thumbnails are served to users of their park and of all parks only', async () => {
      for (const file of [path, picture, previewUrl(path), previewUrl(picture)]) {
        expect((await lido.fetch(file)).status, file).toBe(200);
        expect((await office.fetch(file)).status, file).toBe(200);
        expect((await robinHoodUser.fetch(file)).status, file).toBe(404);
      }
    });

    test('users without a park see and change everything', async () => {
      expect((await office(api.listFolders)).map(({ id }) => id)).toContain(folder);
      expect(await get(office, audit)).toEqual(await get(lido, audit));
      const id = await create(office, folder);
      await office(api.updateAudit, { params: { id }, body: { data: { completed: true } } });
      expect((await get(lido, id)).data.completed_by).toBe(office.username);
      await office(api.deleteAudit, { params: { id } });
    });

    test('no folder can be created in or moved to another park', async () => {
      const refusal = { status: 403, message: 'You can only use your own park' };
      expect(await failure(newFolder(robinHoodUser))).toMatchObject(refusal);
      const body = { name: 'Moved', park: 'Robin Hood' as const };
      expect(await failure(lido(api.updateFolder, { params: { id: folder }, body }))).toMatchObject(refusal);
    });

    test('moving a folder moves its audits to the other park', async () => {
      const id = await newFolder(lido);
      const moved = await create(lido, id);
      await office(api.updateFolder, { params: { id }, body: { name: 'Moved', park: 'Robin Hood' } });
      expect((await get(robinHoodUser, moved)).folder_id).toBe(id);
      expect(await failure(get(lido, moved))).toMatchObject({ status: 404 });
    });

    test('requests without a session are rejected', async () => {
      for (const [name, row, params, body] of calls(folder, audit))
        expect(await sendRaw(server.anonymous, row, params, body), name).toMatch(/^401 /);
      expect((await server.anonymous.fetch(path)).status).toBe(401);
    });
  });
});
