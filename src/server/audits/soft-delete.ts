// Folders and audits in the bin: how they get there, how they come back, and how they go for good.
import type { Database } from '../db/schema.ts';
import { HttpError } from '../errors/http-error.ts';
import type { Owner } from '../uploads/store.ts';

/** Moves an audit to the bin. */
export async function deleteAudit(db: Database, id: string, deletionId: string): Promise<void> {
  await db
    .updateTable('audits')
    .set({ deletion_id: deletionId })
    .where('id', '=', id)
    .where('deletion_id', 'is', null)
    .execute();
}

/** Brings back the audit that this deletion took. Refuses with 409 while its folder is in the bin. */
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

/** Removes the audit of this deletion for good, and gives what it held files as. */
export async function purgeAudit(db: Database, deletionId: string): Promise<Owner[]> {
  const gone = await db.deleteFrom('audits').where('deletion_id', '=', deletionId).returning('id').execute();
  return gone.map(({ id }) => ({ attached_to: 'audit', attached_id: id }));
}

/** Moves a folder and the audits in it to the bin, as one. Gives how many audits went with it. */
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

/** Brings back the folder that this deletion took, and exactly the audits that went with it. */
export async function restoreFolder(db: Database, deletionId: string): Promise<void> {
  await db.updateTable('folders').set({ deletion_id: null }).where('deletion_id', '=', deletionId).execute();
  await db.updateTable('audits').set({ deletion_id: null }).where('deletion_id', '=', deletionId).execute();
}

/** Removes the folder of this deletion and all that is in it for good, and gives what they held files as. */
export async function purgeFolder(db: Database, deletionId: string): Promise<Owner[]> {
  const folder = db.selectFrom('folders').select('id').where('deletion_id', '=', deletionId);
  const audits = await db.deleteFrom('audits').where('folder_id', 'in', folder).returning('id').execute();
  const gone = await db.deleteFrom('folders').where('deletion_id', '=', deletionId).returning('id').execute();
  return [
    ...audits.map(({ id }) => ({ attached_to: 'audit', attached_id: id }) as const),
    ...gone.map(({ id }) => ({ attached_to: 'folder', attached_id: id }) as const),
  ];
}
