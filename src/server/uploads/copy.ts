// Copies photos of one record for another: each copy has its own row and file, with the access and
// lifetime of the new record.
import { extname } from 'node:path';
import type { Database } from '../db/schema.ts';
import { newFilePath } from '../files/store.ts';
import { getFilePath, uploadsFolder } from '../files/upload-path.ts';
import type { Services } from '../http/handler-context.ts';
import { insertUpload, listAttached, type NamedUpload, type RecordWithUploads, type UploadRow } from './store.ts';
import type { NewUpload } from './store-image.ts';

export type Copy = NewUpload & { copyOf: string };

/** Copies the files of these photos of a record. Ignores photos that the record does not have. */
export async function copyFiles(
  services: Pick<Services, 'db' | 'files' | 'previews'>,
  record: RecordWithUploads,
  paths: string[],
  userId: string,
  now: Date,
): Promise<Copy[]> {
  if (paths.length === 0) return [];
  const rows = await listAttached(services.db, record.attached_to, [record.attached_id]);
  return copyUploads(
    services,
    rows.filter(({ path }) => paths.includes(path)),
    userId,
    now,
  );
}

/**
 * Writes the files before the transaction. If the transaction fails, the cleanup of unused uploads
 * deletes them.
 */
export async function copyUploads(
  { files, previews }: Pick<Services, 'files' | 'previews'>,
  rows: UploadRow[],
  userId: string,
  now: Date,
): Promise<Copy[]> {
  const copies: Copy[] = [];
  for (const row of rows) {
    const { path } = row;
    const bytes = await files.read(getFilePath(path));
    if (!bytes) continue;
    const to = newFilePath(extname(path).slice(1) as 'jpg', now);
    await files.write(to, bytes);
    const copy = `${uploadsFolder}${to}`;
    previews.schedulePreview(copy);
    const { attached_to: _, attached_id: __, ...upload } = row;
    copies.push({ ...upload, path: copy, uploaded_by: userId, created_at: now.toISOString(), copyOf: path });
  }
  return copies;
}

/** Inserts the rows of the copies; attach them to the new record in the same transaction. */
export async function insertCopies(db: Database, copies: Copy[]): Promise<(NamedUpload & { name: string })[]> {
  for (const { copyOf: _, ...upload } of copies) await insertUpload(db, upload);
  return copies.map(({ path, label }) => ({ path, name: label }));
}
