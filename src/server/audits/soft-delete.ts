// Soft deletion of folders and audits: delete, restore and purge.
import type { Database } from '../db/schema.ts';
import { HttpError } from '../errors/http-error.ts';
import type { UploadOwner } from '../uploads/store.ts';
import { deleteNotesOf } from './notes.ts';

/** Marks an audit as deleted. */
export async function deleteAudit(db: Database, id: string, deletionId: string): Promise<void> {
  await db
    .updateTable('audits')
    .set({ deletion_id: deletionId })
    .where('id', '=', id)
    .where('deletion_id', 'is', null)
    .execute();
}

/** Restores the audit of this deletion. Throws 409 while its folder is deleted. */
export async function restoreAudit(db: Database, deletionId: string): Promise<void> {
  const deleted = await db
    .selectFrom('audits')
    .innerJoin('folders', 'folders.id', 'audits.folder_id')
    .select(['folders.name', 'folders.deletion_id'])
    .where('audits.deletion_id', '=', deletionId)
    .executeTakeFirst();
  if (deleted && deleted.deletion_id !== null)
    throw new HttpError(409, `This audit's folder "${deleted.name}" is deleted. Restore the folder first.`);
  await db.updateTable('audits').set({ deletion_id: null }).where('deletion_id', '=', deletionId).execute();
}

/** Permanently deletes the audit of this deletion; returns the records that may have uploads. */
export async function purgeAudit(db: Database, deletionId: string): Promise<UploadOwner[]> {
  const deletedAudits = await db.deleteFrom('audits').where('deletion_id', '=', deletionId).returning('id').execute();
  const notes = await deleteNotesOf(
    db,
    deletedAudits.map(({ id }) => id),
  );
  return [
    ...notes,
    ...deletedAudits.map(({ id }) => ({ attached_to: 'audit', attached_id: id }) as const),
    ...(await deleteLessonsWithoutAudits(db)),
  ];
}

/** Permanently deletes lessons of which no audit is left; returns the records that may have uploads. */
export async function deleteLessonsWithoutAudits(db: Database): Promise<UploadOwner[]> {
  const lessons = await db
    .deleteFrom('lessons')
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('audits').select('audits.id').whereRef('audits.source_id', '=', 'lessons.id'))),
    )
    .returning('id')
    .execute();
  return lessons.map(({ id }) => ({ attached_to: 'lesson', attached_id: id }));
}

/** Marks a folder and its audits as deleted together; returns the number of audits. */
export async function deleteFolder(db: Database, id: string, deletionId: string): Promise<number> {
  await db.updateTable('folders').set({ deletion_id: deletionId }).where('id', '=', id).execute();
  const { numUpdatedRows } = await db
    .updateTable('audits')
    .set({ deletion_id: deletionId })
    .where('folder_id', '=', id)
    .where('deletion_id', 'is', null)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Restores the folder of this deletion and exactly the audits deleted with it. */
export async function restoreFolder(db: Database, deletionId: string): Promise<void> {
  await db.updateTable('folders').set({ deletion_id: null }).where('deletion_id', '=', deletionId).execute();
  await db.updateTable('audits').set({ deletion_id: null }).where('deletion_id', '=', deletionId).execute();
}

/**
 * Permanently deletes the folder of this deletion and its audits; returns the records that may have
 * uploads.
 */
export async function purgeFolder(db: Database, deletionId: string): Promise<UploadOwner[]> {
  const folder = db.selectFrom('folders').select('id').where('deletion_id', '=', deletionId);
  const audits = await db.deleteFrom('audits').where('folder_id', 'in', folder).returning('id').execute();
  const notes = await deleteNotesOf(
    db,
    audits.map(({ id }) => id),
  );
  const deletedFolders = await db.deleteFrom('folders').where('deletion_id', '=', deletionId).returning('id').execute();
  return [
    ...notes,
    ...audits.map(({ id }) => ({ attached_to: 'audit', attached_id: id }) as const),
    ...deletedFolders.map(({ id }) => ({ attached_to: 'folder', attached_id: id }) as const),
    ...(await deleteLessonsWithoutAudits(db)),
  ];
}
