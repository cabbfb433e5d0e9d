// The content of a pack "without names", which contains nothing that identifies a person and no
// text that users typed.
import { formatDay, formatInstant } from '#shared/dates.ts';
import type { Report } from '#shared/reports.ts';
import { activityColumns, auditColumns, checkColumns } from '../exports/lists.ts';
import type { Column } from '../exports/table.ts';
import type { PdfDocument } from '../pdf/document.ts';
import { reportTitles } from '../reports/pdf.ts';

const leftOut =
  'Names, contact numbers, ages, types, locations, details, signatures and photos are left out of this copy.';

export function createPdfWithoutNames(report: Report, madeAt: Date, riddor: string): PdfDocument {
  return {
    title: reportTitles[report.reportType],
    number: report.number,
    subtitle: `${report.selectedPlace}, ${formatDay(report.date)}${report.time && ` at ${report.time}`}`,
    madeAt,
    parts: [
      { kind: 'notice', text: leftOut },
      {
        kind: 'fields',
        rows: [
          { label: 'Park', value: report.selectedPlace },
          { label: 'Employment status', value: report.employmentStatus },
          { label: 'Date', value: formatDay(report.date) },
          { label: 'Time', value: report.time },
          { label: 'Emergency services attended', value: report.emergencyService },
          { label: 'Filed', value: formatInstant(report.created_at) },
          { label: 'RIDDOR', value: riddor },
        ],
      },
    ],
  };
}

const pick = <Row>(columns: Column<Row>[], headings: string[]) =>
  columns.filter(({ heading }) => headings.includes(heading));

export const historyColumnsWithoutNames = pick(activityColumns(), ['When', 'Action']);
export const auditColumnsWithoutNames = pick(auditColumns, [
  'Park',
  'Date',
  'Time',
  'Urgent',
  'Status',
  'Completed at',
  'Created',
]);
export const checkColumnsWithoutNames = pick(checkColumns, [
  ...['Day', 'Park', 'Checklist', 'Before opening', 'Due from', 'Due until'],
  ...['State', 'Filled in', 'Time from the device', 'Failing answers'],
]);
