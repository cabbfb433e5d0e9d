import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { createClock } from '../clock.ts';
import { withPurgesPaused } from '../db/purge-pause.ts';
import { openDiskStore } from '../files/store.ts';
import { insertHold } from '../holds/holds.ts';
import { newAudit, newReport, photo, signaturePng, uploadPhoto } from '../testing/factories.ts';
import { engines, type TestClient } from '../testing/server.ts';
import { longSessions } from '../testing/settings.ts';
import { createTestServer } from '../testing/test-server.ts';
import { insertDeletion } from './bin/deletions.ts';
import { purgeDeleted } from './soft-delete.ts';

const days = 24 * 60 * 60 * 1000;

describe.each(engines)('deleted items on %s', (engine) => {
  let now = Date.parse('2026-03-10T09:00:00Z');
  const clock = createClock(() => now);
  const { server, admin, manager } = createTestServer(engine, longSessions, clock);

  const purge = async () =>
    purgeDeleted({
      db: server.db,
      config: server.config,
      clock,
      files: await openDiskStore(join(server.folder, 'uploads'), { isInUse: true }),
    });
  const isOnDisk = (path: string) => existsSync(join(server.folder, path));
  const getDeletion = async (label: string) => {
    const deletedItem = (await admin(api.listDeleted)).find((deletion) => deletion.label === label);
    if (!deletedItem) throw new Error(`${label} is not among the deleted items`);
    return deletedItem;
  };

  /**
   * Creates a deleted report. Unless a test is about the legal period, the report is released, so
   * that it is purged after 30 days.
   */
  async function createDeletedReport({ isReleased = true } = {}) {
    const body = await newReport(admin);
    const { id, number } = await admin(api.submitIncident, { body });
    const original = await admin(api.getReport, { params: { id } });
    await manager(api.deleteReport, { params: { id } });
    if (isReleased) {
      const deletion = await getDeletion(number);
      await admin(api.releaseDeleted, { params: { id: deletion.id }, body: { reason: 'A test' } });
    }
    const paths = [body.mediaFiles[0]?.path ?? '', body.signature.path, body.affectedUserSignature.path];
    return { id, number, original, paths };
  }

  test('a restored report is complete with its photos', async () => {
    const { id, number, original, paths } = await createDeletedReport();
    await expect(admin(api.getReport, { params: { id } })).rejects.toMatchObject({ status: 404 });
    expect((await admin.fetch(paths[0] ?? '')).status).toBe(404);
    const deletion = await getDeletion(number);
    expect(deletion).toMatchObject({
      thing: 'report',
      deleted_by: manager.username,
      deleted_at: new Date(now).toISOString(),
      restorable_until: new Date(now + 30 * days).toISOString(),
    });
    await admin(api.restoreDeleted, { params: { id: deletion.id } });
    expect(await admin(api.getReport, { params: { id } })).toEqual(original);
    expect((await admin(api.listReports, { query: { q: number } })).map((report) => report.id)).toEqual([id]);
    for (const path of paths) expect((await admin.fetch(path)).status).toBe(200);
    const [line] = await admin(api.listActivity, { query: { q: 'restored' } });
    expect(line).toMatchObject({ thing: 'report', thing_id: id, label: number, actor: admin.username });
    await expect(admin(api.restoreDeleted, { params: { id: deletion.id } })).rejects.toMatchObject({ status: 404 });
  });

  test('a deleted report can be restored for 30 days; then its rows and files are deleted and its number is not reused', async () => {
    const { id, number, paths } = await createDeletedReport();
    const { id: deletionId } = await getDeletion(number);
    now += 30 * days - 1;
    expect(await purge()).toBe(0);
    await getDeletion(number);
    now += 1;
    expect(await admin(api.listDeleted)).toEqual([]);
    await expect(admin(api.restoreDeleted, { params: { id: deletionId } })).rejects.toMatchObject({ status: 404 });
    expect(paths.every(isOnDisk)).toBe(true);
    expect(await purge()).toBe(1);
    expect(paths.some(isOnDisk)).toBe(false);
    expect(await server.db.selectFrom('reports').where('id', '=', id).selectAll().execute()).toEqual([]);
    expect(await server.db.selectFrom('uploads').where('path', 'in', paths).selectAll().execute()).toEqual([]);
    const log = await admin(api.listActivity, { query: { thing: 'report', thing_id: id } });
    expect(log.map((line) => line.action)).toEqual(['removed for good', 'released', 'deleted', 'opened', 'filed']);
    const next = await createDeletedReport();
    expect(next.number).not.toBe(number);
    expect(await purge()).toBe(0);
  });

  /** Submits a checklist with a text and a signature. */
  async function createSubmission() {
    const title = `Pool ${randomUUID()}`;
    const sections = [
      { title: 'What did you find?', type: 'text' as const, required: true },
      { title: 'Signed', type: 'signature' as const, required: true },
    ];
    const { id: checklistId } = await admin(api.createChecklist, { body: { title, sections } });
    const signature = `data:image/png;base64,${(await signaturePng()).toString('base64')}`;
    const { id } = await manager(api.submitChecklist, {
      body: { checklistId, data: { 0: 'A loose tile', 1: signature } },
    });
    const original = await admin(api.getSubmission, { params: { id } });
    expect(original.data[1]).toMatch(/^data:image\/png/);
    return { id, checklistId, original };
  }

  test('a restored submission is complete, even if its checklist was deleted', async () => {
    const { id, checklistId, original } = await createSubmission();
    await manager(api.deleteSubmission, { params: { id } });
    await expect(admin(api.getSubmission, { params: { id } })).rejects.toMatchObject({ status: 404 });
    await admin(api.deleteChecklist, { params: { id: checklistId } });
    await admin(api.restoreDeleted, { params: { id: (await getDeletion(original.number)).id } });
    expect(await admin(api.getSubmission, { params: { id } })).toEqual(original);
    expect((await admin(api.listSubmissions, { query: { q: 'loose tile' } })).map((report) => report.id)).toContain(id);
  });

  test('a deleted checklist can be restored for 30 days, and later stays stored for its submissions', async () => {
    const { id, checklistId, original } = await createSubmission();
    const title = original.checklist_title;
    const isListed = async () => (await admin(api.listChecklists)).some((checklist) => checklist.id === checklistId);
    await manager(api.deleteChecklist, { params: { id: checklistId } });
    expect(await isListed()).toBe(false);
    const { id: deletionId } = await getDeletion(title);
    expect((await manager(api.listDeleted)).map((deletion) => deletion.id)).toContain(deletionId);
    await expect(manager(api.restoreDeleted, { params: { id: deletionId } })).rejects.toMatchObject({ status: 403 });
    await admin(api.restoreDeleted, { params: { id: deletionId } });
    expect(await isListed()).toBe(true);
    await manager(api.submitChecklist, { body: { checklistId, data: original.data } });

    await manager(api.deleteChecklist, { params: { id: checklistId } });
    now += 30 * days;
    await purge();
    expect((await admin(api.listDeleted)).map(({ label }) => label)).not.toContain(title);
    expect(await isListed()).toBe(false);
    expect(await admin(api.getSubmission, { params: { id } })).toEqual(original);
  });

  test('a deleted submission is purged after 30 days and its checklist stays', async () => {
    const { id, checklistId, original } = await createSubmission();
    await manager(api.deleteSubmission, { params: { id } });
    const { id: deletionId } = await getDeletion(original.number);
    now += 30 * days;
    expect(await purge()).toBeGreaterThan(0);
    await expect(admin(api.restoreDeleted, { params: { id: deletionId } })).rejects.toMatchObject({ status: 404 });
    const { db } = server;
    expect(await db.selectFrom('submissions').where('id', '=', id).selectAll().execute()).toEqual([]);
    const signatures = db.selectFrom('submission_signatures').where('submission_id', '=', id);
    expect(await signatures.selectAll().execute()).toEqual([]);
    expect((await admin(api.listChecklists)).map((checklist) => checklist.id)).toContain(checklistId);
  });

  /** Creates a folder in Lido Beach with a thumbnail and two audits, one of them with a photo. */
  async function createFolder() {
    const name = `Pool ${randomUUID()}`;
    const body = { name, description: 'Weekly', park: 'Lido Beach' as const };
    const file = new Blob([new Uint8Array(await photo())]);
    const { id } = await admin(api.createFolder, { body, file, fileName: 'pool.jpg' });
    const picture = await uploadPhoto(admin);
    const media_files = [{ path: picture, name: 'ladder.jpg' }];
    const title = `Ladders ${randomUUID()}`;
    const first = await admin(api.createAudit, { body: newAudit(id, { title, media_files }) });
    const second = await admin(api.createAudit, { body: newAudit(id, { title: 'Gates', completed: true }) });
    const { thumbnail } = await admin(api.getFolder, { params: { id } });
    return { id, name, title, audits: [first.id, second.id] as const, paths: [thumbnail ?? '', picture] };
  }
  /** Returns everything that a user sees of a folder. */
  const readFolder = async ({ id, paths }: Awaited<ReturnType<typeof createFolder>>) => ({
    folder: await admin(api.getFolder, { params: { id } }),
    audits: await admin(api.listAudits, { params: { folderId: id } }),
    files: await Promise.all(paths.map(async (path) => (await admin.fetch(path)).status)),
  });
  const listLabels = async (client: TestClient) => (await client(api.listDeleted)).map(({ label }) => label);
  const restore = async (label: string) => admin(api.restoreDeleted, { params: { id: (await getDeletion(label)).id } });

  test('a restored audit is complete with its photo', async () => {
    const deletedFolder = await createFolder();
    const [id] = deletedFolder.audits;
    const before = await readFolder(deletedFolder);
    expect(before.files).toEqual([200, 200]);
    await manager(api.deleteAudit, { params: { id } });
    await expect(admin(api.getAudit, { params: { id } })).rejects.toMatchObject({ status: 404 });
    expect(await readFolder(deletedFolder)).toMatchObject({ folder: { audit_count: 1 }, files: [200, 404] });
    await restore(deletedFolder.title);
    expect(await readFolder(deletedFolder)).toEqual(before);
  });

  test('a folder is restored with its audits, and an audit only after its folder', async () => {
    const deletedFolder = await createFolder();
    const { id, name, title, audits, paths } = deletedFolder;
    const before = await readFolder(deletedFolder);
    await admin(api.deleteAudit, { params: { id: audits[0] } });
    await admin(api.deleteFolder, { params: { id } });
    for (const path of paths) expect((await admin.fetch(path)).status).toBe(404);
    await expect(restore(title)).rejects.toMatchObject({
      status: 409,
      message: `This audit's folder "${name}" is deleted. Restore the folder first.`,
    });
    await restore(name);
    expect((await readFolder(deletedFolder)).audits.map((audit) => audit.id)).toEqual([audits[1]]);
    await restore(title);
    expect(await readFolder(deletedFolder)).toEqual(before);
  });

  test('a deleted audit is purged after 30 days with its photo and its folder stays', async () => {
    const { id, title, audits, paths } = await createFolder();
    await admin(api.deleteAudit, { params: { id: audits[0] } });
    await getDeletion(title);
    now += 30 * days;
    await purge();
    expect(paths.map(isOnDisk)).toEqual([true, false]);
    expect((await admin(api.listAudits, { params: { folderId: id } })).map((audit) => audit.id)).toEqual([audits[1]]);
    const remainingAudits = await server.db.selectFrom('audits').where('folder_id', '=', id).select('id').execute();
    expect(remainingAudits).toEqual([{ id: audits[1] }]);
  });

  test('a deleted folder is purged with its audits and images, even those deleted before it', async () => {
    const { id, audits, paths } = await createFolder();
    const listNotifications = () =>
      server.db.selectFrom('notifications').where('thing_id', 'in', audits).selectAll().execute();
    await admin(api.updateAudit, { params: { id: audits[0] }, body: { data: { assignee: manager.username } } });
    expect(await listNotifications()).toHaveLength(1);
    await admin(api.deleteAudit, { params: { id: audits[0] } });
    await admin(api.deleteFolder, { params: { id } });
    expect(paths.map(isOnDisk)).toEqual([true, true]);
    now += 30 * days;
    expect(await purge()).toBe(2);
    expect(await server.db.selectFrom('audits').where('folder_id', '=', id).selectAll().execute()).toEqual([]);
    // What users were told about them has their titles.
    expect(await listNotifications()).toEqual([]);
    expect(await server.db.selectFrom('folders').where('id', '=', id).selectAll().execute()).toEqual([]);
    expect(paths.some(isOnDisk)).toBe(false);
  });

  test('a purge never removes a record that is not deleted, even if the list of deleted items names it', async () => {
    const { audits } = await createFolder();
    const record = { thing: 'audit', thing_id: audits[1], label: 'Gates', park: 'Lido Beach' } as const;
    await insertDeletion(server.db, { ...record, by: admin, now: clock() });
    now += 30 * days;
    expect(await purge()).toBe(1);
    expect((await admin(api.getAudit, { params: { id: audits[1] } })).id).toBe(audits[1]);
  });

  test('deleted items are neither purged nor counted while a backup pauses purges', async () => {
    const { paths } = await createDeletedReport();
    now += 30 * days;
    await withPurgesPaused(server.db, clock(), async () => {
      expect(await purge()).toBe(0);
      expect(paths.every(isOnDisk)).toBe(true);
    });
    expect(await purge()).toBe(1);
    expect(paths.some(isOnDisk)).toBe(false);
  });

  test('a purge deletes rows before files, so an interruption leaves no row without its file', async () => {
    const { id, paths } = await createDeletedReport();
    now += 30 * days;
    const seenIds: number[] = [];
    const files = await openDiskStore(join(server.folder, 'uploads'), { isInUse: true });
    const remove = async () => {
      const rows = await server.db.selectFrom('reports').where('id', '=', id).selectAll().execute();
      const uploads = await server.db.selectFrom('uploads').where('path', 'in', paths).selectAll().execute();
      seenIds.push(rows.length + uploads.length);
      throw new Error('the power fails');
    };
    await expect(
      purgeDeleted({ db: server.db, config: server.config, clock, files: { ...files, remove } }),
    ).rejects.toThrow('the power fails');
    expect(seenIds).toEqual([0]);
    expect(paths.every(isOnDisk)).toBe(true);
    expect(await admin(api.listDeleted)).toEqual([]);
  });

  test('a report is kept if a hold is created while its purge waits for another write', async () => {
    const { id, paths } = await createDeletedReport();
    now += 30 * days;
    const hold = { thing: 'report' as const, thing_id: id, reason: 'A claim is open', reviewOn: '2099-01-01' };
    const files = await openDiskStore(join(server.folder, 'uploads'), { isInUse: true });
    const db = new Proxy(server.db, {
      get(db, name) {
        const value = Reflect.get(db, name);
        if (name !== 'transaction') return typeof value === 'function' ? value.bind(db) : value;
        return () => ({
          async execute(work: Parameters<ReturnType<typeof db.transaction>['execute']>[0]) {
            await insertHold(db, hold, admin, clock());
            return db.transaction().execute(work);
          },
        });
      },
    });
    expect(await purgeDeleted({ db, config: server.config, clock, files })).toBe(0);
    expect(paths.every(isOnDisk)).toBe(true);
    await server.db.deleteFrom('holds').where('thing_id', '=', id).execute();
    expect(await purge()).toBe(1);
  });

  test('an Admin of one park sees no deleted items of another', async () => {
    const { id, name } = await createFolder();
    await admin(api.deleteFolder, { params: { id } });
    const deletion = await getDeletion(name);
    const sameParkAdmin = await server.as('Admin', 'Lido Beach');
    const otherParkAdmin = await server.as('Admin', 'Mounds');
    expect(await listLabels(sameParkAdmin)).toContain(name);
    expect(await listLabels(otherParkAdmin)).not.toContain(name);
    const params = { id: deletion.id };
    await expect(otherParkAdmin(api.restoreDeleted, { params })).rejects.toMatchObject({ status: 404 });
    await sameParkAdmin(api.restoreDeleted, { params });
  });

  test('a deleted report is kept but not listed until its legal period ends or an Admin releases it', async () => {
    const { id, number, paths } = await createDeletedReport({ isReleased: false });
    now += 30 * days;
    expect(await purge()).toBe(0);
    const deletion = await getDeletion(number);
    expect(deletion).toMatchObject({ kept_until: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/), isHeld: false });
    expect(await admin(api.listReports, { query: { q: number } })).toEqual([]);
    await expect(admin(api.restoreDeleted, { params: { id: deletion.id } })).rejects.toMatchObject({ status: 404 });
    expect(await listLabels(manager)).not.toContain(number);

    now = Date.parse(`${deletion.kept_until}T12:00:00Z`);
    expect(await purge()).toBe(0);
    now += days;
    expect(await purge()).toBe(1);
    expect(paths.some(isOnDisk)).toBe(false);
    expect(await server.db.selectFrom('reports').where('id', '=', id).selectAll().execute()).toEqual([]);
  });

  test('a hold keeps a deleted report even after an Admin has released it, and ends only when a user lifts it', async () => {
    const { id, number } = await createDeletedReport();
    const hold = { thing: 'report' as const, thing_id: number, reason: 'A claim is open', reviewOn: '2027-01-01' };
    const { id: holdId } = await admin(api.setHold, { body: hold });
    expect(await admin(api.listHolds)).toMatchObject([{ thing_id: id, label: number, reason: 'A claim is open' }]);
    now += 3000 * days;
    expect(await purge()).toBe(0);
    const deletion = await getDeletion(number);
    expect(deletion.isHeld).toBe(true);
    await expect(
      admin(api.releaseDeleted, { params: { id: deletion.id }, body: { reason: 'A duplicate' } }),
    ).rejects.toMatchObject({ status: 409, message: 'Held: A claim is open' });
    await admin(api.liftHold, { params: { id: holdId } });
    expect(await purge()).toBe(1);
    const log = await admin(api.listActivity, { query: { thing: 'report', limit: 10 } });
    expect(JSON.stringify(log)).not.toContain('claim is open');
  });
});
