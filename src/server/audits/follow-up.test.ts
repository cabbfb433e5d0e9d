// Assigned audits, open audits of all folders, notes, and the records from which audits were
// created.
import { setTimeout as wait } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { newAudit, newFolder, newReport, uploadPhoto } from '../testing/factories.ts';
import { engines, type TestClient } from '../testing/server.ts';
import { createTestServer } from '../testing/test-server.ts';

describe.each(engines)('following up audits on %s', (engine) => {
  let folder: string;
  const { server, admin } = createTestServer(engine);
  const lidoUser = server.user('None', 'Lido Beach');
  const robin = server.user('None', 'Robin Hood');
  const manager = server.user('Health & Safety Manager', 'Lido Beach');
  beforeAll(async () => {
    folder = await newFolder(lidoUser, { name: 'Follow-up' });
  });

  const create = async (client: TestClient, changes = {}, where = folder) =>
    (await client(api.createAudit, { body: newAudit(where, changes) })).id;
  const get = (client: TestClient, id: string) => client(api.getAudit, { params: { id } });
  const texts = async (client: TestClient) => (await client(api.listNotifications)).map(({ text }) => text);
  const titles = async (client: TestClient, query = {}) =>
    (await client(api.listOpenAudits, { query })).map(({ title }) => title);

  test('an assignee with an account is notified, but one who may not see the park is stored as a name only', async () => {
    const id = await create(admin, { title: 'Gate', assignee: ` ${lidoUser.username.toUpperCase()} ` });
    expect((await get(admin, id)).data).toMatchObject({ assignee_id: lidoUser.id });
    expect(await texts(lidoUser)).toEqual(['Audit assigned to you: Gate']);
    const other = await create(admin, { title: 'Secret of Lido', assignee: robin.username });
    expect((await get(admin, other)).data.assignee_id).toBeUndefined();
    expect(await texts(robin)).toEqual([]);
    await admin(api.updateAudit, { params: { id: other }, body: { data: { assignee: lidoUser.username } } });
    expect(await texts(lidoUser)).toEqual(['Audit assigned to you: Secret of Lido', 'Audit assigned to you: Gate']);
    await admin(api.updateAudit, { params: { id: other }, body: { data: { location: 'Pool' } } });
    expect(await texts(lidoUser)).toHaveLength(2);
    // Users are not notified of their own audits, or of completed ones.
    await create(lidoUser, { assignee: lidoUser.username });
    await create(admin, { assignee: lidoUser.username, completed: true });
    expect(await texts(lidoUser)).toHaveLength(2);
  });

  test('a full name assigns its user if nobody else at the park has it, and other names stay texts', async () => {
    const park = 'Kingsley';
    const folder = await newFolder(admin, { park });
    const setName = ({ id }: TestClient, full_name: string) =>
      admin(api.updateUserDetails, { params: { id }, body: { full_name, email: '' } });
    const [staff, namesake] = [await server.as('None', park), await server.as('None', 'Robin Hood')];
    await setName(staff, 'Siân Hughes');
    await setName(namesake, 'Sian Hughes');
    const id = await create(staff, { title: 'Mine', assignee: ' sian hughes' }, folder);
    const assigned = { assignee: staff.username, assignee_id: staff.id };
    expect((await get(admin, id)).data).toMatchObject(assigned);
    const changed = await create(admin, { title: 'Theirs', assignee: 'Bob the "plumber"' }, folder);
    expect((await get(admin, changed)).data).toMatchObject({ assignee: 'Bob the "plumber"' });
    expect(await titles(admin, { park, assignee: 'Bob the "plumber"' })).toEqual(['Theirs']);
    expect(await titles(admin, { park, assignee: 'Bob' })).toEqual([]);
    await admin(api.updateAudit, { params: { id: changed }, body: { data: { assignee: 'SIÂN HUGHES' } } });
    expect((await get(admin, changed)).data).toMatchObject(assigned);
    expect(await texts(staff)).toEqual(['Audit assigned to you: Theirs']);
    await setName(namesake, '');
    expect((await titles(admin, { park, assignee: 'Sian Hughes' })).toSorted()).toEqual(['Mine', 'Theirs']);
    await setName(await server.as('None', park), 'Sian Hughes');
    expect((await get(admin, await create(admin, { assignee: 'Sian Hughes' }, folder))).data).toMatchObject({
      assignee: 'Sian Hughes',
    });
  });

  test('the reviewers of a park are notified of an urgent audit', async () => {
    const id = await create(lidoUser, { title: 'Live wire', assignee: '' });
    await lidoUser(api.updateAudit, { params: { id }, body: { data: { is_urgent: true } } });
    expect(await texts(manager)).toEqual(['Urgent audit at Lido Beach: Live wire']);
    expect(await texts(admin)).toEqual(['Urgent audit at Lido Beach: Live wire']);
    await lidoUser(api.updateAudit, { params: { id }, body: { data: { location: 'Arcade' } } });
    expect(await texts(manager)).toHaveLength(1);
  });

  test('open audits of all folders are listed soonest due first, in pages and filtered', async () => {
    const park = 'Winkups';
    const staff = await server.as('None', park);
    const [a, b] = [await newFolder(admin, { park }), await newFolder(admin, { park, name: 'Second' })];
    await create(admin, { title: 'later', date: '2090-01-02', assignee: staff.username }, a);
    await create(admin, { title: 'none', date: null }, a);
    await create(admin, { title: 'late', date: '2020-01-02', time: '10:00', assignee: staff.username }, b);
    await create(admin, { title: 'latest', date: '2020-01-02', time: '09:00', is_urgent: true }, b);
    await create(admin, { title: 'done', date: '2020-01-01', completed: true }, b);
    expect(await titles(staff)).toEqual(['latest', 'late', 'later', 'none']);
    expect(await titles(staff, { mine: 'yes' })).toEqual(['late', 'later']);
    expect(await titles(admin, { park, overdue: 'yes' })).toEqual(['latest', 'late']);
    expect(await titles(admin, { park, urgent: 'yes' })).toEqual(['latest']);
    expect(await titles(admin, { folder: a })).toEqual(['later', 'none']);
    expect(await titles(admin, { park, assignee: staff.username })).toEqual(['late', 'later']);
    expect(await titles(admin, { park, assignee: 'nobody' })).toEqual([]);
    expect(await titles(lidoUser, { park })).toEqual([]);
    const [first, second] = await staff(api.listOpenAudits, { query: { limit: 2 } });
    expect(first).toMatchObject({ folder_name: 'Second', park });
    expect(await titles(staff, { after: second?.id ?? '', limit: 2 })).toEqual(['later', 'none']);
  });

  test('open audits are found by title, and counted per park and person', async () => {
    const park = 'Molfre View';
    const staff = await server.as('None', park);
    const molfre = await newFolder(admin, { park });
    const before = await admin(api.countOpenAudits);
    await create(staff, { title: 'Repair Tŷ Glas gate', date: '2020-01-02', assignee: staff.username }, molfre);
    await create(staff, { title: 'Repair step', date: '2020-01-03', assignee: 'Bryn Roofing' }, molfre);
    await create(staff, { title: 'Paint gate', date: '2090-01-02', assignee: '' }, molfre);
    await create(staff, { title: 'Repaired gate', date: '2020-01-02', completed: true }, molfre);
    expect(await titles(staff, { title: 'GATE ty' })).toEqual(['Repair Tŷ Glas gate']);
    expect(await titles(admin, { title: 'repair', park })).toEqual(['Repair Tŷ Glas gate', 'Repair step']);
    expect(await titles(staff, { title: 'window' })).toEqual([]);
    expect(await titles(lidoUser, { title: 'Tŷ Glas' })).toEqual([]);
    expect(await titles(staff, { unassigned: 'yes' })).toEqual(['Paint gate']);
    expect(await staff(api.countOpenAudits)).toEqual({
      parks: [{ park, overdue: 2 }],
      people: [{ username: staff.username, overdue: 1 }],
      unassigned: 1,
      toVerify: 0,
    });
    const { parks, unassigned } = await admin(api.countOpenAudits);
    expect(parks).toContainEqual({ park, overdue: 2 });
    expect(unassigned).toBe(before.unassigned + 1);
    expect(parks.map(({ overdue }) => overdue)).toEqual(parks.map(({ overdue }) => overdue).toSorted((a, b) => b - a));
  });

  test('users who see an audit can add notes before and after its completion, and only they can open photos of notes', async () => {
    const id = await create(lidoUser, { title: 'Leak' });
    const path = await uploadPhoto(lidoUser);
    await lidoUser(api.addAuditNote, {
      params: { id },
      body: { text: 'Washer ordered', media_files: [{ path, name: 'tap.jpg' }] },
    });
    await lidoUser(api.updateAudit, { params: { id }, body: { data: { completed: true } } });
    await wait(5);
    await manager(api.addAuditNote, { params: { id }, body: { text: 'The leak is back' } });
    const notes = await admin(api.listAuditNotes, { params: { id } });
    expect(notes).toMatchObject([
      { text: 'Washer ordered', created_by: lidoUser.username, media_files: [{ path, name: 'tap.jpg' }] },
      { text: 'The leak is back', created_by: manager.username, media_files: [] },
    ]);
    for (const client of [lidoUser, manager]) expect((await client.fetch(path)).status).toBe(200);
    expect((await robin.fetch(path)).status).toBe(404);
    await expect(robin(api.listAuditNotes, { params: { id } })).rejects.toMatchObject({ status: 404 });
    await expect(lidoUser(api.addAuditNote, { params: { id }, body: { text: '  ' } })).rejects.toMatchObject({
      status: 400,
      message: 'Write a note or add a photo',
    });
    const plainPdf = await lidoUser(api.getAuditPdf, { params: { id: await create(lidoUser) } });
    const pdfWithNotes = await lidoUser(api.getAuditPdf, { params: { id } });
    expect(pdfWithNotes.length).toBeGreaterThan(plainPdf.length);
    await admin(api.deleteAudit, { params: { id } });
    expect((await lidoUser.fetch(path)).status).toBe(404);
  });

  test('an audit created from a report has copies of the chosen photos, and shows the report to reviewers only', async () => {
    const body = await newReport(lidoUser);
    const report = await lidoUser(api.submitAccident, { body });
    const photo = body.mediaFiles[0]?.path ?? '';
    const source = { thing: 'report' as const, id: report.id, photos: [photo, body.signature.path] };
    const auditFields = { title: 'Repair the step', source };
    await expect(create(lidoUser, auditFields)).rejects.toMatchObject({ status: 404, message: 'Report not found' });
    const otherParkFolder = await newFolder(admin, { park: 'Robin Hood' });
    await expect(create(admin, auditFields, otherParkFolder)).rejects.toMatchObject({
      status: 400,
      message: 'Choose a folder of Lido Beach',
    });
    const id = await create(manager, auditFields);
    const seen = await get(manager, id);
    expect(seen.data.source).toEqual({ thing: 'report', id: report.id, label: report.number });
    expect((await get(lidoUser, id)).data.source).toBeUndefined();
    expect(JSON.stringify(await lidoUser(api.listOpenAudits))).not.toContain(report.number);
    expect(JSON.stringify(await lidoUser(api.listAudits, { params: { folderId: folder } }))).not.toContain(
      report.number,
    );
    // One photo is copied; a signature cannot be.
    const [copy] = seen.data.media_files;
    expect(seen.data.media_files).toHaveLength(1);
    expect(copy?.path).not.toBe(photo);
    expect((await lidoUser.fetch(copy?.path ?? '')).status).toBe(200);
    expect((await lidoUser.fetch(photo)).status).toBe(404);
    const list = (client: TestClient) => client(api.listReportAudits, { params: { id: report.id } });
    expect(await list(manager)).toMatchObject([{ id, title: 'Repair the step', completed: false, deleted_by: null }]);
    expect(await list(await server.as('Health & Safety Manager', 'Robin Hood'))).toEqual([]);
    await lidoUser(api.deleteAudit, { params: { id } });
    expect(await list(manager)).toMatchObject([{ id, deleted_by: lidoUser.username }]);
    expect((await texts(manager))[0]).toBe(`Audit from ${report.number} at Lido Beach deleted: Repair the step`);
    const notifications = await manager(api.listNotifications, { query: { limit: 1 } });
    expect(notifications[0]?.kind).toBe('auditDeleted');
  });

  test('a follow-up audit has copies of the photos, and names the audit that it follows', async () => {
    const path = await uploadPhoto(lidoUser);
    const before = await create(lidoUser, { title: 'Tap', media_files: [{ path, name: 'tap.jpg' }], completed: true });
    const id = await create(lidoUser, { title: 'Tap', source: { thing: 'audit', id: before, photos: [path] } });
    const { data } = await get(lidoUser, id);
    expect(data.source).toEqual({ thing: 'audit', id: before, label: 'Tap' });
    expect(data.media_files).toHaveLength(1);
    expect(data.media_files[0]?.path).not.toBe(path);
    await expect(
      robin(api.createAudit, {
        body: newAudit(await newFolder(robin, { park: 'Robin Hood' }), { source: { thing: 'audit', id: before } }),
      }),
    ).rejects.toMatchObject({ status: 404 });
  });

  test('a follow-up audit hides the title of its original once the folder of that moved to another park', async () => {
    const original = await create(lidoUser, { title: 'Original' }, await newFolder(lidoUser, { name: 'Moving' }));
    const followUp = await create(lidoUser, { source: { thing: 'audit', id: original } });
    expect((await get(lidoUser, followUp)).data.source).toMatchObject({ label: 'Original' });
    const { folder_id } = await get(admin, original);
    const moved = { name: 'Moving', description: '', park: 'Robin Hood' as const };
    await admin(api.updateFolder, { params: { id: folder_id }, body: moved });
    expect((await get(lidoUser, followUp)).data.source).toBeUndefined();
    expect((await get(manager, followUp)).data.source).toBeUndefined();
    expect((await get(admin, followUp)).data.source).toMatchObject({ label: 'Original' });
  });
});
