import type { StoredMediaFile } from '#shared/uploads.ts';
import { insertRow, prepare } from '../db/prepared.ts';
import type { Database, Tables } from '../db/schema.ts';
import { HttpError } from '../errors/http-error.ts';

export type UploadRow = Tables['uploads'];
export type NewUpload = Omit<UploadRow, 'attached_to' | 'attached_id'>;
/** The record to which an upload is attached. */
export type UploadOwner = { attached_to: NonNullable<UploadRow['attached_to']>; attached_id: string };

/** Inserts an upload that is not attached to anything. */
export async function insertUpload(db: Database, upload: NewUpload): Promise<void> {
  await insertRow(db, 'uploads', { ...upload, attached_to: null, attached_id: null });
}

export const findUpload = async (db: Database, path: string): Promise<UploadRow | undefined> =>
  db.selectFrom('uploads').selectAll().where('path', '=', path).executeTakeFirst();

/** Returns the rows of those of these uploads that the user uploaded and has not attached to anything. */
export async function listUnattached(db: Database, paths: string[], userId: string): Promise<UploadRow[]> {
  if (paths.length === 0) return [];
  return db
    .selectFrom('uploads')
    .selectAll()
    .where('path', 'in', paths)
    .where('uploaded_by', '=', userId)
    .where('attached_id', 'is', null)
    .execute();
}

const selectUnattached = prepare((db, { userId }: { userId: string }) =>
  db
    .selectFrom('uploads')
    .select((eb) => [
      eb.fn.countAll<number>().as('files'),
      eb.fn.coalesce(eb.fn.sum<number>('size'), eb.lit(0)).as('bytes'),
    ])
    .where('uploaded_by', '=', userId)
    .where('attached_id', 'is', null),
);

/** Returns the number and bytes of a user's unattached uploads. */
export async function countUnattached(db: Database, userId: string): Promise<{ files: number; bytes: number }> {
  const [{ files, bytes } = { files: 0, bytes: 0 }] = await selectUnattached(db, { userId });
  return { files, bytes };
}

const selectUploadsSince = prepare((db, { userId, since }: { userId: string; since: string }) =>
  db
    .selectFrom('uploads')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('uploaded_by', '=', userId)
    .where('created_at', '>', since),
);

/** Returns the number of a user's uploads since a time. */
export async function countUploadsSince(db: Database, userId: string, since: Date): Promise<number> {
  const [{ count } = { count: 0 }] = await selectUploadsSince(db, { userId, since: since.toISOString() });
  return count;
}

/** A reference to an upload in a submitted record. */
export type NamedUpload = { path: string; sha256?: string | undefined };

const createFileUsedError = (path: string) =>
  new HttpError(409, 'A photo is missing or already used. Please add it again.', {
    code: 'FILE_USED',
    body: { file: path },
  });

/** Throws 409 if the file differs from what the device sent. */
function assertReceivedWhole({ path, sha256_received }: UploadRow, { sha256 = sha256_received }: NamedUpload) {
  if (sha256 !== sha256_received)
    throw new HttpError(409, 'A photo did not arrive completely. Please add it again.', {
      code: 'FILE_DIFFERENT',
      body: { file: path },
    });
}

/** Returns the paths; throws 409 if one is named twice. */
function listPaths(named: NamedUpload[]): string[] {
  const paths = named.map((file) => file.path);
  const repeatedPath = paths.find((path, index) => paths.indexOf(path) !== index);
  if (repeatedPath) throw createFileUsedError(repeatedPath);
  return paths;
}

/**
 * Attaches uploads to a record. Each must belong to the user, be unattached, named once, and match
 * the device's checksum if given; otherwise throws 409 and attaches none. Returns the rows in the
 * given order.
 */
export async function attachUploads(
  db: Database,
  named: NamedUpload[],
  userId: string,
  record: UploadOwner,
): Promise<UploadRow[]> {
  const paths = listPaths(named);
  if (paths.length === 0) return [];
  const attachedRows = await updateUnattached(db, { paths, userId, ...record });
  const rowsByPath = new Map(attachedRows.map((row) => [row.path, row]));
  return named.map((file) => {
    const row = rowsByPath.get(file.path);
    if (!row) throw createFileUsedError(file.path);
    assertReceivedWhole(row, file);
    return row;
  });
}

const updateUnattached = prepare(
  (db, { paths, userId, attached_to, attached_id }: UploadOwner & { paths: string[]; userId: string }) =>
    db
      .updateTable('uploads')
      .set({ attached_to, attached_id })
      .where('path', 'in', paths)
      .where('uploaded_by', '=', userId)
      .where('attached_id', 'is', null)
      .returningAll(),
);

/** Detaches uploads that their record no longer names; the cleanup of unused uploads deletes them. */
async function detachUploads(db: Database, paths: string[]): Promise<void> {
  if (paths.length === 0) return;
  await db.updateTable('uploads').set({ attached_to: null, attached_id: null }).where('path', 'in', paths).execute();
}

/**
 * Makes these exactly the record's uploads: keeps, attaches and detaches as needed. Returns the
 * rows in the given order; throws like `attachUploads`.
 */
export async function replaceAttachments(
  db: Database,
  named: NamedUpload[],
  userId: string,
  record: UploadOwner,
): Promise<UploadRow[]> {
  const paths = listPaths(named);
  const attachedRows = await listAttached(db, record.attached_to, [record.attached_id]);
  const isNew = ({ path }: NamedUpload) => !attachedRows.some((row) => row.path === path);
  const newUploads = await attachUploads(db, named.filter(isNew), userId, record);
  const droppedPaths = attachedRows.map((row) => row.path).filter((path) => !paths.includes(path));
  await detachUploads(db, droppedPaths);
  const rowsByPath = new Map([...attachedRows, ...newUploads].map((row) => [row.path, row]));
  return paths.map((path) => rowsByPath.get(path) as UploadRow);
}

/** Returns the uploads of these records, oldest first. */
export async function listAttached(db: Database, to: UploadOwner['attached_to'], ids: string[]): Promise<UploadRow[]> {
  if (ids.length === 0) return [];
  return db
    .selectFrom('uploads')
    .selectAll()
    .where('attached_to', '=', to)
    .where('attached_id', 'in', ids)
    .orderBy('created_at')
    .orderBy('path')
    .execute();
}

/**
 * Deletes the rows of the uploads of these owners and returns the paths; delete the files after the
 * commit.
 */
export async function deleteAttached(db: Database, owners: UploadOwner[]): Promise<string[]> {
  const paths: string[] = [];
  for (const { attached_to, attached_id } of owners) {
    const deletedRows = await db
      .deleteFrom('uploads')
      .where('attached_to', '=', attached_to)
      .where('attached_id', '=', attached_id)
      .returning('path')
      .execute();
    paths.push(...deletedRows.map((row) => row.path));
  }
  return paths;
}

/** Deletes the rows of these uploads and returns the paths; delete the files after the commit. */
export async function deleteUploadRows(db: Database, paths: string[]): Promise<string[]> {
  if (paths.length === 0) return [];
  const deletedRows = await db.deleteFrom('uploads').where('path', 'in', paths).returning('path').execute();
  return deletedRows.map(({ path }) => path);
}

/** Returns an upload as reports and audits list it, with the name the user gave it. */
export const toMediaFile = (row: UploadRow, name: string): StoredMediaFile => ({
  path: row.path,
  name: name || row.label,
  type: row.type,
  size: row.size,
  storageType: 'server',
  ...(row.cut_off === 1 && { cutOff: true }),
});

/**
 * Returns the paths of at most `limit` uploads that were created before a time (ISO 8601) and are
 * unattached.
 */
export async function listExpiredUnattached(db: Database, before: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('uploads')
    .select('path')
    .where('attached_id', 'is', null)
    .where('created_at', '<', before)
    .limit(limit)
    .execute();
  return rows.map((row) => row.path);
}

export async function deleteUnattached(db: Database, paths: string[]): Promise<string[]> {
  if (paths.length === 0) return [];
  const deletedRows = await db
    .deleteFrom('uploads')
    .where('path', 'in', paths)
    .where('attached_id', 'is', null)
    .returning('path')
    .execute();
  return deletedRows.map((row) => row.path);
}

export async function listExistingPaths(db: Database, paths: string[]): Promise<Set<string>> {
  if (paths.length === 0) return new Set();
  const rows = await db.selectFrom('uploads').select('path').where('path', 'in', paths).execute();
  return new Set(rows.map((row) => row.path));
}
