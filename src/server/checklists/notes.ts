// Notes and photos of answers of a submission. Failing ones create notifications and audits.
import { type Answers, findSection, formatAnswer } from '#shared/answers.ts';
import type { Api } from '#shared/api.ts';
import { addDays } from '#shared/calendar.ts';
import {
  type ChosenAudit,
  type FailureRule,
  type NotesRule,
  type Section,
  type StoredFailures,
  takesNotes,
} from '#shared/checklists.ts';
import { getToday } from '#shared/dates.ts';
import { findFailureErrors, listFailingIndexes } from '#shared/failing-answers.ts';
import { pluralise } from '#shared/pluralise.ts';
import { recordUrls } from '#shared/record-kinds.ts';
import { isShown } from '#shared/shown-questions.ts';
import type { MediaFile } from '#shared/uploads.ts';
import { createAuditByRule } from '../audits/create-by-rule.ts';
import type { LogActivity } from '../db/activity-log.ts';
import type { Database } from '../db/schema.ts';
import { HttpError } from '../errors/http-error.ts';
import type { HandlerContext } from '../http/handler-context.ts';
import { notify } from '../notifications/notify.ts';
import { linkToPlace } from '../places/links/place-links.ts';
import type { InsertCopies } from '../uploads/copy.ts';
import { attachUploads, listUnattached, toMediaFile, type UploadRow } from '../uploads/store.ts';
import { seesPark, toListItem } from '../user-parks.ts';

/** An answer that fails, or has a note or photos. */
type NotedAnswer = {
  index: number;
  section: Section;
  isFailing: boolean;
  answer: string;
  note: string;
  media: MediaFile[];
  chosen: ChosenAudit;
  stored: StoredFailures[string];
};

type SubmissionBody = HandlerContext<Api['submitChecklist']>['body'];

/**
 * Returns the answers that fail or have notes. Throws 400 if anything is missing, or if an answer does not take notes.
 * Leaves out notes of questions that are not shown.
 */
export function readNotes(
  body: SubmissionBody,
  {
    sections,
    notes: rule,
    answers,
    park,
  }: { sections: Section[]; notes?: NotesRule | undefined; answers: Answers; park: string },
): NotedAnswer[] {
  const { failures = {}, notes = {} } = body;
  const sent: NonNullable<SubmissionBody['notes']> = { ...failures, ...notes };
  const nameField = (key: string) =>
    `${Object.hasOwn(notes, key.split('.', 1)[0] as string) ? 'notes' : 'failures'}.${key}`;
  const failing = new Set(listFailingIndexes(sections, answers));
  const errors: Record<string, string> = {};
  for (const [key, message] of Object.entries(findFailureErrors(sections, answers, sent)))
    errors[nameField(key)] = message;
  const indexes = new Set(failing);
  for (const [key, { note, mediaFiles }] of Object.entries(sent)) {
    const index = Number(key);
    const section = findSection(sections, key);
    if (section && !isShown(sections, answers, index)) continue;
    if (Object.hasOwn(failures, key) && Object.hasOwn(notes, key))
      errors[`notes.${key}`] = 'The notes of this answer were sent twice';
    else if (!section || (!takesNotes(section, rule) && !failing.has(index)))
      errors[nameField(key)] = 'This answer is not failing';
    else if (note.trim() || mediaFiles.length > 0) indexes.add(index);
  }
  const needsPark = [...failing].some((index) => sections[index]?.onFail?.audit);
  if (needsPark && park === '') errors.park = 'Choose the park';
  const [message] = Object.values(errors);
  if (message) throw new HttpError(400, message, { code: 'INVALID', fields: errors });

  return [...indexes]
    .sort((a, b) => a - b)
    .map((index) => {
      const section = sections[index] as Section;
      const { note = '', mediaFiles: media = [], audit: chosen = {} } = sent[index] ?? {};
      const answer = formatAnswer(section, answers[index]);
      const stored = { note, media_files: [] };
      return { index, section, isFailing: failing.has(index), answer, note, media, chosen, stored };
    });
}

/** The rule for the audit that an answer creates; undefined if it creates none. */
const getAuditRule = ({ isFailing, section }: NotedAnswer) => (isFailing ? section.onFail?.audit : undefined);

/**
 * Returns the photos of which the audits get copies. Those that the user may not attach are rejected
 * later, by `attachUploads`.
 */
export async function listPhotosToCopy(db: Database, noted: NotedAnswer[], userId: string): Promise<UploadRow[]> {
  const media = noted.flatMap((answer) => (getAuditRule(answer) ? answer.media : []));
  const paths = media.map(({ path }) => path);
  const photos = await listUnattached(db, paths, userId);
  return photos.toSorted((a, b) => paths.indexOf(a.path) - paths.indexOf(b.path));
}

/**
 * Returns notes and photos as they are stored, by section: those of failing answers, and others. They are without
 * photos until `processNotes` has attached them, which needs the id of the submission.
 */
export function toStoredNotes(noted: NotedAnswer[]): { failures: StoredFailures; notes: StoredFailures } {
  const store = (wanted: boolean): StoredFailures =>
    Object.fromEntries(
      noted.flatMap(({ index, isFailing, stored }) => (isFailing === wanted ? [[index, stored]] : [])),
    );
  return { failures: store(true), notes: store(false) };
}

/** Returns the columns with these notes; null if there are none. */
export const toNoteColumns = (stored: ReturnType<typeof toStoredNotes>) => {
  const toColumn = (notes: StoredFailures) => (Object.keys(notes).length > 0 ? JSON.stringify(notes) : null);
  return { failure_notes: toColumn(stored.failures), notes: toColumn(stored.notes) };
};

type Submitted = {
  id: string;
  number: string;
  park: string;
  /** The place that was checked. */
  place: { id: string; name: string } | undefined;
  by: { id: string; username: string };
  now: Date;
  /** The day on which it was filled in. */
  day: string;
  insertCopies: InsertCopies;
};

/** In the submission's transaction: attaches photos to it, creates the audits and notifies the park's reviewers. */
export async function processNotes(
  db: Database,
  logActivity: LogActivity,
  noted: NotedAnswer[],
  submitted: Submitted,
): Promise<void> {
  const { id, number, park, by, now } = submitted;
  const media = noted.flatMap((answer) => answer.media);
  const uploads = await attachUploads(db, media, by.id, { attached_to: 'submission', attached_id: id });
  const rows = new Map(uploads.map((upload) => [upload.path, upload]));
  for (const { media, stored } of noted)
    for (const { path, name } of media) {
      const row = rows.get(path);
      if (row) stored.media_files.push(toMediaFile(row, name));
    }
  if (media.length > 0)
    await db
      .updateTable('submissions')
      .set(toNoteColumns(toStoredNotes(noted)))
      .where('id', '=', id)
      .execute();
  for (const answer of noted) {
    const rule = getAuditRule(answer);
    if (rule) await createFailureAudit(db, logActivity, answer, rule, submitted);
  }
  const failing = noted.filter(({ isFailing }) => isFailing);
  if (failing.length === 0) return;
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
    link: recordUrls.submission(id),
    // Sent in one message with the urgent audits that it created.
    isUrgent: failing.some(({ section }) => section.onFail?.audit?.urgent),
  });
}

async function createFailureAudit(
  db: Database,
  logActivity: LogActivity,
  { index, section, answer, note, media, chosen }: NotedAnswer,
  { urgent, days, assignees }: NonNullable<FailureRule['audit']>,
  { id, number, park, place, by, now, day, insertCopies }: Submitted,
): Promise<void> {
  const paths = media.map(({ path }) => path);
  const copies = await insertCopies(db, paths);
  const chosenAssignee = (await findChosenAssignee(db, chosen, park)) ?? assignees[park];
  const lastDay = addDays(getToday(now), days);
  const isDayLeft = chosen.date && chosen.date >= day && chosen.date <= lastDay;
  const auditId = await createAuditByRule(db, logActivity, {
    ...{ park, by, now, setting: 'assignee_id', chosenAssignee },
    folder: 'checks',
    title: section.title,
    location: place?.name ?? '',
    description: `Answer: ${answer}\n${note}`,
    is_urgent: urgent,
    date: isDayLeft ? (chosen.date as string) : lastDay,
    captured_at: null,
    media: copies.map(({ path }) => ({ path, name: '' })),
    source: { thing: 'submission', id, label: number, section: index },
  });
  await linkToPlace(db, place?.id, { thing: 'audit', thing_id: auditId, park, by, now });
}

/** Returns the username of the assignee who was chosen, unless they have left, or no longer see the park. */
async function findChosenAssignee(db: Database, { assigneeId }: ChosenAudit, park: string) {
  if (!assigneeId) return undefined;
  const user = await db
    .selectFrom('users')
    .select('username')
    .where('id', '=', assigneeId)
    .where('deleted_at', 'is', null)
    .where(seesPark(toListItem(park)))
    .executeTakeFirst();
  return user?.username;
}
