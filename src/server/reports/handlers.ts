import type { Api } from '#shared/api.ts';
import { done } from '#shared/replies.ts';
import type { ReportType } from '#shared/reports.ts';
import { insertDeletion } from '../deletions/store.ts';
import type { Call, Handlers } from '../http/call.ts';
import { Refusal } from '../http/errors.ts';
import { fingerprintOf } from '../http/idempotency.ts';
import { newId } from '../ids.ts';
import { readImages } from '../uploads/read.ts';
import { attachUploads, mediaFileOf } from '../uploads/store.ts';
import { deleteReport } from './bin.ts';
import { reportPdf } from './pdf.ts';
import { countByMonth, findFiled, findReport, insertReport, listReports, pageReports } from './store.ts';

type ReportCalls =
  | 'submitAccident'
  | 'submitIncident'
  | 'listReports'
  | 'listReportMonths'
  | 'getReport'
  | 'deleteReport'
  | 'getReportPdf';

export const reportHandlers: Pick<Handlers, ReportCalls> = {
  submitAccident: (call) => fileReport(call, 'accident'),
  submitIncident: (call) => fileReport(call, 'incident'),

  /** Asked for nothing in particular, all of them. */
  async listReports({ db, query, note }) {
    // A list shows whole reports, so that it was read is kept; once, not for each page of it.
    if (!query.after) await note({ action: 'listed', thing: 'report' });
    return query.limit === undefined ? pageReports(db, query) : listReports(db, query, query.limit);
  },

  listReportMonths: ({ db, query }) => countByMonth(db, query),

  async getReport({ db, params, note }) {
    const report = (await findReport(db, params.id)) ?? noReport();
    await note({ action: 'opened', thing: 'report', thing_id: report.id, label: report.number });
    return report;
  },

  async deleteReport({ params, user, now, change }) {
    return change(async (db, note) => {
      const report = (await findReport(db, params.id)) ?? noReport();
      const deletionId = await insertDeletion(db, {
        thing: 'report',
        thing_id: report.id,
        label: report.number,
        by: user,
        now,
      });
      await deleteReport(db, report.id, deletionId);
      note({ action: 'deleted', thing: 'report', thing_id: report.id, label: report.number });
      return done;
    });
  },

  async getReportPdf({ db, params, files, pdf, now, note }) {
    const report = (await findReport(db, params.id)) ?? noReport();
    await note({ action: 'opened as PDF', thing: 'report', thing_id: report.id, label: report.number });
    const { document, images } = reportPdf(report, now);
    const rendered = await pdf.render(document, await readImages(files, images));
    return { pdf: rendered.pdf, fileName: `${report.reportType}-report-${report.id}.pdf` };
  },
};

function noReport(): never {
  throw new Refusal(404, 'Report not found');
}

async function fileReport({ body, user, now, change }: Call<Api['submitAccident']>, reportType: ReportType) {
  const fingerprint = fingerprintOf({ reportType, body });
  return change(async (db, note) => {
    const filed = await findFiled(db, user.id, body.signature.path, fingerprint);
    if (filed) return { success: true, ...filed } as const;
    const id = newId();
    const media = body.mediaFiles;
    const paths = [...media.map((file) => file.path), body.signature.path, body.affectedUserSignature.path];
    const uploads = await attachUploads(db, paths, user.id, { attached_to: 'report', attached_id: id });
    const [signature, affected] = uploads.slice(media.length);
    if (signature?.blank) throw missing('signature', 'Reporter signature is required');
    if (affected?.blank) throw missing('affectedUserSignature', 'Affected party signature is required');
    const mediaFiles = uploads
      .slice(0, media.length)
      .map((upload, index) => mediaFileOf(upload, media[index]?.name ?? ''));
    const { number } = await insertReport(db, { id, reportType, report: body, mediaFiles, fingerprint, by: user, now });
    note({ action: 'filed', thing: 'report', thing_id: id, label: number });
    return { success: true, id, number } as const;
  });
}

const missing = (field: string, message: string) =>
  new Refusal(400, message, { code: 'INVALID', fields: { [field]: message } });
