// Endpoints of investigations.
import { type Investigation, listPhotos, mapPhotos, nameCause, riskCause, toAbout } from '#shared/investigations.ts';
import type { MediaFile } from '#shared/uploads.ts';
import { requireSource } from '../audits/source.ts';
import type { Database } from '../db/schema.ts';
import { deleteRecord, markDeleted } from '../deletions/bin/deletions.ts';
import { createStaleError, HttpError, required } from '../errors/http-error.ts';
import type { Handlers } from '../http/handler-context.ts';
import { createNameFinder } from '../names/user-names.ts';
import { requireReportNumbered } from '../reports/queries/report-by-number.ts';
import type { SignedInUser } from '../sign-in/session/session.ts';
import { readImages } from '../uploads/read.ts';
import { replaceAttachments, toMediaFile, type UploadRow } from '../uploads/store.ts';
import { releaseTexts } from './names.ts';
import { createInvestigationPdf } from './pdf.ts';
import {
  coverRecord,
  findInvestigation,
  findInvestigationOf,
  findSection,
  insertInvestigation,
  insertNote,
  listInvestigations,
  uncoverRecord,
  updateSection,
} from './store.ts';

export const investigationHandlers = {
  listInvestigations: ({ db, user, query }) => listInvestigations(db, user, query.of),

  createInvestigation: ({ body, user, now, writeTransaction }) =>
    writeTransaction(async (db, logActivity) => {
      const { park = '', label } = await requireSource(db, user, body);
      await assertNotCovered(db, body.id);
      const { id, number } = await insertInvestigation(db, { park, record: body, by: user, now });
      // The title of an audit may name someone.
      const changes = { [body.thing]: body.thing === 'report' ? label : body.id };
      logActivity({ action: 'started', ...toLogFields({ id, number }), changes });
      return { success: true, id } as const;
    }),

  async getInvestigation({ db, user, params, now, logActivity }) {
    const investigation = await requireInvestigation(db, user, params.id, now);
    await logActivity({ action: 'opened', ...toLogFields(investigation) });
    return investigation;
  },

  saveInvestigationSection: ({ body, params, user, now, writeTransaction }) =>
    writeTransaction(async (db, logActivity) => {
      const row = await findSection(db, params.id);
      if (!row || row.section !== body.section) throw new HttpError(404, 'Investigation not found');
      const before = await requireInvestigation(db, user, row.investigation_id, now);
      if (before.state !== 'open')
        throw new HttpError(409, 'The findings are complete. Add a correction instead.', { code: 'COMPLETE' });
      const content = await storePhotos(db, row.id, body.content, user);
      const current = { section: row.section, ...before.sections[row.section] };
      if (body.version !== current.version)
        throw createStaleError('Someone else has changed this part of the investigation', current);
      await updateSection(db, { id: row.id, version: body.version, content, by: user, now });
      logActivity({ action: 'saved', ...toLogFields(before), changes: { section: row.section } });
      return requireInvestigation(db, user, before.id, now);
    }),

  coverReport: ({ body: { number, isCovered }, params, user, now, writeTransaction }) =>
    writeTransaction(async (db, logActivity) => {
      const investigation = await requireInvestigation(db, user, params.id, now);
      if (investigation.state !== 'open')
        throw new HttpError(
          409,
          'The findings are complete. Reports can no longer be added or taken out. Add a correction instead.',
          { code: 'COMPLETE' },
        );
      const report = await requireReportNumbered(db, number);
      if (isCovered) {
        if (!investigation.records.some(({ id }) => id === report.id)) await assertNotCovered(db, report.id, 'number');
        await coverRecord(db, investigation.id, { thing: 'report', id: report.id });
      } else {
        if (!investigation.records.some(({ id }) => id !== report.id))
          throw new HttpError(409, 'An investigation covers at least one record');
        await uncoverRecord(db, investigation.id, report.id);
      }
      const action = isCovered ? 'added a report to' : 'took a report out of';
      logActivity({ action, ...toLogFields(investigation), changes: { report: report.number } });
      return requireInvestigation(db, user, investigation.id, now);
    }),

  addInvestigationNote: ({ body, params, user, now, writeTransaction }) =>
    writeTransaction(async (db, logActivity) => {
      const investigation = await requireInvestigation(db, user, params.id, now);
      assertMayAdd(investigation, body);
      // The reply is stored for retries, so it contains nothing of the investigation.
      const { kind, about, text, decisions } = body;
      const { text: words } =
        kind === 'released'
          ? await releaseTexts(db, {
              texts: { text },
              decisions,
              linked: investigation,
              userParks: [investigation.park],
            })
          : { text };
      const id = await insertNote(db, { investigation_id: investigation.id, kind, about, words, by: user, now });
      logActivity({ action: noteActions[kind], ...toLogFields(investigation) });
      return { success: true, id } as const;
    }),

  deleteInvestigation: ({ params, user, now, writeTransaction }) =>
    writeTransaction(async (db, logActivity) => {
      const { id, number } = await requireInvestigation(db, user, params.id, now);
      const deletion = { ...toLogFields({ id, number }), by: user, now };
      await deleteRecord(db, logActivity, deletion, (deletionId) => markDeleted(db, 'investigations', id, deletionId));
    }),

  async getInvestigationPdf({ db, user, params, files, pdf, now, logActivity }) {
    const investigation = await requireInvestigation(db, user, params.id, now);
    await logActivity({ action: 'opened as PDF', ...toLogFields(investigation) });
    const { document, images } = createInvestigationPdf(investigation, now, await createNameFinder(db, user));
    const file = await pdf.render(document, await readImages(files, images), user.id);
    return { pdf: file.pdf, fileName: `${investigation.number}.pdf` };
  },

  async getRepresentativeCopy({ db, user, params, pdf, now, logActivity }) {
    const { id, number, park, notes } = await requireInvestigation(db, user, params.id, now);
    const copy = required(
      notes.findLast(({ kind }) => kind === 'released'),
      'No copy was released',
    );
    await logActivity({ action: 'opened as PDF', ...toLogFields({ id, number }) });
    const document = { title: 'Copy for safety representatives', number, subtitle: park, madeAt: now };
    const file = await pdf.render({ ...document, parts: [{ kind: 'text', text: copy.text }] }, {}, user.id);
    return { pdf: file.pdf, fileName: `${number}-copy.pdf` };
  },
} satisfies Partial<Handlers>;

const noteActions = {
  complete: 'completed the findings of',
  confirmed: 'confirmed the findings of',
  waived: 'waived an action of',
  noAction: 'recorded that a cause needs no action in',
  correction: 'added a correction to',
  released: 'released a copy without names of',
};

type Identity = { id: string; number: string };

const toLogFields = ({ id, number }: Identity) => ({ thing: 'investigation', thing_id: id, label: number }) as const;

async function requireInvestigation(db: Database, user: SignedInUser, id: string, now: Date): Promise<Investigation> {
  return required(await findInvestigation(db, user, id, now), 'Investigation not found');
}

/** Throws 409 if an investigation covers the record. */
async function assertNotCovered(db: Database, recordId: string, field?: string): Promise<void> {
  const other = await findInvestigationOf(db, recordId);
  if (!other) return;
  const message = `It is already covered by ${other.number}`;
  throw new HttpError(409, message, { code: 'COVERED', ...(field && { fields: { [field]: message } }) });
}

/** Attaches the photos in the content to the section, and removes others. Returns the content to store. */
async function storePhotos(db: Database, sectionId: string, content: object, user: SignedInUser): Promise<object> {
  const owner = { attached_to: 'investigation', attached_id: sectionId } as const;
  const uploads = await replaceAttachments(db, listPhotos<MediaFile>(content), user.id, owner);
  const stored = new Map(uploads.map((upload) => [upload.path, upload]));
  return mapPhotos<MediaFile>(content, ({ path, name }) => toMediaFile(stored.get(path) as UploadRow, name));
}

type NewNote = { kind: keyof typeof noteActions; about: string };

/** Throws if the note does not apply now (409), the user may not add it (403). */
function assertMayAdd(investigation: Investigation, { kind, about }: NewNote): void {
  const { state, missing, needsConfirmation, canConfirm, questions, sections, actions } = investigation;
  const isComplete = state !== 'open';
  if (kind === 'complete') {
    if (isComplete) throw new HttpError(409, 'The findings are complete already', { code: 'COMPLETE' });
    if (missing.length > 0) throw new HttpError(409, `Still missing: ${missing.join(', ')}`, { code: 'MISSING' });
  } else if (kind === 'confirmed') {
    if (!needsConfirmation) throw new HttpError(409, 'The findings need no confirmation');
    if (!canConfirm) throw new HttpError(403, 'Another reviewer must confirm the findings: you completed them');
  } else if (kind === 'correction') {
    if (!isComplete) throw new HttpError(409, 'Change the text itself: the findings are not complete');
  } else if (kind === 'released') {
    if (!isComplete) throw new HttpError(409, 'Complete the findings first');
  } else if (kind === 'noAction') {
    const question = questions.find(({ cause }) => cause !== riskCause && toAbout(cause) === about);
    if (!question) throw new HttpError(409, 'This needs an action');
    const name = nameCause(question.cause, sections.causes.content.list);
    if (question.isAnswered) throw new HttpError(409, `${name} is answered already`, { code: 'ANSWERED' });
  } else {
    const action = actions.find(({ id }) => id === about);
    if (action?.state !== 'open' && action?.state !== 'toVerify')
      throw new HttpError(409, 'This action is done already', { code: 'DONE' });
    if (!action.canWaive)
      throw new HttpError(
        403,
        'Someone else must waive this action: you did the work, or it was assigned to you in the last 30 days',
      );
  }
}
