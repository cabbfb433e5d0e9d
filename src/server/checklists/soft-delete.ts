// Soft deletion of submissions and checklists: delete and restore.
import type { Database } from '../db/schema.ts';
import { updateComingChecks } from '../schedules/due-checks.ts';
import { findPlaceOf, updateAnsweredChecks } from '../schedules/link-submissions.ts';
import { keepClosed } from '../schedules/readiness.ts';

export const deleteSubmission = (db: Database, id: string, deletionId: string, now: Date): Promise<void> =>
  changeSubmission(db, { id }, deletionId, now);

export const restoreSubmission = (db: Database, deletion_id: string, now: Date): Promise<void> =>
  changeSubmission(db, { deletion_id }, null, now);

/** Marks a checklist as deleted. Its rows stay, because submissions refer to its versions. */
export const deleteChecklist = (db: Database, id: string, deletionId: string, now: Date): Promise<void> =>
  changeChecklist(db, { id }, deletionId, now);

/** Restores the checklist of this deletion, so that it can be filled in again. */
export const restoreChecklist = (db: Database, deletion_id: string, now: Date): Promise<void> =>
  changeChecklist(db, { deletion_id }, null, now);

type Found = { id: string } | { deletion_id: string };

async function changeSubmission(db: Database, found: Found, deletion_id: string | null, now: Date): Promise<void> {
  const row = await db
    .selectFrom('submissions')
    .select(['id', 'number', 'checklist_id', 'park', 'filled_in_at'])
    .where((eb) => eb.and(found))
    .executeTakeFirst();
  if (!row) return;
  const scope = { checklist: row.checklist_id, places: [await findPlaceOf(db, row.id)] };
  const what = `${row.number} was ${deletion_id ? 'deleted' : 'restored'}`;
  await keepClosed(db, scope, { what, now }, async () => {
    await db.updateTable('submissions').set({ deletion_id }).where('id', '=', row.id).execute();
    await updateAnsweredChecks(db, row);
  });
}

async function changeChecklist(db: Database, found: Found, deletion_id: string | null, now: Date): Promise<void> {
  const checklist = await db
    .selectFrom('checklists')
    .select('id')
    .where((eb) => eb.and(found))
    .executeTakeFirst();
  if (!checklist) return;
  const { id } = checklist;
  const what = deletion_id ? 'A checklist was deleted' : 'The checklist was restored';
  await keepClosed(db, { checklist: id }, { what, now }, async () => {
    await db.updateTable('checklists').set({ deletion_id }).where('id', '=', id).execute();
    await updateComingChecks(db, { checklist_id: id }, now);
  });
}
