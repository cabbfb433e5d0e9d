// Failing answers of a submission: notes, notifications, and the audits they create.
import { type Answers, formatAnswer } from '#shared/answers.ts';
import type { Api } from '#shared/api.ts';
import type { FailureRule, Failures, Section } from '#shared/checklists.ts';
import type { parks } from '#shared/choices.ts';
import { getToday } from '#shared/dates.ts';
import { findFailureErrors, isFailing, listFailingIndexes } from '#shared/failing-answers.ts';
import { pluralise } from '#shared/pluralise.ts';
import { fromDayNumber, toDayNumber } from '#shared/schedules/park-time.ts';
import type { MediaFile } from '#shared/uploads.ts';
import { insertFolder } from '../audits/folders.ts';
import { notifyOfAudit } from '../audits/notices.ts';
import { insertAudit } from '../audits/store.ts';
import type { ActivityEntry } from '../db/activity-log.ts';
import type { Database } from '../db/schema.ts';
import { findPerson } from '../db/user-names.ts';
import { HttpError } from '../errors/http-error.ts';
import type { HandlerContext } from '../http/handler-context.ts';
import { newId } from '../ids.ts';
import { notify } from '../notifications/notify.ts';
import { findParkAssignee } from '../parks/settings.ts';
import type { InsertCopies } from '../uploads/copy.ts';
import { attachUploads, listUnattached, toMediaFile, type UploadRow } from '../uploads/store.ts';

/** The name of the folder in each park for audits that failing answers create. */
export const checksFolderName = 'From checks';

type FailingAnswers = {
  index: number;
  section: Section;
  answer: string;
  note: string;
  media: MediaFile[];
  storedFailure: Failures[string];
};

/** Returns the failing answers with their notes and photos. Throws 400 if anything is missing. */
export function readFailures(
  body: HandlerContext<Api['submitChecklist']>['body'],
  { sections, answers, park }: { sections: Section[]; answers: Answers; park: string },
): FailingAnswers[] {
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
export async function listPhotosToCopy(db: Database, failing: FailingAnswers[], userId: string): Promise<UploadRow[]> {
  const media = failing.flatMap((failure) => (failure.section.onFail?.audit ? failure.media : []));
  const paths = media.map(({ path }) => path);
  const photos = await listUnattached(db, paths, userId);
  return photos.toSorted((a, b) => paths.indexOf(a.path) - paths.indexOf(b.path));
}

/**
 * Returns the failing answers as they are stored, without photos, which are attached once the
 * submission has an id.
 */
export const listNotes = (failing: FailingAnswers[]): Failures =>
  Object.fromEntries(failing.map(({ index, storedFailure: stored }) => [index, stored]));

type Submitted = {
  id: string;
  number: string;
  park: string;
  title: string;
  by: { id: string; username: string };
  now: Date;
  insertCopies: InsertCopies;
};

/**
 * Call in the submission's transaction: attaches the photos, creates the audits and notifies the
 * reviewers.
 */
export async function createFollowUpAudits(
  db: Database,
  logActivity: (entry: ActivityEntry) => void,
  failing: FailingAnswers[],
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
      .set({ failure_notes: JSON.stringify(listNotes(failing)) })
      .where('id', '=', id)
      .execute();
  for (const failure of failing)
    if (failure.section.onFail?.audit)
      await createAudit(db, logActivity, failure, failure.section.onFail.audit, submitted);
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

async function createAudit(
  db: Database,
  logActivity: (entry: ActivityEntry) => void,
  { index, section, answer, note, media }: FailingAnswers,
  { urgent, days, assignees }: NonNullable<FailureRule['audit']>,
  { id: submissionId, number, park, by, now, insertCopies }: Submitted,
): Promise<void> {
  const folder_id = await findOrCreateFolder(db, park, by, now);
  const id = newId();
  const copiedPaths = media.map(({ path }) => path);
  const named = await insertCopies(db, copiedPaths);
  const uploads = await attachUploads(db, named, by.id, { attached_to: 'audit', attached_id: id });
  const override = assignees[park as (typeof parks)[number]];
  const parkAssignee = override ? undefined : await findParkAssignee(db, park);
  const chosen = override || (parkAssignee?.username ?? '');
  const person = await findPerson(db, chosen, park);
  // Someone else may have the username of a deleted user.
  const assignee = parkAssignee && parkAssignee.id !== person?.id ? undefined : person;
  const audit = {
    id,
    folder_id,
    title: [...section.title].slice(0, 200).join(''),
    location: '',
    // Users who may not see the park are not assigned to audits there.
    assignee: assignee?.username ?? '',
    assignee_id: assignee?.id,
    description: `Answer: ${answer}\n${note}`,
    is_urgent: urgent,
    date: fromDayNumber(toDayNumber(getToday(now)) + days),
    time: null,
    completed: false,
    completed_by: null,
    completed_at: null,
    captured_at: null,
    media_files: uploads.map((upload) => toMediaFile(upload, '')),
    source: { thing: 'submission' as const, id: submissionId, label: number, section: index },
  };
  await insertAudit(db, { ...audit, by, now });
  logActivity({ action: 'created', thing: 'audit', thing_id: id, label: audit.title });
  // Submitters are notified of audits assigned to them, because the checklist chose the assignee.
  await notifyOfAudit(db, now, { after: { ...audit, folder: { park } }, by: { id: '' } });
  if (chosen && !assignee)
    await notify(db, now, {
      kind: 'failingAnswers',
      to: { reviewersOf: park },
      thing: 'audit',
      thing_id: id,
      park,
      text: `Audit at ${park} has no assignee, because ${chosen} may not see that park: ${audit.title}`,
      line: `Audit at ${park} has no assignee`,
      link: `/audit/${id}`,
    });
}

async function findOrCreateFolder(db: Database, park: string, by: { id: string }, now: Date): Promise<string> {
  const folder = await db
    .selectFrom('folders')
    .select('id')
    .where('park', '=', park)
    .where('name', '=', checksFolderName)
    .where('deletion_id', 'is', null)
    .orderBy('created_at')
    .executeTakeFirst();
  if (folder) return folder.id;
  const id = newId();
  const description = 'Audits created by failing answers of checklists.';
  await insertFolder(db, {
    id,
    name: checksFolderName,
    description,
    park: park as (typeof parks)[number],
    thumbnail: null,
    by,
    now,
  });
  return id;
}
