// The text used to search for a report: its number and all its fields except the age. When it
// changes, a migration must update the text of existing reports, as 004-report-search.ts does.
import { formatMonth, getMonth, parseDay } from '#shared/dates.ts';
import { type ReportFieldName, reportFieldNames, reportFields } from '#shared/reports/report-fields.ts';
import { foldText } from '#shared/text.ts';
import type { Tables } from './schema.ts';

export type SearchedReport = Pick<Tables['reports'], 'number' | ReportFieldName>;

export const getReportSearchText = (report: SearchedReport): string =>
  foldText([report.number, ...reportFieldNames.flatMap((name) => listTexts(name, report))].filter(Boolean).join('\n'));

function listTexts(name: ReportFieldName, report: SearchedReport) {
  const { kind } = reportFields[name];
  if (kind === 'age') return [];
  if (kind === 'date') return getWrittenDates(String(report[name] ?? ''));
  // Leave out 'None', which most reports have: a search for that word would match nearly all of them.
  return kind === 'choice' && report[name] === 'None' ? [] : [report[name]];
}

/**
 * Returns a date in its usual forms, so that a search finds each: `01/03/2026`, `1/3/2026`,
 * `1/3/26` and `1 March 2026`. An unreadable date stays as it is.
 */
function getWrittenDates(date: string): string[] {
  const [year = '', month = '', day = ''] = parseDay(date)?.split('-') ?? [];
  if (!year) return [date];
  const [shortDay, shortMonth, shortYear] = [Number(day), Number(month), year.slice(2)];
  return [
    ...new Set([
      `${day}/${month}/${year}`,
      `${shortDay}/${shortMonth}/${year}`,
      `${day}/${month}/${shortYear}`,
      `${shortDay}/${shortMonth}/${shortYear}`,
      `${shortDay} ${formatMonth(getMonth(date))}`,
    ]),
  ];
}
