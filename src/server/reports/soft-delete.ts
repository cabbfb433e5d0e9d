// Reports in the bin: how they get there, how they come back, and how they go for good.
import type { Database } from '../db/schema.ts';
import type { Owner } from '../uploads/store.ts';

/** Moves a report to the bin. */
export async function deleteReport(db: Database, id: string, deletionId: string): Promise<void> {
  await db
    .updateTable('reports')
    .set({ deletion_id: deletionId })
    .where('id', '=', id)
    .where('deletion_id', 'is', null)
    .execute();
}

/** Takes the report of this deletion out of the bin again. */
export async function restoreReport(db: Database, deletionId: string): Promise<void> {
  await db.updateTable('reports').set({ deletion_id: null }).where('deletion_id', '=', deletionId).execute();
}

/** Removes the report of this deletion for good, and gives what it held files as. */
export async function purgeReport(db: Database, deletionId: string): Promise<Owner[]> {
  const gone = await db.deleteFrom('reports').where('deletion_id', '=', deletionId).returning('id').execute();
  return gone.map(({ id }) => ({ attached_to: 'report', attached_id: id }));
}
