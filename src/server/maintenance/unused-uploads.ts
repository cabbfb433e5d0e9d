// Deletes unused uploads: rows first, then files, so that no row names a missing file.
import { lockActivity } from '../db/activity-log.ts';
import { waitUntilDurable } from '../db/connect.ts';
import { deleteRepliesOf } from '../db/idempotency.ts';
import { arePurgesPaused } from '../db/purge-pause.ts';
import type { Database } from '../db/schema.ts';
import type { FileStore } from '../files/store.ts';
import { getFilePath, uploadsFolder } from '../files/upload-path.ts';
import type { Services } from '../http/handler-context.ts';
import { deleteUnattached, listExistingPaths, listExpiredUnattached } from '../uploads/store.ts';

const hours = 60 * 60 * 1000;
const unattachedMs = 72 * hours;
const orphanedMs = 24 * hours;
const batchSize = 200;

/**
 * Deletes uploads that were not attached within 72 hours, and files older than a day that have no
 * row. Returns the number of each.
 */
export async function deleteUnusedUploads({ db, files, clock }: Pick<Services, 'db' | 'files' | 'clock'>) {
  const now = clock().getTime();
  let unattached = 0;
  for (;;) {
    const paths = await listExpiredUnattached(db, new Date(now - unattachedMs).toISOString(), batchSize);
    const deletedUploads = await db.transaction().execute(async (db) => {
      await lockActivity(db);
      if (await arePurgesPaused(db, clock())) return [];
      const deletedPaths = await deleteUnattached(db, paths);
      await deleteRepliesOf(db, deletedPaths);
      return deletedPaths;
    });
    await waitUntilDurable(db);
    for (const path of deletedUploads) await files.remove(getFilePath(path));
    unattached += deletedUploads.length;
    if (paths.length < batchSize || deletedUploads.length === 0) break;
  }
  return { unattached, orphaned: await deleteOrphanedFiles(db, files, now - orphanedMs) };
}

export const deleteOrphanedPreviews = (db: Database, previews: FileStore, now: Date) =>
  deleteOrphanedFiles(db, previews, now.getTime());

/** Deletes files without a row that were last written before this time. Returns the count. */
async function deleteOrphanedFiles(db: Database, files: FileStore, writtenBefore: number): Promise<number> {
  let deletedCount = 0;
  let oldFiles: string[] = [];
  const deleteUnusedOfBatch = async () => {
    const existingPaths = await listExistingPaths(
      db,
      oldFiles.map((path) => uploadsFolder + path),
    );
    for (const path of oldFiles.filter((path) => !existingPaths.has(uploadsFolder + path))) {
      await files.remove(path);
      deletedCount += 1;
    }
    oldFiles = [];
  };
  for await (const file of files.list()) {
    if (file.modifiedAt.getTime() > writtenBefore) continue;
    oldFiles.push(file.path);
    if (oldFiles.length >= batchSize) await deleteUnusedOfBatch();
  }
  await deleteUnusedOfBatch();
  return deletedCount;
}
