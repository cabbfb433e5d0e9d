// Where a record stands in its list: one unique integer that orders by a day and a time, then by when it was filed.
// It is the list's cursor and the search index's rowid at once, so that "newest first, from here" is one step in either.
import { parseDay, parseTime } from '#shared/dates.ts';

const epoch = Date.UTC(1900, 0, 1);
const perMinute = 2 ** 24;

/** `sequence` counts the records ever filed. A date that cannot be read stands before every other. Below 2^53 until the year 2900. */
export function getPosition(date: string, time: string, sequence: number): number {
  const day = parseDay(date);
  const minute = day ? (Date.parse(`${day}T${parseTime(time) ?? '00:00'}:00Z`) - epoch) / 60_000 + 1 : 0;
  return minute * perMinute + (sequence % perMinute);
}

/** The same for a record that is ordered by an instant (ISO-8601 UTC). With `sequence` 0, the first position of its minute. */
export const getPositionAt = (instant: string, sequence: number) =>
  getPosition(instant.slice(0, 10), instant.slice(11, 16), sequence);
