// Which checks a pack holds.
import { parseDay } from '#shared/dates.ts';
import { addYears } from '#shared/law/calendar.ts';
import type { Report } from '#shared/reports.ts';

/** Days are inclusive. */
export type CheckPeriod = { park: Report['selectedPlace']; from: string; to: string };

/** Of each park: the 12 months before its first report, until its last. Without a readable date: none. */
export function getCheckPeriods(reports: Pick<Report, 'selectedPlace' | 'date'>[]): CheckPeriod[] {
  const dated = reports.filter(({ date }) => parseDay(date) === date);
  return [...Map.groupBy(dated, ({ selectedPlace }) => selectedPlace)]
    .map(([park, own]) => {
      const days = own.map(({ date }) => date).sort();
      return { park, from: addYears(days[0] ?? '', -1), to: days.at(-1) ?? '' };
    })
    .sort((a, b) => (a.park < b.park ? -1 : 1));
}
