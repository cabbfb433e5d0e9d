import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { api } from '../../shared/api.ts';
import { createClock } from '../clock.ts';
import { openDisk } from '../files/store.ts';
import { newId } from '../ids.ts';
import { newReport, uploadPhoto } from '../testing/factories.ts';
import { type As, engines, startTestServer, type TestServer } from '../testing/server.ts';
import { purgeDeleted } from './bin.ts';
import { insertDeletion } from './store.ts';

const days = 24 * 60 * 60 * 1000;

describe.each(engines)('deleted things on %s', (engine) => {
  let server: TestServer;
  let admin: As;
  let manager: As;
  let now = Date.parse('2026-03-10T09:00:00Z');
  const clock = createClock(() => now);
  beforeAll(async () => {
    server = await startTestServer(
      engine,
      { REVIEWER_IDLE_MINUTES: '1000000', REVIEWER_SESSION_HOURS: '20000' },
      clock,
    );
    admin = await server.as('Admin');
    manager = await server.as('Health & Safety Manager');
  });
  afterAll(() => server.stop());

  const purge = async () =>
    purgeDeleted({ db: server.db, clock, files: await openDisk(join(server.folder, 'uploads'), { beside: true }) });
  const isOnDisk = (path: string) => existsSync(join(server.folder, path));
  const deletionOf = async (label: string) => {
    const found = (await admin(api.listDeleted)).find((deletion) => deletion.label === label);
    if (!found) throw new Error(`${label} is not among the deleted things`);
    return found;
  };

  async function deletedReport() {
    const body = await newReport(admin);
    const { id, number } = await admin(api.submitIncident, { body });
    const whole = await admin(api.getReport, { params: { id } });
    await manager(api.deleteReport, { params: { id } });
    const paths = [body.mediaFiles[0]?.path ?? '', body.signature.path, body.affectedUserSignature.path];
    return { id, number, whole, paths };
  }

  test('a report comes back whole, its photos included', async () => {
    const { id, number, whole, paths } = await deletedReport();
    await expect(admin(api.getReport, { params: { id } })).rejects.toMatchObject({ status: 404 });
    expect((await admin.fetch(paths[0] ?? '')).status).toBe(404);
    const deletion = await deletionOf(number);
    expect(deletion).toMatchObject({
      thing: 'report',
      deleted_by: manager.username,
      deleted_at: new Date(now).toISOString(),
      restorable_until: new Date(now + 30 * days).toISOString(),
    });
    await admin(api.restoreDeleted, { params: { id: deletion.id } });
    expect(await admin(api.getReport, { params: { id } })).toEqual(whole);
    expect((await admin(api.listReports, { query: { q: number } })).map((report) => report.id)).toEqual([id]);
    for (const path of paths) expect((await admin.fetch(path)).status).toBe(200);
    const [line] = await admin(api.listActivity, { query: { q: 'restored' } });
    expect(line).toMatchObject({ thing: 'report', thing_id: id, label: number, actor: admin.username });
    await expect(admin(api.restoreDeleted, { params: { id: deletion.id } })).rejects.toMatchObject({ status: 404 });
  });

  test('it can be restored for 30 days; then it is gone, rows and files, and its number is not given again', async () => {
    const { id, number, paths } = await deletedReport();
    const { id: deletionId } = await deletionOf(number);
    now += 30 * days - 1;
    expect(await purge()).toBe(0);
    await deletionOf(number);
    now += 1;
    expect(await admin(api.listDeleted)).toEqual([]);
    await expect(admin(api.restoreDeleted, { params: { id: deletionId } })).rejects.toMatchObject({ status: 404 });
    expect(paths.every(isOnDisk)).toBe(true);
    expect(await purge()).toBe(1);
    expect(paths.some(isOnDisk)).toBe(false);
    expect(await server.db.selectFrom('reports').where('id', '=', id).selectAll().execute()).toEqual([]);
    expect(await server.db.selectFrom('uploads').where('path', 'in', paths).selectAll().execute()).toEqual([]);
    const log = await admin(api.listActivity, { query: { thing: 'report', thing_id: id } });
    expect(log.map((line) => line.action)).toEqual(['removed for good', 'deleted', 'opened', 'filed']);
    const next = await deletedReport();
    expect(next.number).not.toBe(number);
    expect(await purge()).toBe(0);
  });

  test('a submission comes back, and goes for good with its signatures', async () => {
    const by = { id: admin.id, username: admin.username };
    const [checklist, submission] = [newId(), newId()];
    const at = new Date(now).toISOString();
    await server.db
      .insertInto('checklists')
      .values({ id: checklist, title: 'Pool', version: 1, created_at: at, updated_at: at, deletion_id: null })
      .execute();
    await server.db
      .insertInto('checklist_versions')
      .values({
        checklist_id: checklist,
        version: 1,
        title: 'Pool',
        sections: '[]',
        created_at: at,
        created_by: admin.id,
      })
      .execute();
    await server.db
      .insertInto('submissions')
      .values({
        id: submission,
        position: 1,
        number: 'CHK-2026-0001',
        checklist_id: checklist,
        checklist_version: 1,
        checklist_title: 'Pool',
        data: '{}',
        search_text: 'pool',
        submitted_at: at,
        submitted_by: admin.id,
        submitted_by_name: admin.username,
        deletion_id: null,
      })
      .execute();
    await server.db
      .insertInto('submission_signatures')
      .values({ submission_id: submission, section: 0, data_url: 'data:,' })
      .execute();
    const bin = async () => {
      const deletionId = await insertDeletion(server.db, {
        thing: 'submission',
        thing_id: submission,
        label: 'Pool',
        by,
        now: new Date(now),
      });
      await server.db
        .updateTable('submissions')
        .set({ deletion_id: deletionId })
        .where('id', '=', submission)
        .execute();
      return deletionId;
    };
    await admin(api.restoreDeleted, { params: { id: await bin() } });
    expect(await server.db.selectFrom('submissions').select('deletion_id').execute()).toEqual([{ deletion_id: null }]);
    await bin();
    now += 30 * days;
    await purge();
    expect(await server.db.selectFrom('submissions').selectAll().execute()).toEqual([]);
    expect(await server.db.selectFrom('submission_signatures').selectAll().execute()).toEqual([]);
    expect(await server.db.selectFrom('checklist_versions').selectAll().execute()).toHaveLength(1);
  });

  /** A folder in Lido Beach with a thumbnail and two audits, one with a photo. */
  async function folder() {
    const id = newId();
    const at = new Date(now).toISOString();
    const thumbnail = await uploadPhoto(admin);
    const photo = await uploadPhoto(admin);
    const name = `Pool ${randomUUID()}`;
    await server.db
      .insertInto('folders')
      .values({
        id,
        name,
        description: '',
        thumbnail,
        park: 'Lido Beach',
        version: 1,
        created_at: at,
        created_by: admin.id,
        deletion_id: null,
      })
      .execute();
    const audits = [newId(), newId()] as const;
    for (const audit of audits)
      await server.db
        .insertInto('audits')
        .values({
          id: audit,
          folder_id: id,
          title: 'Ladders',
          date: null,
          time: null,
          is_urgent: 0,
          completed: 0,
          completed_by: null,
          completed_at: null,
          data: '{}',
          version: 1,
          created_at: at,
          created_by: admin.id,
          deletion_id: null,
        })
        .execute();
    const attach = (path: string, attached_to: 'folder' | 'audit', attached_id: string) =>
      server.db.updateTable('uploads').set({ attached_to, attached_id }).where('path', '=', path).execute();
    await attach(thumbnail, 'folder', id);
    await attach(photo, 'audit', audits[0]);
    return { id, name, audits, paths: [thumbnail, photo] };
  }
  async function bin(thing: 'folder' | 'audit', id: string, label: string, audits: readonly string[]) {
    const by = { id: admin.id, username: admin.username };
    const deletion_id = await insertDeletion(server.db, {
      thing,
      thing_id: id,
      label,
      park: 'Lido Beach',
      by,
      now: new Date(now),
    });
    if (thing === 'folder') await server.db.updateTable('folders').set({ deletion_id }).where('id', '=', id).execute();
    await server.db
      .updateTable('audits')
      .set({ deletion_id })
      .where('id', 'in', [...audits])
      .where('deletion_id', 'is', null)
      .execute();
    return deletion_id;
  }
  const deletedAudits = async (folderId: string) =>
    (
      await server.db
        .selectFrom('audits')
        .where('folder_id', '=', folderId)
        .where('deletion_id', 'is not', null)
        .select('id')
        .execute()
    ).map(({ id }) => id);

  test('a folder comes back with exactly the audits that went with it, and an audit only once its folder is there', async () => {
    const { id, name, audits } = await folder();
    const audit = await bin('audit', audits[0], 'Ladders', [audits[0]]);
    now += 1000;
    const whole = await bin('folder', id, name, audits);
    await expect(admin(api.restoreDeleted, { params: { id: audit } })).rejects.toMatchObject({
      status: 409,
      message: `This audit's folder "${name}" is deleted. Restore the folder first.`,
    });
    await admin(api.restoreDeleted, { params: { id: whole } });
    expect(await deletedAudits(id)).toEqual([audits[0]]);
    await admin(api.restoreDeleted, { params: { id: audit } });
    expect(await deletedAudits(id)).toEqual([]);
  });

  test('a folder goes for good with its audits, pictures and all, even when one of them was deleted before', async () => {
    const { id, name, audits, paths } = await folder();
    await bin('audit', audits[0], 'Ladders', [audits[0]]);
    await bin('folder', id, name, audits);
    now += 30 * days;
    expect(await purge()).toBe(2);
    expect(await server.db.selectFrom('audits').where('folder_id', '=', id).selectAll().execute()).toEqual([]);
    expect(await server.db.selectFrom('folders').where('id', '=', id).selectAll().execute()).toEqual([]);
    expect(paths.some(isOnDisk)).toBe(false);
  });

  test("an Admin of one park sees nothing of another park's folders, in the bin either", async () => {
    const { id, name, audits } = await folder();
    const deletion = await bin('folder', id, name, audits);
    const there = await server.as('Admin', 'Lido Beach');
    const elsewhere = await server.as('Admin', 'Mounds');
    const labels = async (as: As) => (await as(api.listDeleted)).map(({ label }) => label);
    expect(await labels(there)).toContain(name);
    expect(await labels(elsewhere)).not.toContain(name);
    await expect(elsewhere(api.restoreDeleted, { params: { id: deletion } })).rejects.toMatchObject({ status: 404 });
    await there(api.restoreDeleted, { params: { id: deletion } });
  });
});
