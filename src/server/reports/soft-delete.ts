// Soft deletion of reports: delete, restore and purge.
import type { Database } from '../db/schema.ts';
import { deleteAssessments } from '../law/store.ts';
import type { UploadOwner } from '../uploads/store.ts';

/** Marks a report as deleted. */
export async function deleteReport(db: Database, id: string, deletionId: string): Promise<void> {
  await db
    .updateTable('reports')
    .set({ deletion_id: deletionId })
    .where('id', '=', id)
    .where('deletion_id', 'is', null)
    .execute();
}

/** Restores the report of this deletion. */
export async function restoreReport(db: Database, deletionId: string): Promise<void> {
  await db.updateTable('reports').set({ deletion_id: null }).where('deletion_id', '=', deletionId).execute();
  await db.deleteFrom('releases').where('deletion_id', '=', deletionId).execute();
}

/** Permanently deletes the report of this deletion; returns the record, which may have uploads. */
export async function purgeReport(db: Database, deletionId: string): Promise<UploadOwner[]> {
  const deletedRows = await db.deleteFrom('reports').where('deletion_id', '=', deletionId).returning('id').execute();
  await deleteAssessments(
    db,
    deletedRows.map(({ id }) => id),
  );
  await db.deleteFrom('releases').where('deletion_id', '=', deletionId).execute();
  return deletedRows.map(({ id }) => ({ attached_to: 'report', attached_id: id }));
}
