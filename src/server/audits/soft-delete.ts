// Soft deletion of folders and audits.
import type { Database } from '../db/schema.ts';
import { HttpError } from '../errors/http-error.ts';

/** Throws 409 while the folder of this deletion's audit is deleted. */
export async function assertFolderOfAudit(db: Database, deletionId: string): Promise<void> {
  const deleted = await db
    .selectFrom('audits')
    .innerJoin('folders', 'folders.id', 'audits.folder_id')
    .select(['folders.name', 'folders.deletion_id'])
    .where('audits.deletion_id', '=', deletionId)
    .executeTakeFirst();
  if (deleted && deleted.deletion_id !== null)
    throw new HttpError(409, `This audit's folder "${deleted.name}" is deleted. Restore the folder first.`);
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
