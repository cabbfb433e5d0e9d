import type { Database } from '../db/schema.ts';

/** Marks a report as deleted. */
export async function deleteReport(db: Database, id: string, deletionId: string): Promise<void> {
  await db
    .updateTable('reports')
    .set({ deletion_id: deletionId })
    .where('id', '=', id)
    .where('deletion_id', 'is', null)
    .execute();
}
