// Copies photos of one record for another: each copy has its own row and file, with the access and
// lifetime of the new record.
import { extname } from 'node:path';
import type { Database } from '../db/schema.ts';
import { newFilePath } from '../files/store.ts';
import { getFilePath, uploadsFolder } from '../files/upload-path.ts';
import type { Services } from '../http/handler-context.ts';
import { assertDailyUploadLimit } from './limits.ts';
import { insertUpload, type NamedUpload, type NewUpload, type UploadRow } from './store.ts';
import { removeFilesWithoutRows } from './store-image.ts';

/**
 * Inserts the rows of the copies of these photos; attach them to the new record in the same
 * transaction. Throws 429 beyond the user's limit of photos for one day.
 */
export type InsertCopies = (db: Database, copiedPaths: string[]) => Promise<(NamedUpload & { name: string })[]>;

type CopyContext = Pick<Services, 'db' | 'files' | 'previews' | 'space' | 'config'> & {
  user: { id: string };
  now: Date;
};

/**
 * Copies the files of these photos, then calls `store`, which inserts the rows in its transaction.
 * If that fails, the copies are deleted. A copy counts as one of the user's photos of the day.
 */
export async function withCopies<T>(
  context: CopyContext,
  photos: UploadRow[],
  store: (insertCopies: InsertCopies) => Promise<T>,
): Promise<T> {
  const { db, files, previews, user, now } = context;
  const copies: { copyOf: string; upload: NewUpload }[] = [];
  if (photos.length > 0) {
    await context.space.check('upload');
    await assertDailyUploadLimit(db, context, photos.length);
  }
  try {
    for (const { attached_to: _, attached_id: __, ...photo } of photos) {
      const bytes = await files.read(getFilePath(photo.path));
      if (!bytes) continue;
      const path = newFilePath(extname(photo.path).slice(1) as 'jpg', now);
      await files.write(path, bytes);
      const upload = { ...photo, path: `${uploadsFolder}${path}`, uploaded_by: user.id, created_at: now.toISOString() };
      copies.push({ copyOf: photo.path, upload });
    }
    const result = await store(async (db, copiedPaths) => {
      const uploads = copies.filter(({ copyOf }) => copiedPaths.includes(copyOf)).map(({ upload }) => upload);
      // Check again inside the transaction, in which no other photo can be inserted.
      if (uploads.length > 0) await assertDailyUploadLimit(db, context, uploads.length);
      for (const upload of uploads) await insertUpload(db, upload);
      return uploads.map(({ path, label }) => ({ path, name: label }));
    });
    for (const { upload } of copies) previews.schedulePreview(upload.path);
    return result;
  } catch (error) {
    const paths = copies.map(({ upload }) => getFilePath(upload.path));
    await removeFilesWithoutRows(files, paths, error);
    throw error;
  }
}
