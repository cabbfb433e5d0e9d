// Where a report stands in the list: one unique integer that orders by the day and time it speaks of, then by when it was filed.
// It is the list's cursor and the search index's rowid at once, so that "newest first, from here" is one step in either.
import { readDay, readTime } from '../../shared/dates.ts';

const epoch = Date.UTC(1900, 0, 1);
const perMinute = 2 ** 24;

/** `filed` counts the reports ever filed. A date that cannot be read stands before every other. Below 2^53 until the year 2900. */
export function positionOf(date: string, time: string, filed: number): number {
  const day = readDay(date);
  const minute = day ? (Date.parse(`${day}T${readTime(time) ?? '00:00'}:00Z`) - epoch) / 60_000 + 1 : 0;
  return minute * perMinute + (filed % perMinute);
}
