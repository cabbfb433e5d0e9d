// Stores an uploaded image: re-encoded, written completely, and only then recorded as a row.

import { Replay } from '../db/idempotency.ts';
import { HttpError } from '../errors/http-error.ts';
import { isFullDisk } from '../files/disk-space.ts';
import type { ImageUse } from '../files/image-processor.ts';
import { newFilePath } from '../files/store.ts';
import { deleteTemporary } from '../files/temporary-files.ts';
import { uploadsFolder } from '../files/upload-path.ts';
import type { ReceivedFile, Services } from '../http/handler-context.ts';
import type { NewUpload } from './store.ts';

/**
 * Writes the image to a new file, then calls `insertRow` with the row to insert. If that fails, the
 * file is deleted. Throws what the image processor and `insertRow` throw.
 */
export async function storeImage<T>(
  { files, imageProcessor, previews }: Pick<Services, 'files' | 'imageProcessor' | 'previews'>,
  { file, use, userId, now }: { file: ReceivedFile; use: ImageUse; userId: string; now: Date },
  insertRow: (upload: NewUpload) => Promise<T>,
): Promise<T> {
  const image = await imageProcessor.process(file, use, userId);
  const path = newFilePath(image.ext, now);
  const upload = `${uploadsFolder}${path}`;
  try {
    await files.move(path, image.path, { isSynced: true });
    const insertedRow = await insertRow({
      path: upload,
      label: [...file.name.toWellFormed().replace(/\p{Cc}/gu, '')].slice(0, 255).join(''),
      type: image.type,
      size: image.size,
      blank: image.blank ? 1 : 0,
      cut_off: image.isCutOff ? 1 : 0,
      sha256_received: file.sha256,
      sha256_stored: image.sha256Stored,
      uploaded_by: userId,
      created_at: now.toISOString(),
    });
    if (image.preview) void previews.storePreview(upload, image.preview);
    return insertedRow;
  } catch (error) {
    await deleteTemporary(image.path, image.preview);
    await removeFilesWithoutRows(files, [path], error);
    throw error;
  }
}

/**
 * Deletes new files after an error, but only if there are certainly no rows. A commit whose result
 * was lost may have inserted them; otherwise the cleanup of unused uploads deletes the files.
 */
export async function removeFilesWithoutRows(files: Services['files'], paths: string[], error: unknown): Promise<void> {
  if (!(error instanceof HttpError || error instanceof Replay || isFullDisk(error))) return;
  for (const path of paths) await files.remove(path).catch(() => {});
}
