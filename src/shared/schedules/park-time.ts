// Converts days and times in the parks (Europe/London) to timestamps, correctly on both nights when
// the clocks change.

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

// Created once, because creating a formatter takes longer than converting all dates of a month.
let format: Intl.DateTimeFormat | undefined;

/** Returns the local time in the parks at a timestamp, in milliseconds as if it were UTC. */
function getLocalTimeMs(instantMs: number): number {
  format ??= new Intl.DateTimeFormat('en-GB', {
    timeZone: 'Europe/London',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  });
  const part: Record<string, number> = {};
  for (const { type, value } of format.formatToParts(instantMs)) part[type] = Number(value);
  return Date.UTC(part.year ?? 0, (part.month ?? 1) - 1, part.day, part.hour, part.minute);
}

/**
 * Converts a day (`YYYY-MM-DD`) and time (`HH:MM`) in the parks to a timestamp in milliseconds. For
 * a time that occurs twice (autumn), `which` chooses the first or the last. A time that is skipped
 * (spring) becomes the moment when the clocks go forward.
 */
export function getParkInstant(day: string, time: string, which: 'first' | 'last'): number {
  const localTimeMs = Date.parse(`${day}T${time}:00Z`);
  const summerTimeMs = localTimeMs - hourMs;
  const isSummer = getLocalTimeMs(summerTimeMs) === localTimeMs;
  const isWinter = getLocalTimeMs(localTimeMs) === localTimeMs;
  if (isSummer && isWinter) return which === 'first' ? summerTimeMs : localTimeMs;
  if (isSummer) return summerTimeMs;
  if (isWinter) return localTimeMs;
  // Clocks go forward at 01:00 UTC, so every skipped time is in the hour after that.
  return Math.floor(localTimeMs / hourMs) * hourMs;
}

const dayMs = 24 * hourMs;

/** Returns a day (`YYYY-MM-DD`) as the number of days since 1 January 1970, for calculations. */
export const toDayNumber = (day: string): number => Date.parse(`${day}T00:00:00Z`) / dayMs;

/** Returns the weekday of a number from `toDayNumber`, 1 (Monday) to 7. Day 0 was a Thursday. */
export const getIsoWeekday = (dayNumber: number): number => ((((dayNumber + 3) % 7) + 7) % 7) + 1;

/** Returns the day (`YYYY-MM-DD`) of a number from `toDayNumber`. */
export const fromDayNumber = (number: number): string => new Date(number * dayMs).toISOString().slice(0, 10);
