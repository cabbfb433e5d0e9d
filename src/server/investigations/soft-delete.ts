// Soft deletion of investigations: restore and purge. Their actions are audits and stay.
import type { Database } from '../db/schema.ts';
import { HttpError } from '../errors/http-error.ts';
import type { UploadOwner } from '../uploads/store.ts';
import { deleteInvestigation, findInvestigationOf } from './store.ts';

/** Restores the investigation of this deletion. Throws 409 if another one covers one of its records. */
export async function restoreInvestigation(db: Database, deletionId: string): Promise<void> {
  const records = await db
    .selectFrom('investigation_records')
    .innerJoin('investigations', 'investigations.id', 'investigation_records.investigation_id')
    .select('investigation_records.thing_id')
    .where('investigations.deletion_id', '=', deletionId)
    .execute();
  for (const { thing_id } of records) {
    const other = await findInvestigationOf(db, thing_id);
    if (other) throw new HttpError(409, `${other.number} covers the same record now`);
  }
  await db.updateTable('investigations').set({ deletion_id: null }).where('deletion_id', '=', deletionId).execute();
}

/** Permanently deletes the investigation of this deletion; returns the records that may have uploads. */
export async function purgeInvestigation(db: Database, deletionId: string): Promise<UploadOwner[]> {
  const row = await db
    .selectFrom('investigations')
    .select('id')
    .where('deletion_id', '=', deletionId)
    .executeTakeFirst();
  return row ? deleteInvestigation(db, row.id) : [];
}
