// Failing answers of a submission: notes, notifications, and the audits they create.
import { type Answers, formatAnswer } from '#shared/answers.ts';
import type { Api } from '#shared/api.ts';
import { addDays } from '#shared/calendar.ts';
import type { FailureRule, Section, StoredFailures } from '#shared/checklists.ts';
import type { parks } from '#shared/choices.ts';
import { getToday } from '#shared/dates.ts';
import { findFailureErrors, isFailing, listFailingIndexes } from '#shared/failing-answers.ts';
import { pluralise } from '#shared/pluralise.ts';
import type { MediaFile } from '#shared/uploads.ts';
import { createAuditByRule } from '../audits/create-by-rule.ts';
import type { LogActivity } from '../db/activity-log.ts';
import type { Database } from '../db/schema.ts';
import { HttpError } from '../errors/http-error.ts';
import type { HandlerContext } from '../http/handler-context.ts';
import { notify } from '../notifications/notify.ts';
import type { InsertCopies } from '../uploads/copy.ts';
import { attachUploads, listUnattached, toMediaFile, type UploadRow } from '../uploads/store.ts';

type FailingAnswer = {
  index: number;
  section: Section;
  answer: string;
  note: string;
  media: MediaFile[];
  storedFailure: StoredFailures[string];
};

/** Returns the failing answers with their notes and photos. Throws 400 if anything is missing. */
export function readFailures(
  body: HandlerContext<Api['submitChecklist']>['body'],
  { sections, answers, park }: { sections: Section[]; answers: Answers; park: string },
): FailingAnswer[] {
  const sentFailures = body.failures ?? {};
  const errors: Record<string, string> = {};
  for (const [key, message] of Object.entries(findFailureErrors(sections, answers, sentFailures)))
    errors[`failures.${key}`] = message;
  for (const key of Object.keys(sentFailures)) {
    const section = sections[Number(key)];
    if (!section || !isFailing(section, answers[key])) errors[`failures.${key}`] = 'This answer is not failing';
  }
  const failing = listFailingIndexes(sections, answers);
  const needsPark = failing.some((index) => sections[index]?.onFail?.audit);
  if (needsPark && park === '') errors.park = 'Choose the park';
  const [message] = Object.values(errors);
  if (message) throw new HttpError(400, message, { code: 'INVALID', fields: errors });

  return failing.map((index) => {
    const section = sections[index] as Section;
    const { note = '', mediaFiles: media = [] } = sentFailures[index] ?? {};
    const answer = formatAnswer(section, answers[index]);
    return { index, section, answer, note, media, storedFailure: { note, media_files: [] } };
  });
}

/**
 * Returns the photos of which the audits get copies. Those that the user may not attach are rejected
 * later, by `attachUploads`.
 */
export async function listPhotosToCopy(db: Database, failing: FailingAnswer[], userId: string): Promise<UploadRow[]> {
  const media = failing.flatMap((failure) => (failure.section.onFail?.audit ? failure.media : []));
  const paths = media.map(({ path }) => path);
  const photos = await listUnattached(db, paths, userId);
  return photos.toSorted((a, b) => paths.indexOf(a.path) - paths.indexOf(b.path));
}

/**
 * Returns the notes and photos of failing answers as they are stored, by section: without photos until
 * `processFailures` has attached them, which needs the id of the submission.
 */
export const toStoredFailures = (failing: FailingAnswer[]): StoredFailures =>
  Object.fromEntries(failing.map(({ index, storedFailure: stored }) => [index, stored]));

type Submitted = {
  id: string;
  number: string;
  park: string;
  by: { id: string; username: string };
  now: Date;
  insertCopies: InsertCopies;
};

/** In the submission's transaction: attaches photos to it, creates the audits and notifies the park's reviewers. */
export async function processFailures(
  db: Database,
  logActivity: LogActivity,
  failing: FailingAnswer[],
  submitted: Submitted,
): Promise<void> {
  if (failing.length === 0) return;
  const { id, number, park, by, now } = submitted;
  const media = failing.flatMap((failure) => failure.media);
  const uploads = await attachUploads(db, media, by.id, { attached_to: 'submission', attached_id: id });
  const rows = new Map(uploads.map((upload) => [upload.path, upload]));
  for (const { media, storedFailure: stored } of failing)
    for (const { path, name } of media) {
      const row = rows.get(path);
      if (row) stored.media_files.push(toMediaFile(row, name));
    }
  if (media.length > 0)
    await db
      .updateTable('submissions')
      .set({ failure_notes: JSON.stringify(toStoredFailures(failing)) })
      .where('id', '=', id)
      .execute();
  for (const failure of failing)
    if (failure.section.onFail?.audit)
      await createFailureAudit(db, logActivity, failure, failure.section.onFail.audit, submitted);
  const answers = pluralise(failing.length, 'failing answer');
  const line = `Checklist ${number}${park && ` at ${park}`} has ${answers}`;
  await notify(db, now, {
    kind: 'failingAnswers',
    to: { reviewersOf: park },
    thing: 'submission',
    thing_id: id,
    park,
    text: line,
    line,
    link: `/admin?tab=submissions&submission=${id}`,
    // Sent in one message with the urgent audits that it created.
    isUrgent: failing.some(({ section }) => section.onFail?.audit?.urgent),
  });
}

async function createFailureAudit(
  db: Database,
  logActivity: LogActivity,
  { index, section, answer, note, media }: FailingAnswer,
  { urgent, days, assignees }: NonNullable<FailureRule['audit']>,
  { id, number, park, by, now, insertCopies }: Submitted,
): Promise<void> {
  const copies = await insertCopies(
    db,
    media.map(({ path }) => path),
  );
  await createAuditByRule(db, logActivity, {
    ...{ park, by, now, setting: 'assignee_id', chosenAssignee: assignees[park as (typeof parks)[number]] },
    folder: 'checks',
    title: section.title,
    location: '',
    description: `Answer: ${answer}\n${note}`,
    is_urgent: urgent,
    date: addDays(getToday(now), days),
    captured_at: null,
    media: copies.map(({ path }) => ({ path, name: '' })),
    source: { thing: 'submission', id, label: number, section: index },
  });
}
