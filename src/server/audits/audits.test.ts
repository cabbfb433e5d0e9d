import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { AuditChange } from '#shared/audits.ts';
import { restoreRecord } from '../records/restore.ts';
import { getError } from '../testing/errors.ts';
import { newAudit, newFolder, photo, upload, uploadPhoto } from '../testing/factories.ts';
import { changeRows, insertRows, readRow, readRows } from '../testing/rows.ts';
import { engines, type TestClient } from '../testing/server.ts';
import { createTestServer } from '../testing/test-server.ts';

describe.each(engines)('audits on %s', (engine) => {
  const { server, admin } = createTestServer(engine);
  const lidoUser = server.user('None', 'Lido Beach');
  const headOffice = server.user('None');

  const create = async (client: TestClient, folder: string, changes = {}) =>
    (await client(api.createAudit, { body: newAudit(folder, changes) })).id;
  const get = (client: TestClient, id: string) => client(api.getAudit, { params: { id } });

  describe('an audit', () => {
    let folder: string;
    beforeAll(async () => {
      folder = await newFolder(lidoUser, { name: 'Audits' });
    });

    test('an audit in a list has all fields at the top level, and a single audit has most of them in `data`', async () => {
      const path = await uploadPhoto(lidoUser);
      const sentAudit = newAudit(folder, {
        title: '  Gwirio’r 🔥\n山田 ',
        media_files: [{ path, name: 'gât.jpg' }],
        is_urgent: true,
      });
      const { id } = await lidoUser(api.createAudit, { body: sentAudit });
      const head = { id, folder_id: folder, title: 'Gwirio’r 🔥 山田', version: 1 };
      const data = {
        location: sentAudit.location,
        assignee: sentAudit.assignee,
        description: sentAudit.description,
        date: '2026-03-20',
        time: '09:30',
        is_urgent: true,
        completed: false,
        completed_by: null,
        completed_at: null,
        captured_at: null,
        media_files: [{ path, name: 'gât.jpg', type: 'image/jpeg', size: expect.any(Number), storageType: 'server' }],
      };
      const [listed] = await lidoUser(api.listAudits, { params: { folderId: folder } });
      expect(listed).toEqual({ ...head, created_at: expect.any(String), ...data });
      const { date, time } = data;
      expect(await get(lidoUser, id)).toEqual({
        ...head,
        folder_name: 'Audits',
        park: 'Lido Beach',
        created_at: listed?.created_at,
        date,
        time,
        data,
      });
      const pdf = await lidoUser.fetch(`/api/audit-pdf/${id}`);
      expect(decodeURIComponent(pdf.headers.get('content-disposition') ?? '')).toContain(`''${head.title}.pdf`);
      expect((await pdf.text()).slice(0, 5)).toBe('%PDF-');
    });

    test('an audit without a title, or with an invalid date or photo, is rejected', async () => {
      const getRejection = (changes: object) => getError(create(lidoUser, folder, changes));
      expect(await getRejection({ title: ' \n ' })).toMatchObject({ status: 400, message: 'Title is required' });
      expect(await getRejection({ title: undefined })).toMatchObject({ status: 400, message: 'Title is required' });
      expect(await getRejection({ date: '31/02/2026' })).toMatchObject({ status: 400 });
      expect(await getRejection({ time: '25:00' })).toMatchObject({ status: 400 });
      expect(await getRejection({ media_files: [{ path: 'data:image/png;base64,AA==' }] })).toMatchObject({
        status: 400,
      });
      const path = await uploadPhoto(lidoUser);
      const base64 = { path, storageType: 'base64' };
      expect(await getRejection({ media_files: [base64] })).toMatchObject({ status: 400 });
      expect(await getRejection({ media_files: [{ path }, { path }] })).toMatchObject({
        status: 409,
        code: 'FILE_USED',
      });
      expect(await getRejection({ media_files: [{ path: await uploadPhoto(headOffice) }] })).toMatchObject({
        code: 'FILE_USED',
      });
    });

    test('an audit is accepted without a date and time, sent as null or as empty text', async () => {
      const id = await create(lidoUser, folder, { date: null, time: '' });
      expect(await get(lidoUser, id)).toMatchObject({ date: null, time: null });
    });

    test('an audit sent twice with one key is created once', async () => {
      const key = randomUUID();
      const body = newAudit(folder, { media_files: [{ path: await uploadPhoto(lidoUser), name: 'a.jpg' }] });
      const replies = await Promise.all(Array.from({ length: 10 }, () => lidoUser(api.createAudit, { body, key })));
      expect(new Set(replies.map(({ id }) => id)).size).toBe(1);
      const other = lidoUser(api.createAudit, { body: { ...body, title: 'Another' }, key });
      expect(await getError(other)).toMatchObject({ status: 422 });
    });

    test('the server sets who completed an audit and when, whatever the request says', async () => {
      const before = new Date().toISOString();
      const forgedFields = {
        completed: true,
        completed_by: 'somebody',
        completed_at: '1999-01-01',
        id: 'x',
        version: 9,
      };
      const { data, version } = await get(lidoUser, await create(lidoUser, folder, forgedFields));
      expect(data).toMatchObject({ completed: true, completed_by: lidoUser.username });
      expect(data.completed_at && data.completed_at >= before).toBe(true);
      expect(version).toBe(1);
    });

    test('an audit keeps the fields that a change leaves out', async () => {
      const path = await uploadPhoto(lidoUser);
      const id = await create(lidoUser, folder, { media_files: [{ path, name: 'kept.jpg' }] });
      const before = await get(lidoUser, id);
      const change = { params: { id }, body: { data: { location: 'Pool', is_urgent: true } } };
      const after = await lidoUser(api.updateAudit, change);
      expect(after).toEqual({ ...before, version: 2, data: { ...before.data, location: 'Pool', is_urgent: true } });
      expect(await get(lidoUser, id)).toEqual(after);
      const updatedAudit = await lidoUser(api.updateAudit, {
        params: { id },
        body: { title: 'T', data: {}, date: '01/02/2027', time: null },
      });
      expect(updatedAudit).toMatchObject({ title: 'T', date: '2027-02-01', time: null, data: { date: '2027-02-01' } });
      expect((await lidoUser(api.updateAudit, { params: { id }, body: { data: { date: null } } })).date).toBeNull();
    });

    test('a saved audit attaches new photos, keeps those that it names again and detaches the rest', async () => {
      const [firstId = '', secondId = '', thirdId = ''] = await Promise.all([
        uploadPhoto(lidoUser),
        uploadPhoto(lidoUser),
        uploadPhoto(headOffice),
      ]);
      const id = await create(lidoUser, folder, { media_files: [{ path: firstId, name: 'first.jpg' }] });
      const put = (client: TestClient, paths: string[]) =>
        client(api.updateAudit, { params: { id }, body: { data: { media_files: paths.map((path) => ({ path })) } } });
      await put(lidoUser, [firstId, secondId]);
      const { data } = await put(headOffice, [thirdId, firstId, secondId]);
      expect(data.media_files.map(({ path, name }) => [path, name])).toEqual([
        [thirdId, 'photo.jpg'],
        [firstId, 'first.jpg'],
        [secondId, 'photo.jpg'],
      ]);
      await put(lidoUser, [secondId]);
      expect((await headOffice.fetch(secondId)).status).toBe(200);
      expect((await headOffice.fetch(firstId)).status).toBe(404);
      expect(await getError(put(lidoUser, [secondId, secondId]))).toMatchObject({ status: 409, code: 'FILE_USED' });
      const other = await create(lidoUser, folder);
      const attachOtherUsersPhoto = lidoUser(api.updateAudit, {
        params: { id: other },
        body: { data: { media_files: [{ path: secondId }] } },
      });
      expect(await getError(attachOtherUsersPhoto)).toMatchObject({ status: 409, code: 'FILE_USED' });
    });

    test('an audit changed by two users at once keeps the first change and returns it to the second user', async () => {
      const id = await create(lidoUser, folder);
      await headOffice(api.updateAudit, { params: { id }, body: { title: 'Office', version: 1 } });
      const path = await uploadPhoto(lidoUser);
      const body = { title: 'Lido', version: 1, data: { media_files: [{ path }] } };
      const conflict = await getError(lidoUser(api.updateAudit, { params: { id }, body }));
      expect(conflict).toMatchObject({
        status: 409,
        code: 'STALE',
        body: { current: { title: 'Office', version: 2 } },
      });
      expect((await get(lidoUser, id)).data.media_files).toEqual([]);
      await lidoUser(api.updateAudit, { params: { id }, body: { ...body, version: 2 } });
      expect(await get(headOffice, id)).toMatchObject({ title: 'Lido', version: 3 });
      await headOffice(api.updateAudit, { params: { id }, body: { title: 'Without a version' } });
      expect((await get(lidoUser, id)).title).toBe('Without a version');
    });

    test('an audit completed by twenty users at once has exactly one completer', async () => {
      const people = await Promise.all(Array.from({ length: 20 }, () => server.as('None', 'Lido Beach')));
      for (let round = 0; round < 3; round++) {
        const id = await create(lidoUser, folder);
        const results = await Promise.allSettled(
          people.map((client) => client(api.updateAudit, { params: { id }, body: { data: { completed: true } } })),
        );
        const successfulUsers = people.filter((_, index) => results[index]?.status === 'fulfilled');
        expect(successfulUsers).toHaveLength(1);
        for (const outcome of results)
          if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ status: 409, code: 'COMPLETED' });
        expect((await get(lidoUser, id)).data.completed_by).toBe(successfulUsers[0]?.username);
        const lines = await server.db.selectFrom('activity').selectAll().where('thing_id', '=', id).execute();
        expect(lines.filter(({ action }) => action === 'completed')).toHaveLength(1);
      }
    });

    test('a completed audit cannot be changed but can be deleted', async () => {
      const id = await create(lidoUser, folder, { completed: true });
      const before = await get(lidoUser, id);
      const path = await uploadPhoto(lidoUser);
      const changes = [
        { title: 'Again' },
        { data: { completed: false } },
        { data: { completed: true } },
        { data: { media_files: [{ path }] } },
        { date: '2027-01-01' },
        { title: 'Again', version: 1 },
        { title: 'Again', version: 7 },
      ];
      for (const body of changes)
        expect(await getError(lidoUser(api.updateAudit, { params: { id }, body }))).toMatchObject({
          status: 409,
          code: 'COMPLETED',
          body: { current: before },
        });
      expect(await get(lidoUser, id)).toEqual(before);
      await lidoUser(api.deleteAudit, { params: { id } });
      expect(await getError(get(lidoUser, id))).toMatchObject({ status: 404, message: 'Audit not found' });
      expect(await getError(lidoUser(api.deleteAudit, { params: { id } }))).toMatchObject({ status: 404 });
    });

    test.each([
      ['cut short', (text: string) => text.slice(0, text.indexOf('"description"') + 20)],
      ['not JSON at all', () => 'location: Clubhouse'],
      [
        'of another shape',
        (text: string) => JSON.stringify({ ...JSON.parse(text), description: 7, media_files: 'none' }),
      ],
      ['a list', () => '[]'],
      ['null', () => 'null'],
      ['empty', () => ''],
    ])(
      'an audit with damaged data (%s) is listed with a warning, opens, prints and is repaired by a save',
      async (name, damage) => {
        const ownFolder = await newFolder(lidoUser, { name });
        const path = await uploadPhoto(lidoUser);
        const id = await create(lidoUser, ownFolder, { media_files: [{ path, name: 'a.jpg' }] });
        await create(lidoUser, ownFolder, { title: 'Whole' });
        const { data } = await readRow(server.db, 'audits', { id });
        await changeRows(server.db, 'audits', { id }, { data: damage(data) });

        const listed = await lidoUser(api.listAudits, { params: { folderId: ownFolder } });
        expect(listed.map((audit) => audit.parse_error ?? false).sort()).toEqual([false, true]);
        const damagedAudit = await get(lidoUser, id);
        expect(damagedAudit).toMatchObject({ parse_error: true, title: 'Check the extinguishers', date: '2026-03-20' });
        expect(damagedAudit.data.media_files).toMatchObject([{ path, storageType: 'server' }]);
        if (name === 'cut short' || name === 'of another shape')
          expect(damagedAudit.data).toMatchObject({ location: 'Clubhouse', assignee: 'Siân', description: '' });
        expect((await lidoUser(api.getAuditPdf, { params: { id } })).length).toBeGreaterThan(1000);

        const repairedAudit = await lidoUser(api.updateAudit, {
          params: { id },
          body: { data: { description: 'Again' } },
        });
        expect(repairedAudit).not.toHaveProperty('parse_error');
        expect(repairedAudit.data).toMatchObject({ description: 'Again', media_files: [{ path }] });
      },
    );

    test('each change of an audit, and its PDF, gets a log entry', async () => {
      const id = await create(lidoUser, folder);
      await lidoUser(api.updateAudit, { params: { id }, body: { title: 'New title' } });
      await lidoUser(api.updateAudit, { params: { id }, body: { data: { completed: true } } });
      await lidoUser(api.getAuditPdf, { params: { id } });
      await lidoUser(api.deleteAudit, { params: { id } });
      const lines = await readRows(server.db, 'activity', { thing_id: id }, 'seq');
      expect(lines.map(({ action }) => action)).toEqual([
        'created',
        'changed',
        'completed',
        'opened as PDF',
        'deleted',
      ]);
      expect(JSON.parse(lines[1]?.changes ?? '')).toEqual({
        title: { from: 'Check the extinguishers', to: 'New title' },
      });
    });
  });

  describe('deleting folders and audits', () => {
    const folderIds = async (client: TestClient) => (await client(api.listFolders)).map(({ id }) => id);

    test('deleting a folder deletes its audits and files, and restoring it restores exactly those', async () => {
      const folder = await newFolder(lidoUser);
      const path = await uploadPhoto(lidoUser);
      const auditWithPhoto = await create(lidoUser, folder, { media_files: [{ path, name: 'a.jpg' }] });
      const deletedBefore = await create(lidoUser, folder);
      await lidoUser(api.deleteAudit, { params: { id: deletedBefore } });
      await lidoUser(api.deleteFolder, { params: { id: folder } });

      expect(await folderIds(headOffice)).not.toContain(folder);
      expect(await getError(lidoUser(api.listAudits, { params: { folderId: folder } }))).toMatchObject({
        status: 404,
        message: 'Folder not found',
      });
      expect(await getError(get(headOffice, auditWithPhoto))).toMatchObject({ status: 404 });
      expect(await getError(create(lidoUser, folder))).toMatchObject({ status: 404, message: 'Folder not found' });
      expect((await lidoUser.fetch(path)).status).toBe(404);
      expect(await getError(lidoUser(api.deleteFolder, { params: { id: folder } }))).toMatchObject({ status: 404 });

      const deletions = await server.db
        .selectFrom('deletions')
        .selectAll()
        .where('thing_id', 'in', [folder, auditWithPhoto, deletedBefore])
        .execute();
      expect(deletions.map(({ thing, thing_id }) => [thing, thing_id]).sort()).toEqual(
        [
          ['audit', deletedBefore],
          ['folder', folder],
        ].sort(),
      );
      const getDeletionId = (id: string) => deletions.find(({ thing_id }) => thing_id === id)?.id ?? '';
      await expect(restoreRecord(server.db, 'audit', getDeletionId(deletedBefore), new Date())).rejects.toMatchObject({
        status: 409,
      });
      await restoreRecord(server.db, 'folder', getDeletionId(folder), new Date());
      const audits = await lidoUser(api.listAudits, { params: { folderId: folder } });
      expect(audits.map(({ id }) => id)).toEqual([auditWithPhoto]);
      expect((await lidoUser.fetch(path)).status).toBe(200);
      await restoreRecord(server.db, 'audit', getDeletionId(deletedBefore), new Date());
      expect(await lidoUser(api.listAudits, { params: { folderId: folder } })).toHaveLength(2);
    });

    test('deleting a folder while audits are created in it deletes all of them', async () => {
      const folder = await newFolder(lidoUser);
      await Promise.allSettled([
        ...Array.from({ length: 10 }, () => create(lidoUser, folder)),
        lidoUser(api.deleteFolder, { params: { id: folder } }),
        ...Array.from({ length: 10 }, () => create(lidoUser, folder)),
      ]);
      const existing = await readRows(server.db, 'audits', { folder_id: folder, deletion_id: null });
      expect(existing).toEqual([]);
    });
  });

  test('a folder of 2,000 audits is listed in one response', async () => {
    const folder = await newFolder(lidoUser, { name: 'Large' });
    const row = await readRow(server.db, 'audits', {
      id: await create(lidoUser, folder, { description: 'x'.repeat(500) }),
    });
    const rows = Array.from({ length: 2000 }, (_, index) => ({ ...row, id: `large-${index}`, position: -1 - index }));
    await insertRows(server.db, 'audits', rows);
    expect(await lidoUser(api.listAudits, { params: { folderId: folder } })).toHaveLength(2001);
  });

  test('the log has every field of an audit that was changed', async () => {
    const id = await create(lidoUser, await newFolder(lidoUser), { date: null, time: null });
    const { data, ...fields } = AuditChange.shape;
    // What belongs to the request, or is stored as a note.
    const others = ['version', 'placeId', 'capturedAt', 'answer', 'answer_note', 'done'];
    const names = Object.keys({ ...fields, ...data.def.innerType.shape }).filter((name) => !others.includes(name));
    const texts = { location: 'Sauna', assignee: 'Twm', description: 'A tile is loose' };
    const media_files = [{ path: await uploadPhoto(lidoUser), name: '' }];
    const change = { ...texts, media_files, is_urgent: true, completed: true };
    const body = { title: 'Tiles', date: '2027-05-01', time: '08:00', data: change };
    await lidoUser(api.updateAudit, { params: { id }, body });
    const [entry] = await admin(api.listActivity, { query: { thing_id: id } });
    expect(Object.keys(entry?.changes ?? {}).toSorted()).toEqual(names.toSorted());
  });

  test('a photo that no audit uses yet is not served to other users', async () => {
    const path = await upload(lidoUser, await photo());
    expect((await headOffice.fetch(path)).status).toBe(404);
  });
});
