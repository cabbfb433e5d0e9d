// A record's position in its list: one unique integer, ordered by date and time, then by creation.
// It is both the list's cursor and the search index's rowid, so that either can be read in order
// from any point.
import { parseDay, parseTime } from '#shared/dates.ts';

const firstDay = Date.UTC(1900, 0, 1);
const positionsPerMinute = 2 ** 24;

/**
 * Returns the position of a record with this date and time. `sequence` is the number of records
 * created so far. Unreadable dates sort first. The result is below 2^53, and thus exact, until the
 * year 2900.
 */
export function getPosition(date: string, time: string, sequence: number): number {
  const day = parseDay(date);
  const minute = day ? (Date.parse(`${day}T${parseTime(time) ?? '00:00'}:00Z`) - firstDay) / 60_000 + 1 : 0;
  return minute * positionsPerMinute + (sequence % positionsPerMinute);
}

/**
 * Returns the position of a record that is ordered by a timestamp (ISO 8601 UTC). With `sequence` 0
 * it is the first position of that minute.
 */
export const getPositionAt = (timestamp: string, sequence: number) =>
  getPosition(timestamp.slice(0, 10), timestamp.slice(11, 16), sequence);
