// The period of the checks in a pack.
import { addYears } from '#shared/calendar.ts';
import { parseDay } from '#shared/dates.ts';
import type { Report } from '#shared/reports/reports.ts';

/** Days are inclusive. */
export type CheckPeriod = { park: Report['selectedPlace']; from: string; to: string };

/**
 * Returns a period for each park: from 12 months before its first report to its last one. Ignores
 * reports without a readable date.
 */
export function getCheckPeriods(reports: Pick<Report, 'selectedPlace' | 'date'>[]): CheckPeriod[] {
  const datedReports = reports.filter(({ date }) => parseDay(date) === date);
  return [...Map.groupBy(datedReports, ({ selectedPlace }) => selectedPlace)]
    .map(([park, parkReports]) => {
      const days = parkReports.map(({ date }) => date).sort();
      return { park, from: addYears(days[0] ?? '', -1), to: days.at(-1) ?? '' };
    })
    .sort((a, b) => (a.park < b.park ? -1 : 1));
}
