// Soft deletion of submissions and checklists: delete, restore and purge. Checklists are never purged.
import type { Database } from '../db/schema.ts';
import { removeUnopenedChecks, replaceComingChecks, updateAnsweredChecks } from '../schedules/due-checks.ts';
import type { UploadOwner } from '../uploads/store.ts';

/** Marks a submission as deleted. */
export async function deleteSubmission(db: Database, id: string, deletionId: string): Promise<void> {
  const row = await db
    .updateTable('submissions')
    .set({ deletion_id: deletionId })
    .where('id', '=', id)
    .returning(['checklist_id', 'park', 'submitted_at', 'captured_at'])
    .executeTakeFirst();
  if (row) await updateAnsweredChecks(db, row);
}

/** Restores the submission of this deletion. */
export async function restoreSubmission(db: Database, deletionId: string): Promise<void> {
  const row = await db
    .updateTable('submissions')
    .set({ deletion_id: null })
    .where('deletion_id', '=', deletionId)
    .returning(['checklist_id', 'park', 'submitted_at', 'captured_at'])
    .executeTakeFirst();
  if (row) await updateAnsweredChecks(db, row);
}

/**
 * Permanently deletes the submission of this deletion with its signatures, which are rows. Returns
 * the submission, which may have photos.
 */
export async function purgeSubmission(db: Database, deletionId: string): Promise<UploadOwner[]> {
  const ids = db.selectFrom('submissions').select('id').where('deletion_id', '=', deletionId);
  const submissions = await ids.execute();
  await db.deleteFrom('submission_signatures').where('submission_id', 'in', ids).execute();
  await db.deleteFrom('submissions').where('deletion_id', '=', deletionId).execute();
  return submissions.map(({ id }) => ({ attached_to: 'submission', attached_id: id }));
}

/** Marks a checklist as deleted. Its rows stay, because submissions refer to its versions. */
export async function deleteChecklist(db: Database, id: string, deletionId: string, now: Date): Promise<void> {
  await db.updateTable('checklists').set({ deletion_id: deletionId }).where('id', '=', id).execute();
  await removeUnopenedChecks(db, { checklist_id: id }, now);
}

/** Restores the checklist of this deletion, so that it can be filled in again. */
export async function restoreChecklist(db: Database, deletionId: string, now: Date): Promise<void> {
  const row = await db
    .updateTable('checklists')
    .set({ deletion_id: null })
    .where('deletion_id', '=', deletionId)
    .returning('id')
    .executeTakeFirst();
  if (row) await replaceComingChecks(db, { checklist_id: row.id }, now);
}
