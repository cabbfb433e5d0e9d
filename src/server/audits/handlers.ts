import { auditFieldNames } from '#shared/audit-fields.ts';
import {
  type Audit,
  type AuditChange,
  type AuditsChangeReply,
  defaultVerifyDays,
  type Verification,
} from '#shared/audits.ts';
import { addDays } from '#shared/calendar.ts';
import { getCapturedAt } from '#shared/date-schemas.ts';
import { getToday } from '#shared/dates.ts';
import { findMissingInAnswer } from '#shared/lessons.ts';
import type { MediaFile, StoredMediaFile } from '#shared/uploads.ts';
import type { LogActivity } from '../db/activity-log.ts';
import { diffFields } from '../db/diff-fields.ts';
import type { Database } from '../db/schema.ts';
import { deleteRecord, markDeleted } from '../deletions/bin/deletions.ts';
import { createFieldError, createStaleError, HttpError, required } from '../errors/http-error.ts';
import { throwNotASubmission } from '../http/authorise.ts';
import type { Handlers } from '../http/handler-context.ts';
import { newId } from '../ids.ts';
import { closeMessage, findMessage } from '../messages/store.ts';
import { createNameFinder, findPerson } from '../names/user-names.ts';
import { listRecordDeliveries } from '../notifications/store.ts';
import { markClosed } from '../parks/closed-periods.ts';
import { createPdfFileName } from '../pdf/file-name.ts';
import { deleteLinksOf, findPlacesOf, linkToPlace } from '../places/links/place-links.ts';
import { listDeviceUsers } from '../sign-in/devices/shared-devices.ts';
import type { SignedInUser } from '../sign-in/session/session.ts';
import { type InsertCopies, withCopies } from '../uploads/copy.ts';
import { readImages } from '../uploads/read.ts';
import { attachUploads, replaceAttachments, toMediaFile } from '../uploads/store.ts';
import { assertCanUsePark } from '../user-parks.ts';
import { findOrCreateFolder } from './create-by-rule.ts';
import { folderHandlers, requireFolder } from './folder-handlers.ts';
import { createHazard } from './hazards.ts';
import { assertRoomForNote, insertNote, listNotes, type NewNote, readNotePages } from './notes.ts';
import { listTold, notifyOfAudit, notifyOfDeletion, remindAssignee } from './notices.ts';
import { createAuditPdf, nameUsersOfAudit } from './pdf.ts';
import { canSeeAudit, canSeeFolder } from './scope.ts';
import { createSource, listSourcePhotos } from './source.ts';
import {
  type AuditFields,
  countOpenAudits,
  type FoundAudit,
  findAudit,
  findAuditWithSource,
  hasCompleted,
  insertAudit,
  listAuditsInState,
  readFolderPages,
  storeOutcome,
  updateAudit,
} from './store.ts';
import { assertMayVerify, createFollowUp, createVerification } from './verification.ts';

export const auditHandlers = {
  ...folderHandlers,

  async listAudits({ db, user, params }) {
    required(await canSeeFolder(db, user, params.folderId), 'Folder not found');
    return readFolderPages(db, user, params.folderId);
  },

  listOpenAudits: ({ db, user, query, search }) => listAuditsInState(db, user, query, search),

  countOpenAudits: ({ db, user }) => countOpenAudits(db, user),

  async createAudit(context) {
    const { user, now, writeTransaction } = context;
    const { folder_id = '', title = '', hazard, placeId, ...body } = context.body;
    if (hazard) {
      assertCanUsePark(user, hazard.park);
      return writeTransaction(async (db, logActivity) => {
        const id = await createHazard(db, logActivity, { body: { ...body, hazard }, user, now });
        await linkToPlace(db, placeId, { thing: 'audit', thing_id: id, park: hazard.park, by: user, now });
        const told = await listTold(db, id, now);
        return { success: true, id, photos: body.media_files.length, told } as const;
      });
    }
    if (folder_id) required(await canSeeFolder(context.db, user, folder_id), 'Folder not found');
    const photos = await listSourcePhotos(context.db, user, body.source);
    const store = (insertCopies: InsertCopies) =>
      writeTransaction(async (db, logActivity) => {
        const message = body.source?.thing === 'message' ? await findMessage(db, user, body.source.id) : undefined;
        const hazards = message && { park: message.park, by: user, now };
        const chosenFolder = folder_id || (hazards ? await findOrCreateFolder(db, 'hazards', hazards) : '');
        const folder = await requireFolder(db, user, chosenFolder);
        const source = await createSource(db, user, body.source, folder.park);
        const id = newId();
        const media = [...(await insertCopies(db, body.source?.photos ?? [])), ...body.media_files];
        const media_files = await replaceMedia(db, id, media, [], user.id);
        const { capturedAt, source: _, verification: requested, ...audit } = body;
        const captured_at = getCapturedAt(capturedAt, now);
        const assignee = await createAssignee(db, body.assignee, folder.park);
        const verificationRequest = requested ?? (source?.thing === 'investigation' ? actionVerification : undefined);
        const verification = await createVerification(db, verificationRequest, folder.park, assignee.assignee_id);
        const created = {
          ...audit,
          folder_id: folder.id,
          title,
          ...(await createCompletionFields(db, body.completed, user, now, assignee.assignee_id, verification)),
          ...(source && { source }),
          ...assignee,
          captured_at,
          id,
          media_files,
        };
        await insertAudit(db, { ...created, by: user, now });
        await linkToPlace(db, placeId, { thing: 'audit', thing_id: id, park: folder.park, by: user, now });
        await notifyOfAudit(db, now, { after: { ...created, folder }, by: user });
        const action = body.completed ? 'created as completed' : 'created';
        logActivity({ action, thing: 'audit', thing_id: id, label: title });
        const { answer, reason } = body.source ?? {};
        if (message) await closeMessage(db, logActivity, message, { answer, reason, audit_id: id, by: user, now });
        const told = body.completed ? [] : await listTold(db, id, now);
        return { success: true, id, photos: media_files.length, told } as const;
      });
    return withCopies(context, photos, store);
  },

  async getAudit({ db, user, params }) {
    const audit = await requireAudit(db, user, params.id);
    const place = (await findPlacesOf(db, user, [audit.id])).get(audit.id);
    return { ...toDetail(audit), place, ...markClosed(audit.folder.park, audit.created_at) };
  },

  async updateAudit({ body, user, params, now, isForSomeoneElse, writeTransaction }) {
    // Only completions may be sent later by a device's outbox; other changes are sent at once.
    if (isForSomeoneElse && !body.data?.completed) throwNotASubmission();
    return writeTransaction(async (db, logActivity) => {
      const before = await requireAudit(db, user, params.id);
      // A shared device does not see the audit, so it cannot tell that its first attempt has arrived.
      if (isForSomeoneElse && isRepeated(before, body, user)) return toDetail(before);
      await changeAudit(db, logActivity, { id: params.id, body, user, now });
      return toDetail(await requireAudit(db, user, params.id));
    });
  },

  async changeAudits({ body: { audits, change }, user, now, writeTransaction, restartTimeout, log }) {
    const reply: AuditsChangeReply = { changed: 0, unchanged: [] };
    let hasFailed = false;
    for (const [id, version] of new Map(audits.map(({ id, version }) => [id, version]))) {
      if (hasFailed) {
        reply.unchanged.push({ id, reason: 'failed' });
        continue;
      }
      const reason = await writeTransaction(async (db, logActivity) => {
        if (change.action === 'remind') return remind(db, logActivity, { id, user, now });
        const { action, ...data } = change;
        const audit = await findAudit(db, user, id);
        // For example, the request is repeated after a lost response.
        if (audit && !audit.completed && hasValues(audit, data)) return undefined;
        return changeAudit(db, logActivity, { id, body: { version, data }, user, now });
      }).catch((error) => {
        const reason = getUnchangedReason(error);
        if (reason) return reason;
        if (reply.changed === 0) throw error;
        // The reply names the audits that were changed before the error.
        log.error({ err: error }, 'an audit of several could not be changed');
        hasFailed = true;
        return 'failed' as const;
      });
      if (reason) reply.unchanged.push({ id, reason });
      else reply.changed += 1;
      restartTimeout();
    }
    return reply;
  },

  async deleteAudit({ user, params, now, writeTransaction }) {
    return writeTransaction(async (db, logActivity) => {
      const { id, title, folder } = await requireAudit(db, user, params.id);
      await notifyOfDeletion(db, now, await findAuditWithSource(db, id), folder.park);
      const deletion = { thing: 'audit', thing_id: id, label: title, park: folder.park, by: user, now } as const;
      await deleteRecord(db, logActivity, deletion, (deletionId) => markDeleted(db, 'audits', id, deletionId));
    });
  },

  async listAuditNotes({ db, user, params }) {
    required(await canSeeAudit(db, user, params.id), 'Audit not found');
    return readNotePages(db, params.id);
  },

  addAuditNote: ({ body, user, params, now, writeTransaction }) =>
    writeTransaction(async (db, logActivity) => {
      const audit = await requireAudit(db, user, params.id);
      await assertRoomForNote(db, audit.id);
      const id = await storeNote(db, audit.id, body, user, now);
      logActivity({ action: 'added a note to', thing: 'audit', thing_id: audit.id, label: audit.title });
      return { success: true, id } as const;
    }),

  verifyAudit: ({ body, user, params, now, writeTransaction }) =>
    writeTransaction(async (db, logActivity) => {
      const audit = await requireAudit(db, user, params.id);
      await assertMayVerify(db, audit, user);
      await storeOutcome(db, audit, body.outcome);
      const id = await storeNote(db, audit.id, body, user, now);
      const changes = { verification: { from: null, to: body.outcome } };
      logActivity({ action: 'verified', thing: 'audit', thing_id: audit.id, label: audit.title, changes });
      if (body.outcome === 'works') return { success: true, id } as const;
      const found = { found: 'Found not to work', note: body.text, by: user, now };
      return { success: true, id, follow_up_id: await createFollowUp(db, logActivity, audit, found) } as const;
    }),

  async listAuditDeliveries({ db, user, params }) {
    required(await canSeeAudit(db, user, params.id), 'Audit not found');
    return listRecordDeliveries(db, user, params.id);
  },

  async getAuditPdf({ db, user, params, files, pdf, now, logActivity }) {
    const found = await requireAudit(db, user, params.id);
    await logActivity({ action: 'opened as PDF', thing: 'audit', thing_id: found.id, label: found.title });
    const { audit, notes } = nameUsersOfAudit(found, await listNotes(db, found.id), await createNameFinder(db, user));
    const { document, images } = createAuditPdf(audit, notes, now);
    const pdfFile = await pdf.render(document, await readImages(files, images), user.id);
    return { pdf: pdfFile.pdf, fileName: createPdfFileName(audit.title || 'Untitled Audit') };
  },
} satisfies Partial<Handlers>;

/** Actions of investigations are verified in any case. */
const actionVerification = { days: defaultVerifyDays, verifier: '' };

type Change = { id: string; body: AuditChange; user: SignedInUser; now: Date };

async function changeAudit(db: Database, logActivity: LogActivity, { id, body, user, now }: Change): Promise<void> {
  const before = await requireAudit(db, user, id);
  const media = body.data?.media_files;
  const sent = getSentFields(body);
  const { assignee, assignee_id } =
    sent.assignee === undefined ? before : await createAssignee(db, sent.assignee, before.folder.park);
  const after: AuditFields = {
    ...before,
    ...sent,
    assignee,
    assignee_id,
    ...(media && { media_files: await replaceMedia(db, id, media, before.media_files, user.id) }),
    ...(await createCompletionFields(db, body.data?.completed ?? false, user, now, assignee_id, before.verification)),
    ...(body.data?.completed && { captured_at: getCapturedAt(body.capturedAt, now) }),
  };
  if (before.completed || (body.version ?? before.version) !== before.version)
    throw createConflictError(before, before.completed && (await hasCompleted(db, id, user)));
  await updateAudit(db, before, after);
  if (after.location !== before.location) {
    await deleteLinksOf(db, [id]);
    await linkToPlace(db, body.placeId, { thing: 'audit', thing_id: id, park: before.folder.park, by: user, now });
  }
  await notifyOfAudit(db, now, { before, after: { ...before, ...after }, by: user });
  const { answer, answer_note: note = '', done } = body.data ?? {};
  if (after.completed && answer) {
    const hasPhoto = after.media_files.length > before.media_files.length;
    const problem = findMissingInAnswer(answer, note, hasPhoto);
    if (before.source?.thing !== 'lesson') throw new HttpError(400, 'Only audits of a lesson are answered');
    if (problem) throw createFieldError('data.answer_note', problem);
    await storeNote(db, id, { text: note, media_files: [], answer }, user, now);
    const found = { found: 'Needs work: found', note, by: user, now };
    if (answer === 'needsWork') await createFollowUp(db, logActivity, { ...before, ...after }, found);
  }
  if (done && (done.text.trim() || done.media_files.length > 0)) {
    if (!after.completed) throw new HttpError(400, 'Only a completion says what was done');
    await storeNote(db, id, done, user, now);
  }
  const action = after.completed ? 'completed' : 'changed';
  const changes = diffFields<AuditFields>(before, after, loggedFields);
  logActivity({ action, thing: 'audit', thing_id: id, label: after.title, changes });
}

/** Whether the user has completed the audit with just this request. */
const isRepeated = (audit: FoundAudit, body: AuditChange, user: SignedInUser) =>
  audit.completed &&
  audit.completed_by === user.username &&
  Object.entries(getSentFields(body)).every(([name, value]) => audit[name as keyof FoundAudit] === value) &&
  (body.data?.media_files ?? []).every(({ path }) => audit.media_files.some((stored) => stored.path === path));

const hasValues = (audit: AuditFields, values: { assignee: string } | { date: string | null }) =>
  Object.entries(values).every(([name, value]) => audit[name as 'assignee' | 'date'] === value);

/** Reminds the assignee of an open audit. Returns the reason if nobody was reminded. */
async function remind(db: Database, logActivity: LogActivity, { id, user, now }: Omit<Change, 'body'>) {
  const audit = await requireAudit(db, user, id);
  if (audit.completed) return 'completed';
  const reason = await remindAssignee(db, now, audit);
  if (reason) return reason;
  logActivity({ action: 'sent a reminder of', thing: 'audit', thing_id: id, label: audit.title });
}

/** Returns undefined for an error that is not about one audit alone. */
function getUnchangedReason(error: unknown): AuditsChangeReply['unchanged'][number]['reason'] | undefined {
  if (!(error instanceof HttpError)) return undefined;
  if (error.status === 404) return 'notFound';
  if (error.status !== 409) return undefined;
  return error.details.code === 'COMPLETED' ? 'completed' : 'changed';
}

/** The fields whose changes the activity log shows. */
const loggedFields = [...auditFieldNames, 'media_files', 'completed'] as const;

function createConflictError(audit: FoundAudit, isOwn: boolean) {
  const current = toDetail(audit);
  if (!audit.completed) return createStaleError('Someone else has changed this audit', current);
  const message = 'This audit is completed and can no longer be changed';
  return new HttpError(409, message, { code: 'COMPLETED', body: { current, ...(isOwn && { isOwn }) } });
}

/** Returns the fields of an assignee: a user who sees the park with username and id, another name as typed. */
async function createAssignee(db: Database, typed: string, park: string) {
  const user = await findPerson(db, typed, park);
  return { assignee: user?.username ?? typed, assignee_id: user?.id };
}

/**
 * The server sets who completed an audit and when; the payload's values are ignored. From then on,
 * the days until its verification count, and a verifier who did the work is no longer asked.
 */
async function createCompletionFields(
  db: Database,
  completed: boolean,
  user: SignedInUser,
  now: Date,
  assigneeId: string | undefined,
  verification: Verification | undefined,
) {
  const completed_beside = completed && user.sharedDevice ? await listDeviceUsers(db, user.sharedDevice) : null;
  const doers = [user.id, assigneeId, ...(completed_beside ?? [])];
  return {
    completed,
    completed_by: completed ? user.username : null,
    completed_by_id: completed ? user.id : null,
    completed_beside,
    completed_at: completed ? now.toISOString() : null,
    ...(verification && {
      verification: {
        ...verification,
        by: completed ? addDays(getToday(now), verification.days) : null,
        ...(completed && doers.includes(verification.verifier_id) && { verifier: '', verifier_id: undefined }),
      },
    }),
  };
}

async function storeNote(
  db: Database,
  auditId: string,
  { media_files, ...content }: Pick<NewNote, 'text' | 'outcome' | 'answer'> & { media_files: MediaFile[] },
  by: SignedInUser,
  now: Date,
): Promise<string> {
  const id = newId();
  const uploads = await attachUploads(db, media_files, by.id, { attached_to: 'note', attached_id: id });
  const media = uploads.map((upload, at) => toMediaFile(upload, media_files[at]?.name ?? ''));
  await insertNote(db, { ...content, id, audit_id: auditId, media_files: media, by, now });
  return id;
}

/** The fields to change. Fields missing from the payload stay as they are. */
function getSentFields({ title, data, date = data?.date, time = data?.time }: AuditChange): Partial<AuditFields> {
  const { completed: _, media_files: __, answer: ___, answer_note: ____, done: _____, ...fields } = data ?? {};
  return Object.fromEntries(
    Object.entries({ ...fields, title, date, time }).filter(([, value]) => value !== undefined),
  );
}

async function replaceMedia(
  db: Database,
  id: string,
  media: MediaFile[],
  storedMedia: StoredMediaFile[],
  userId: string,
) {
  const owner = { attached_to: 'audit', attached_id: id } as const;
  const uploads = await replaceAttachments(db, media, userId, owner);
  const names = new Map(
    [...storedMedia, ...media.filter((file) => file.name !== '')].map((file) => [file.path, file.name]),
  );
  return uploads.map((upload) => toMediaFile(upload, names.get(upload.path) ?? ''));
}

function toDetail({ id, folder_id, folder, title, created_at, version, parse_error, ...data }: FoundAudit): Audit {
  const folderFields = { folder_id, folder_name: folder.name, park: folder.park };
  const head = { id, ...folderFields, title, created_at, version, ...(parse_error && { parse_error }) };
  return { ...head, date: data.date, time: data.time, data };
}

const requireAudit = async (db: Database, user: SignedInUser, id: string) =>
  required(await findAudit(db, user, id), 'Audit not found');
