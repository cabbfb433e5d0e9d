import { canSeePark, getFirstPark, type ParkViewer } from '#shared/access.ts';
import { checkAnswers, findAnsweredPark, missingFieldsMessage, requiredMessage } from '#shared/answers.ts';
import type { Api } from '#shared/api.ts';
import type { LinkedAudit } from '#shared/audits.ts';
import { type Checklist, haveFirstTypes } from '#shared/checklists.ts';
import { getCapturedAt } from '#shared/date-schemas.ts';
import { getToday } from '#shared/dates.ts';
import { canFail } from '#shared/failing-answers.ts';
import { recordUrls } from '#shared/record-kinds.ts';
import { getDeviceTime } from '#shared/schedules/check-state.ts';
import { listAuditsCreatedFrom } from '../audits/store.ts';
import { diffFields } from '../db/diff-fields.ts';
import { findsRow } from '../db/queries.ts';
import type { Database } from '../db/schema.ts';
import { deleteRecord } from '../deletions/bin/deletions.ts';
import { createFieldError, HttpError, required } from '../errors/http-error.ts';
import type { HandlerContext, Handlers } from '../http/handler-context.ts';
import { createNameFinder, type NameFinder } from '../names/user-names.ts';
import { notify } from '../notifications/notify.ts';
import { markClosed } from '../parks/closed-periods.ts';
import { createPdfFileName } from '../pdf/file-name.ts';
import { findPlacesOf, followPlace } from '../places/links/place-links.ts';
import { selectActiveSchedules } from '../schedules/stored-schedules.ts';
import { type InsertCopies, withCopies } from '../uploads/copy.ts';
import { readImages } from '../uploads/read.ts';
import { toReload, withFirstSections, withFirstTypes } from './first-types.ts';
import { findLastResult } from './last-results.ts';
import { listPhotosToCopy, processNotes, readNotes, toStoredNotes } from './notes.ts';
import { createSubmissionPdf } from './pdf.ts';
import { findAnsweredPeople } from './people.ts';
import { findReceipt } from './receipts.ts';
import { describeSectionChanges } from './section-changes.ts';
import { processSignatures } from './signatures.ts';
import { deleteChecklist, deleteSubmission } from './soft-delete.ts';
import { findChecklist, findVersion, insertChecklist, listChecklists, updateChecklist } from './store.ts';
import {
  findSubmission,
  insertSubmission,
  listSubmissionsAsJson,
  listSubmissionTitles,
  readSubmissionsAsJson,
} from './submissions.ts';

/** Leaves out the assignees at parks that the viewer does not see. */
const withoutOtherParks = (checklist: Checklist, viewer: ParkViewer): Checklist => ({
  ...checklist,
  sections: checklist.sections.map((section) => {
    const { onFail } = section;
    if (!onFail?.audit) return section;
    const ownAssignees = Object.entries(onFail.audit.assignees).filter(([park]) => canSeePark(viewer, park));
    return {
      ...section,
      onFail: { ...onFail, audit: { ...onFail.audit, assignees: Object.fromEntries(ownAssignees) } },
    };
  }),
});

const replaceUsernames = (audit: LinkedAudit, getName: NameFinder): LinkedAudit => ({
  ...audit,
  completed_by: getName(audit.completed_by),
  deleted_by: getName(audit.deleted_by),
});

export const checklistHandlers = {
  async listChecklists({ db, user, knowsNewTypes }) {
    const all = await listChecklists(db);
    const checklists = knowsNewTypes ? all : all.map(toReload);
    return user.role === 'None' ? checklists.map((checklist) => withoutOtherParks(checklist, user)) : checklists;
  },
  submitChecklist: submit,
  getSubmissionReceipt: async ({ db, params, user, now }) =>
    required(await findReceipt(db, user, params.id, now), 'Submitted checklist not found'),
  getLastResult: ({ db, params, query, user }) => findLastResult(db, user, params.id, query),

  createChecklist: ({ body, user, now, writeTransaction }) =>
    writeTransaction(async (db, logActivity) => {
      const id = await insertChecklist(db, body, user.id, now);
      logActivity({ action: 'created', thing: 'checklist', thing_id: id, label: body.title });
      return { success: true, id };
    }),

  updateChecklist: ({ params, body, user, now, knowsNewTypes, writeTransaction }) =>
    writeTransaction(async (db, logActivity) => {
      const current = await requireChecklist(db, params.id);
      // It did not get the questions, so it would remove them.
      if (!knowsNewTypes && !haveFirstTypes(current.sections))
        throw new HttpError(409, 'This checklist has questions of other types. Reload the page to change it.', {
          code: 'STALE',
        });
      if (body.version !== undefined && body.version !== current.version)
        throw new HttpError(409, 'Someone else has changed this checklist', {
          body: { current },
        });
      const version = current.version + 1;
      const notes = body.notes ?? current.notes;
      if (current.sections.some(canFail) && !body.sections.some(canFail)) await assertOpensNothing(db, current.id);
      await updateChecklist(db, { ...body, id: current.id, version, notes }, user.id, now);
      logActivity({
        action: 'changed',
        thing: 'checklist',
        thing_id: current.id,
        label: body.title,
        changes: {
          ...diffFields({ notes: 'failing', ...current }, { version, title: body.title, notes: notes ?? 'failing' }),
          ...describeSectionChanges(current.sections, body.sections),
        },
      });
      return { success: true, version };
    }),

  deleteChecklist: ({ params, user, now, writeTransaction }) =>
    writeTransaction(async (db, logActivity) => {
      const { id, title } = await requireChecklist(db, params.id);
      const record = { thing: 'checklist', thing_id: id, label: title } as const;
      await deleteRecord(db, logActivity, { ...record, by: user, now }, (deletionId) =>
        deleteChecklist(db, id, deletionId, now),
      );
    }),

  /** A request without filters returns all submissions with their answers. */
  listSubmissions: ({ db, query, user, knowsNewTypes, search }) =>
    Object.values(query).every((value) => value === undefined)
      ? readSubmissionsAsJson(db, { user, knowsNewTypes })
      : search(query.q, (db) => listSubmissionsAsJson(db, { user, knowsNewTypes }, query)),

  listSubmissionTitles: ({ db }) => listSubmissionTitles(db),
  async getSubmission({ db, user, params, knowsNewTypes }) {
    const submission = await requireSubmission(db, user, params.id);
    const reply = knowsNewTypes ? submission : withFirstTypes(submission);
    return { ...reply, ...markClosed(submission.park, submission.submitted_at) };
  },

  deleteSubmission: ({ params, body, user, now, writeTransaction }) =>
    writeTransaction(async (db, logActivity) => {
      const { id, number } = await requireSubmission(db, user, params.id);
      const record = { thing: 'submission', thing_id: id, label: number } as const;
      await deleteRecord(db, logActivity, { ...record, by: user, now, reason: body.reason }, (deletionId) =>
        deleteSubmission(db, id, deletionId, now),
      );
    }),

  async listSubmissionAudits({ db, user, params, knowsNewTypes }) {
    const { id, sections } = await requireSubmission(db, user, params.id);
    const audits = await listAuditsCreatedFrom(db, user, 'submission', id);
    return knowsNewTypes ? audits : withFirstSections(audits, sections);
  },

  async getSubmissionPdf({ db, params, user, files, pdf, now, logActivity }) {
    const submission = await requireSubmission(db, user, params.id);
    const { id, number } = submission;
    await logActivity({ action: 'opened as PDF', thing: 'submission', thing_id: id, label: number });
    const audits = await listAuditsCreatedFrom(db, user, 'submission', id);
    const getName = await createNameFinder(db, user);
    const { document, images, photos } = createSubmissionPdf(
      { ...submission, submitted_by: getName(submission.submitted_by) },
      audits.map((audit) => replaceUsernames(audit, getName)),
      now,
    );
    const pdfFile = await pdf.render(document, { ...images, ...(await readImages(files, photos)) }, user.id);
    return { pdf: pdfFile.pdf, fileName: createPdfFileName(number, submission.checklist_title) };
  },
} satisfies Partial<Handlers>;

const requireChecklist = async (db: Database, id: string) =>
  required(await findChecklist(db, id), 'Checklist not found');

/** Throws 400 if scheduled checks with this checklist say what may open. */
async function assertOpensNothing(db: Database, checklistId: string): Promise<void> {
  const opening = selectActiveSchedules(db).where('checklist_id', '=', checklistId).where('opens', '=', 1);
  if (!(await findsRow(opening))) return;
  const message = 'Scheduled checks say by this checklist what may open: keep a question that can fail';
  throw createFieldError('sections', message);
}

const requireSubmission = async (db: Database, viewer: ParkViewer, id: string) =>
  required(await findSubmission(db, id, viewer), 'Submitted checklist not found');

async function submit(context: HandlerContext<Api['submitChecklist']>) {
  const { db, body, user, now, imageProcessor, writeTransaction } = context;
  const checklist = await requireVersion(db, body);
  const { sections } = checklist;
  const { answers, errors, passed } = checkAnswers(sections, body.data, { ...body.failures, ...body.notes });
  throwFieldErrors(errors);
  const park = findAnsweredPark(sections, answers) || (await chooseParkOf(db, user, body));
  const noted = readNotes(body, { ...checklist, answers, park });
  const people = await findAnsweredPeople(db, sections, answers, body.people);
  const signatures = await processSignatures(imageProcessor, sections, answers, user.id);
  for (const index of signatures.keys()) delete answers[index];
  const photos = await listPhotosToCopy(db, noted, user.id);
  const captured_at = getCapturedAt(body.capturedAt, now);
  const filledInAt = getDeviceTime({ receivedAt: now.toISOString(), capturedAt: captured_at });
  const day = getToday(new Date(filledInAt));
  const store = (insertCopies: InsertCopies) =>
    writeTransaction(async (db, logActivity) => {
      await requireChecklist(db, checklist.id); // it may have been deleted in the meantime
      const { id, number, isForSeveralPlaces } = await insertSubmission(db, {
        checklist,
        answers,
        signatures,
        captured_at,
        park,
        placeId: body.placeId,
        passed,
        noted: toStoredNotes(noted),
        people,
        by: user,
        now,
      });
      const place = (await findPlacesOf(db, { parks: null }, [id])).get(id);
      const changes = place && { place: place.name };
      logActivity({
        action: 'submitted',
        thing: 'submission',
        thing_id: id,
        label: number,
        ...(changes && { changes }),
      });
      if (isForSeveralPlaces) await notifyOfMissingPlace(db, { id, number, park }, now);
      const submitted = { id, number, park, place, by: user, now, day, insertCopies };
      await processNotes(db, logActivity, noted, submitted);
      return { success: true, id, number, signatures: signatures.size } as const;
    });
  return withCopies(context, photos, store);
}

/** Returns the park of a submission that no answer names: the one that was sent, else that of its place, else the user's. */
async function chooseParkOf(
  db: Database,
  user: ParkViewer,
  { park, placeId }: HandlerContext<Api['submitChecklist']>['body'],
): Promise<string> {
  const sent = park ?? (placeId ? (await followPlace(db, placeId))?.park : undefined);
  return sent && canSeePark(user, sent) ? sent : getFirstPark(user);
}

/** Tells the park's reviewers of a submission that makes no place ready, because nothing says which place it is for. */
async function notifyOfMissingPlace(
  db: Database,
  { id, number, park }: { id: string; number: string; park: string },
  now: Date,
): Promise<void> {
  const line = `Checklist ${number} at ${park} does not say for which place it was filled in`;
  await notify(db, now, {
    ...{ kind: 'placeMissing', to: { reviewersOf: park }, thing: 'submission', thing_id: id, park },
    ...{ text: `${line}. It makes no place ready to open.`, line },
    link: recordUrls.submission(id),
  });
}

/** Returns the version that was filled in, so that each answer stays with its section. */
async function requireVersion(
  db: Database,
  { checklistId, checklistVersion }: HandlerContext<Api['submitChecklist']>['body'],
) {
  const current = await requireChecklist(db, checklistId);
  if (checklistVersion === undefined || checklistVersion === current.version) return current;
  const filledInVersion = await findVersion(db, checklistId, checklistVersion);
  if (!filledInVersion) throw new HttpError(400, 'This version of the checklist does not exist', { code: 'INVALID' });
  return filledInVersion;
}

function throwFieldErrors(errors: Record<string, string>): void {
  const messages = Object.values(errors);
  if (messages.length === 0) return;
  const message = messages.find((message) => message !== requiredMessage) ?? missingFieldsMessage;
  const fields = Object.entries(errors).map(([key, text]) => [key ? `data.${key}` : 'data', text]);
  throw new HttpError(400, message, { code: 'INVALID', fields: Object.fromEntries(fields) });
}
