// Unused uploads are deleted after their time; uploads that a record names are never deleted.
import { existsSync } from 'node:fs';
import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { openDiskStore } from '../files/store.ts';
import { getFilePath } from '../files/upload-path.ts';
import { newReport, uploadPhoto } from '../testing/factories.ts';
import { changeRows } from '../testing/rows.ts';
import { seedUploads } from '../testing/seed-reports.ts';
import { engines } from '../testing/server.ts';
import { createTestServer } from '../testing/test-server.ts';
import { deleteOrphanedPreviews, deleteUnusedUploads } from './unused-uploads.ts';

const hour = 3_600_000;

describe.each(engines)('cleanup of unused uploads on %s', (engine) => {
  const { server } = createTestServer(engine);
  const staff = server.user('None');

  const isStored = (path: string) => existsSync(join(server.folder, path));
  const hasRow = async (path: string) =>
    (await server.db.selectFrom('uploads').select('path').where('path', '=', path).execute()).length === 1;
  async function cleanUpAfterHours(hours: number) {
    const files = await openDiskStore(join(server.folder, 'uploads'), { isInUse: true });
    return deleteUnusedUploads({ db: server.db, files, clock: () => new Date(Date.now() + hours * hour) });
  }

  test('an unattached upload is deleted after 72 hours, an attached one never', async () => {
    const unattached = await uploadPhoto(staff);
    const body = await newReport(staff);
    const { id } = await staff(api.submitAccident, { body });
    const used = [body.mediaFiles[0]?.path ?? '', body.signature.path, body.affectedUserSignature.path];
    expect(await cleanUpAfterHours(71)).toEqual({ unattached: 0, orphaned: 0 });
    expect([isStored(unattached), await hasRow(unattached)]).toEqual([true, true]);
    expect(await cleanUpAfterHours(73)).toEqual({ unattached: 1, orphaned: 0 });
    expect([isStored(unattached), await hasRow(unattached)]).toEqual([false, false]);
    const reviewer = await server.as('Admin');
    await reviewer(api.deleteReport, { params: { id } });
    expect(await cleanUpAfterHours(10_000)).toEqual({ unattached: 0, orphaned: 0 });
    for (const path of used) expect([isStored(path), await hasRow(path)]).toEqual([true, true]);
  });

  test('a file without a database row is deleted after a day, and other files stay', async () => {
    const named = await uploadPhoto(staff);
    const folder = named.slice(0, named.lastIndexOf('/'));
    const [orphanedFile, recentFile, otherFile] = ['a', 'b']
      .map((letter) => `${folder}/${letter.repeat(26)}.jpg`)
      .concat(`${folder}/notes.txt`) as [string, string, string];
    for (const path of [orphanedFile, recentFile, otherFile]) await writeFile(join(server.folder, path), 'x');
    const yesterday = new Date(Date.now() - 25 * hour);
    for (const path of [orphanedFile, otherFile, named]) await utimes(join(server.folder, path), yesterday, yesterday);
    expect(await cleanUpAfterHours(0)).toEqual({ unattached: 0, orphaned: 1 });
    expect([orphanedFile, recentFile, otherFile, named].map(isStored)).toEqual([false, true, true, true]);
  });

  test('a preview is deleted with its upload', async () => {
    const [unattached, used] = [await uploadPhoto(staff), await uploadPhoto(staff)];
    await changeRows(server.db, 'uploads', { path: used }, { attached_to: 'report', attached_id: 'r1' });
    const previewStore = await openDiskStore(join(server.folder, 'previews'), { isInUse: true });
    const doPreviewsExist = () =>
      [unattached, used].map((photo) => existsSync(join(server.folder, 'previews', getFilePath(photo))));
    await expect.poll(doPreviewsExist, { timeout: 10_000 }).toEqual([true, true]);
    await cleanUpAfterHours(71);
    await deleteOrphanedPreviews(server.db, previewStore, new Date(Date.now() + 71 * hour));
    expect(doPreviewsExist()).toEqual([true, true]);
    await cleanUpAfterHours(73);
    await deleteOrphanedPreviews(server.db, previewStore, new Date(Date.now() + 73 * hour));
    expect(doPreviewsExist()).toEqual([false, true]);
  });

  test('a cleanup deletes more unused uploads than fit into one batch', async () => {
    const path = await uploadPhoto(staff);
    const other = await server.as('None');
    await seedUploads(server.db, 450, other.id);
    await changeRows(server.db, 'uploads', { uploaded_by: other.id }, { created_at: '2020-01-01T00:00:00.000Z' });
    expect((await cleanUpAfterHours(0)).unattached).toBe(450);
    expect(await hasRow(path)).toBe(true);
  });
});
