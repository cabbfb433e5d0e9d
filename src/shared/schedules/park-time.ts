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
