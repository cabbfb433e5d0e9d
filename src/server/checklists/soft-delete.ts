// Soft deletion of submissions and checklists: delete and restore.
import type { Database } from '../db/schema.ts';
import { updateComingChecks } from '../schedules/due-checks.ts';
import { findPlaceOf, updateAnsweredChecks } from '../schedules/link-submissions.ts';
import { keepClosed } from '../schedules/readiness.ts';

/** Marks a submission as deleted. */
export async function deleteSubmission(db: Database, id: string, deletionId: string, now: Date): Promise<void> {
  const row = await db
    .selectFrom('submissions')
    .select(['id', 'number', 'checklist_id', 'park', 'filled_in_at'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (row) await changeDeletion(db, row, deletionId, { what: `${row.number} was deleted`, now });
}

/** Restores the submission of this deletion. */
export async function restoreSubmission(db: Database, deletionId: string, now: Date): Promise<void> {
  const row = await db
    .selectFrom('submissions')
    .select(['id', 'number', 'checklist_id', 'park', 'filled_in_at'])
    .where('deletion_id', '=', deletionId)
    .executeTakeFirst();
  if (row) await changeDeletion(db, row, null, { what: `${row.number} was restored`, now });
}

type ChangedSubmission = { id: string; checklist_id: string; park: string; filled_in_at: string };

async function changeDeletion(
  db: Database,
  submission: ChangedSubmission,
  deletion_id: string | null,
  change: { what: string; now: Date },
): Promise<void> {
  const { id, checklist_id } = submission;
  const scope = { checklist: checklist_id, places: [await findPlaceOf(db, id)] };
  await keepClosed(db, scope, change, async () => {
    await db.updateTable('submissions').set({ deletion_id }).where('id', '=', id).execute();
    await updateAnsweredChecks(db, submission);
  });
}

/** Marks a checklist as deleted. Its rows stay, because submissions refer to its versions. */
export const deleteChecklist = (db: Database, id: string, deletionId: string, now: Date): Promise<void> =>
  keepClosed(db, { checklist: id }, { what: 'A checklist was deleted', now }, async () => {
    await db.updateTable('checklists').set({ deletion_id: deletionId }).where('id', '=', id).execute();
    await updateComingChecks(db, { checklist_id: id }, now);
  });

/** Restores the checklist of this deletion, so that it can be filled in again. */
export async function restoreChecklist(db: Database, deletionId: string, now: Date): Promise<void> {
  const checklist = await db
    .selectFrom('checklists')
    .select('id')
    .where('deletion_id', '=', deletionId)
    .executeTakeFirst();
  if (!checklist) return;
  const { id } = checklist;
  await keepClosed(db, { checklist: id }, { what: 'The checklist was restored', now }, async () => {
    await db.updateTable('checklists').set({ deletion_id: null }).where('id', '=', id).execute();
    await updateComingChecks(db, { checklist_id: id }, now);
  });
}
