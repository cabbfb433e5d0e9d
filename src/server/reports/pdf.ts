// A report as a printed page: every field, the photos and both signatures.
import { formatCapturedAt, formatDay, formatInstant } from '#shared/dates.ts';
import type { RiddorState } from '#shared/law/riddor-state.ts';
import {
  formatReportField,
  isOptional,
  isPersonal,
  orderReportFields,
  type PersonalFieldName,
  type ReportFieldName,
  reportFields,
} from '#shared/reports/report-fields.ts';
import { getSigner, type Report } from '#shared/reports/reports.ts';
import { describeClosed } from '../parks/closed-periods.ts';
import { createPhotoGrid, type PdfDocument, type PdfMark, type PdfPart } from '../pdf/document.ts';

export const reportTitles = { accident: 'Accident report', incident: 'Incident report' };

/** How copies without names list the fields that they leave out. */
const personalFields: Record<PersonalFieldName, string> = {
  ...{ name: 'Names', reporter: 'Names', contactNumber: 'contact numbers', age: 'ages' },
  ...{ type: 'types', location: 'locations', details: 'details' },
};
export const personalFieldNames = [...new Set(Object.values(personalFields))].join(', ');

const printOrder = orderReportFields(
  ...(['selectedPlace', 'name', 'age', 'contactNumber', 'employmentStatus', 'date', 'time', 'type'] as const),
  ...(['location', 'emergencyService', 'reporter'] as const),
).filter((name) => name !== 'details');

/** The label of `name` takes two lines, and a report with two photos has to fit one page. */
const getPrintedLabel = (name: ReportFieldName) => (name === 'name' ? 'Person involved' : reportFields[name].label);

/** An optional field is printed only if it was filled in, so that a new one leaves earlier reports as they were. */
const createRows = (report: Report, names: ReportFieldName[]) =>
  names
    .filter((name) => report[name] || !isOptional(name))
    .map((name) => ({ label: getPrintedLabel(name), value: formatReportField(name, report[name]) }));

const createHead = (report: Report, madeAt: Date) => ({
  title: reportTitles[report.reportType],
  number: report.number,
  subtitle: `${report.selectedPlace}, ${formatDay(report.date)}${report.time && ` at ${report.time}`}${describeClosed(report.selectedPlace, report.created_at)}`,
  madeAt,
});

/**
 * The report with nothing that identifies a person and no text that users typed: for packs without
 * names, and for safety representatives (SI 1977/500, regulation 7).
 */
export function createPdfWithoutNames(report: Report, madeAt: Date, riddor: string, reason = ''): PdfDocument {
  return {
    ...createHead(report, madeAt),
    parts: [
      {
        kind: 'notice',
        text: `${reason} ${personalFieldNames}, signatures and photos are left out of this copy.`.trim(),
      },
      {
        kind: 'fields',
        rows: [
          ...createRows(
            report,
            printOrder.filter((name) => !isPersonal(name)),
          ),
          { label: 'Filed', value: formatInstant(report.created_at) },
          { label: 'RIDDOR', value: riddor },
        ],
      },
    ],
  };
}

const riddorMarks: Partial<Record<RiddorState['state'], PdfMark>> = {
  reported: 'done',
  record: 'none',
  notReportable: 'none',
};
const getRiddorMark = ({ state, isUrgent }: Pick<RiddorState, 'state' | 'isUrgent'>): PdfMark =>
  isUrgent ? 'urgent' : (riddorMarks[state] ?? 'waiting');

/** Returns the document and the uploads it shows. */
export function createReportPdf(
  report: Report,
  madeAt: Date,
  law: { riddor: Pick<RiddorState, 'state' | 'words' | 'isUrgent'>; parts: PdfPart[] },
): { document: PdfDocument; images: string[] } {
  const photos = report.mediaFiles.map((file) => file.path);
  const { signature, affectedUserSignature } = report;
  const signer = getSigner(report);
  const filledInAt = formatCapturedAt(report.captured_at, report.created_at);
  const document: PdfDocument = {
    ...createHead(report, madeAt),
    parts: [
      {
        kind: 'fields',
        columns: 2,
        rows: [
          ...createRows(report, printOrder),
          { label: 'Filed', value: `${formatInstant(report.created_at)} by ${report.created_by}` },
          { label: 'RIDDOR', value: law.riddor.words, mark: getRiddorMark(law.riddor) },
          ...(filledInAt ? [{ label: 'Filled in', value: filledInAt }] : []),
        ],
      },
      { kind: 'heading', text: 'Details' },
      { kind: 'text', text: report.details },
      ...(photos.length > 0
        ? [
            { kind: 'heading', text: 'Photos' } as const,
            createPhotoGrid(report.mediaFiles, `${reportTitles[report.reportType].toLowerCase()} ${report.number}`),
          ]
        : []),
      { kind: 'heading', text: 'Signatures' },
      {
        kind: 'signatures',
        signatures: [
          { ...(signature && { image: signature.path }), name: report.reporter, role: 'Person completing the form' },
          {
            ...(affectedUserSignature && { image: affectedUserSignature.path }),
            name: signer.name,
            role: signer.signedFor ? `Affected party. ${signer.signedFor}` : 'Affected party',
          },
        ],
      },
      ...law.parts,
    ],
  };
  const images = [...photos, ...[signature, affectedUserSignature].flatMap((image) => (image ? [image.path] : []))];
  return { document, images };
}
