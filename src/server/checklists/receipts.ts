// Receipts: what has become of a checklist that a user has submitted.
import { canSeePark, type Viewer } from '#shared/access.ts';
import { findNextPlace } from '#shared/schedules/next-place.ts';
import { receiptHours, type SubmissionReceipt } from '#shared/schedules/results.ts';
import { listAuditsCreatedFrom } from '../audits/store.ts';
import { findsRow } from '../db/queries.ts';
import type { Database } from '../db/schema.ts';
import { findPlacesOf } from '../places/links/place-links.ts';
import { listReadiness } from '../schedules/readiness.ts';
import { listDueChecks } from '../schedules/store.ts';

/** Returns the receipt of a submission of the last hours, if it is the user's own. */
export async function findReceipt(
  db: Database,
  user: Viewer & { id: string },
  id: string,
  now: Date,
): Promise<SubmissionReceipt | undefined> {
  const submission = await db
    .selectFrom('submissions')
    .select(['number', 'checklist_id', 'park', 'failures', 'submitted_at', 'filled_in_at'])
    .where('id', '=', id)
    .where('submitted_by', '=', user.id)
    .where('submitted_at', '>', new Date(now.getTime() - receiptHours * 60 * 60_000).toISOString())
    .where('deletion_id', 'is', null)
    .executeTakeFirst();
  if (!submission) return undefined;
  const { number, park, failures: failing } = submission;
  const place = (await findPlacesOf(db, user, [id])).get(id) ?? null;
  const audits = await listAuditsCreatedFrom(db, user, 'submission', id);
  const receipt = {
    ...{ number, failing, place },
    audits: audits.filter(({ deleted_at }) => deleted_at === null).map(({ id, title }) => ({ id, title })),
    told: await wereReviewersTold(db, id, submission.submitted_at),
  };
  if (!place || !canSeePark(user, park)) return { ...receipt, ready: null, next: null };
  const shown = { parks: [park] };
  const [ready = null] = await listReadiness(db, user, shown, now, place.id);
  const last = { checklistId: submission.checklist_id, placeId: place.id, park, at: submission.filled_in_at };
  const next = findNextPlace(await listDueChecks(db, shown, now), last, []) ?? null;
  return { ...receipt, ready, next };
}

/** Notifications are found by their time, which has an index: that of the submission. */
const wereReviewersTold = (db: Database, id: string, submittedAt: string): Promise<boolean> =>
  findsRow(
    db
      .selectFrom('notifications')
      .where('created_at', '=', submittedAt)
      .where('thing', '=', 'submission')
      .where('thing_id', '=', id)
      .where('kind', '=', 'failingAnswers'),
  );
