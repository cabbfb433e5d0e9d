// Submissions in the bin: how they get there, how they come back, and how they go for good. A checklist that is deleted stays there.
import type { Database } from '../db/schema.ts';
import type { Owner } from '../uploads/store.ts';

/** Moves a submission to the bin. */
export async function deleteSubmission(db: Database, id: string, deletionId: string): Promise<void> {
  await db.updateTable('submissions').set({ deletion_id: deletionId }).where('id', '=', id).execute();
}

/** Takes the submission of this deletion out of the bin again. */
export async function restoreSubmission(db: Database, deletionId: string): Promise<void> {
  await db.updateTable('submissions').set({ deletion_id: null }).where('deletion_id', '=', deletionId).execute();
}

/** Removes the submission of this deletion for good. Its signatures are rows like itself: it holds no files. */
export async function purgeSubmission(db: Database, deletionId: string): Promise<Owner[]> {
  const ids = db.selectFrom('submissions').select('id').where('deletion_id', '=', deletionId);
  await db.deleteFrom('submission_signatures').where('submission_id', 'in', ids).execute();
  await db.deleteFrom('submissions').where('deletion_id', '=', deletionId).execute();
  return [];
}

/** For good, but never removed: what was submitted of it names it, and its versions are what was asked. */
export async function deleteChecklist(db: Database, id: string, deletionId: string): Promise<void> {
  await db.updateTable('checklists').set({ deletion_id: deletionId }).where('id', '=', id).execute();
}
