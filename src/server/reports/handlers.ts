import { isAllowed, type Viewer } from '#shared/access.ts';
import type { Api } from '#shared/api.ts';
import { getCapturedAt } from '#shared/date-schemas.ts';
import { recordUrls } from '#shared/record-kinds.ts';
import type { NewReport, Report, ReportQuery, ReportType } from '#shared/reports/reports.ts';
import { listAuditsCreatedFrom } from '../audits/store.ts';
import { createFingerprint } from '../db/idempotency.ts';
import type { Database } from '../db/schema.ts';
import { deleteRecord, markDeleted } from '../deletions/bin/deletions.ts';
import { createFieldError, required } from '../errors/http-error.ts';
import { isFullDisk } from '../files/disk-space.ts';
import type { HandlerContext, Handlers } from '../http/handler-context.ts';
import { newId } from '../ids.ts';
import { listIdsWithDuty } from '../law/deadlines.ts';
import { getAssessmentForPdf } from '../law/pdf.ts';
import { findInvestigationNumber } from '../law/store.ts';
import { closeMessage, findMessage } from '../messages/store.ts';
import { createNameFinder } from '../names/user-names.ts';
import { notify } from '../notifications/notify.ts';
import { findUnread, listRecordDeliveries, markRead } from '../notifications/store.ts';
import { markClosed } from '../parks/closed-periods.ts';
import type { PdfPart } from '../pdf/document.ts';
import { createPdfFileName } from '../pdf/file-name.ts';
import { findPlacesOf, linkToPlace } from '../places/links/place-links.ts';
import { readImages } from '../uploads/read.ts';
import { attachUploads, toMediaFile } from '../uploads/store.ts';
import { createPdfWithoutNames, createReportPdf } from './pdf.ts';
import { prepareSearch } from './queries/report-filter.ts';
import {
  countByMonth,
  findDuplicate,
  findLastReporter,
  findNeighbours,
  findReport,
  insertReport,
  isFirstOpening,
  listReports,
  listReportsByUser,
  readReportPagesAsJson,
  setFirstOpened,
} from './store.ts';

export const reportHandlers = {
  submitAccident: (context) => submitReport(context, 'accident'),
  submitIncident: (context) => submitReport(context, 'incident'),

  listMyReports: ({ db, user }) => listReportsByUser(db, user.id, 50),

  getLastReporter: async ({ db, user }) => ({ name: await findLastReporter(db, user.id) }),

  /** A request without filters returns all reports. */
  async listReports({ db, query: requestedQuery, user, now, search, logActivity }) {
    const query = await createSearch(db, requestedQuery, user, now);
    // Reading a list is logged, because it contains whole reports; only for its first page.
    const logged = query.after ? undefined : logActivity({ action: 'listed', thing: 'report' });
    const { limit, ...filters } = query;
    if (limit !== undefined) {
      const reportList = search(query.q, (db) => listReports(db, filters, limit));
      return (await Promise.all([reportList, logged]))[0];
    }
    await logged;
    return readReportPagesAsJson(db, filters);
  },

  async listReportMonths({ db, query: requestedQuery, user, now, search }) {
    const query = await createSearch(db, requestedQuery, user, now);
    return search(query.q, (db) => countByMonth(db, query));
  },

  async findReportNeighbours({ db, params, query: requestedQuery, user, now, search }) {
    const report = await requireReport(db, params.id);
    const query = await createSearch(db, requestedQuery, user, now);
    const isInList = !query.reportType || query.reportType === report.reportType;
    return search(query.q, (db) => findNeighbours(db, isInList ? report.id : undefined, query));
  },

  async getReport(context) {
    const { db, user, params } = context;
    const report = await requireReport(db, params.id);
    await recordOpening(context, report, 'opened');
    const place = (await findPlacesOf(db, user, [report.id])).get(report.id);
    return { ...report, place, ...markClosed(report.selectedPlace, report.created_at) };
  },

  async deleteReport({ params, body, user, now, writeTransaction }) {
    return writeTransaction(async (db, logActivity) => {
      const report = await requireReport(db, params.id);
      const deletion = { ...toLogFields(report), by: user, now, reason: body.reason };
      await deleteRecord(db, logActivity, deletion, (id) => markDeleted(db, 'reports', report.id, id));
    });
  },

  async listReportAudits({ db, user, params }) {
    const report = await requireReport(db, params.id);
    return listAuditsCreatedFrom(db, user, 'report', report.id);
  },

  async listReportDeliveries({ db, user, params }) {
    const report = await requireReport(db, params.id);
    return listRecordDeliveries(db, user, report.id);
  },

  async getReportPdf(context) {
    const { db, params, query, user, files, pdf, now } = context;
    const report = await requireReport(db, params.id);
    await recordOpening(context, report, 'opened as PDF');
    const getName = await createNameFinder(db, user);
    const { riddor, riddorWithoutNames, parts, hasConsent } = await getAssessmentForPdf(db, report.id, now, getName);
    const isForRepresentatives = query.representative !== undefined;
    const { document, images } =
      isForRepresentatives && !hasConsent
        ? {
            document: createPdfWithoutNames(report, now, riddorWithoutNames.words, 'There is no consent to be named.'),
            images: [],
          }
        : createReportPdf({ ...report, created_by: getName(report.created_by) }, now, {
            riddor: isForRepresentatives ? riddorWithoutNames : riddor,
            parts:
              query.assessment && !isForRepresentatives
                ? [...parts, ...(await createInvestigationLine(db, report.id))]
                : [],
          });
    const pdfFile = await pdf.render(document, await readImages(files, images), user.id);
    return { pdf: pdfFile.pdf, fileName: createPdfFileName(report.number, report.selectedPlace) };
  },
} satisfies Partial<Handlers>;

/** Returns the line with the investigation's number only, because an investigation names more people than its report. */
async function createInvestigationLine(db: Database, reportId: string): Promise<PdfPart[]> {
  const number = await findInvestigationNumber(db, reportId);
  return number ? [{ kind: 'fields', rows: [{ label: 'Investigation', value: number }] }] : [];
}

/**
 * Returns the search for a query. Duties are not stored in a column, so it first looks up the ids
 * of the reports with the requested duty.
 */
export const createSearch = async <Query extends Pick<ReportQuery, 'duty' | 'openAudits' | 'location'>>(
  db: Database,
  requestedQuery: Query,
  user: Viewer,
  now: Date,
) => ({
  ...(await prepareSearch(db, requestedQuery, user)),
  ...(requestedQuery.duty && { dutyIds: await listIdsWithDuty(db, requestedQuery.duty, now) }),
});

const toLogFields = ({ id, number }: { id: string; number: string }) =>
  ({ thing: 'report', thing_id: id, label: number }) as const;

/** Logs who opened a report, stores when someone other than its author first did, and marks the notification of it as read. */
async function recordOpening(
  {
    db,
    user,
    now,
    logActivity,
    writeTransaction,
  }: Pick<HandlerContext<Api['getReport']>, 'db' | 'user' | 'now' | 'logActivity' | 'writeTransaction'>,
  report: Report,
  action: 'opened' | 'opened as PDF',
): Promise<void> {
  const entry = { action, ...toLogFields(report) };
  const isFirst = await isFirstOpening(db, report.id, user.id);
  const unread = await findUnread(db, user.id, 'reportFiled', report.id);
  if (!isFirst && !unread) return logActivity(entry);
  try {
    await writeTransaction(async (db, logActivity) => {
      if (isFirst) await setFirstOpened(db, report.id, now);
      if (unread) await markRead(db, user, unread, now);
      logActivity(entry);
    });
  } catch (error) {
    // Reports can be read on a full disk; the next opening counts as the first.
    if (!isFullDisk(error)) throw error;
    await logActivity(entry);
  }
}

async function submitReport(
  { body: { placeId, messageId, ...body }, user, now, writeTransaction }: HandlerContext<Api['submitAccident']>,
  reportType: ReportType,
) {
  const fingerprint = createFingerprint({ reportType, body });
  return writeTransaction(async (db, logActivity) => {
    const media = body.mediaFiles;
    const counts = { photos: media.length, signatures: 2 };
    const duplicateReport = await findDuplicate(db, user.id, body.signature.path, fingerprint);
    if (duplicateReport) return { success: true, ...duplicateReport, ...counts } as const;
    const id = newId();
    const files = [...media, body.signature, body.affectedUserSignature];
    const uploads = await attachUploads(db, files, user.id, { attached_to: 'report', attached_id: id });
    const [signature, affected] = uploads.slice(media.length);
    if (signature?.blank) throw createFieldError('signature', 'Reporter signature is required');
    if (affected?.blank) throw createFieldError('affectedUserSignature', 'Affected party signature is required');
    const mediaFiles = uploads
      .slice(0, media.length)
      .map((upload, index) => toMediaFile(upload, media[index]?.name ?? ''));
    const { capturedAt, ...report } = body;
    const captured_at = getCapturedAt(capturedAt, now);
    const reportFields = { id, reportType, report, captured_at, mediaFiles, fingerprint, by: user, now };
    const { number } = await insertReport(db, reportFields);
    await linkToPlace(db, placeId, { thing: 'report', thing_id: id, park: body.selectedPlace, by: user, now });
    const message = messageId && isAllowed('reviewer', user) ? await findMessage(db, user, messageId) : undefined;
    if (message?.isOpen) await closeMessage(db, logActivity, message, { report_id: id, by: user, now });
    logActivity({ action: 'filed', ...toLogFields({ id, number }) });
    await notifyOfReport(db, now, { id, number, reportType, ...body });
    return { success: true, id, number, ...counts } as const;
  });
}

async function notifyOfReport(
  db: Database,
  now: Date,
  report: Pick<NewReport, 'selectedPlace' | 'emergencyService'> & {
    id: string;
    number: string;
    reportType: ReportType;
  },
) {
  const { id, number, reportType, selectedPlace: park, emergencyService } = report;
  const line = `${reportType === 'accident' ? 'Accident' : 'Incident'} report ${number} at ${park}`;
  const text = emergencyService === 'None' ? line : `${line}, with emergency services`;
  await notify(db, now, {
    kind: 'reportFiled',
    to: { reviewersOf: park },
    thing: 'report',
    thing_id: id,
    park,
    text,
    line: text,
    link: recordUrls.report(id),
    isUrgent: emergencyService !== 'None',
  });
}

const requireReport = async (db: Database, id: string) => required(await findReport(db, id), 'Report not found');
