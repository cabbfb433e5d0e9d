// Civil days and times in the parks (Europe/London) as instants, right on both nights when the clocks change.

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

// One per process: making a formatter costs more than all the dates of a month.
let format: Intl.DateTimeFormat | undefined;

/** The wall clock at an instant, as if it were UTC, in milliseconds. */
function wallClock(instantMs: number): number {
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
 * The instant of a day (`YYYY-MM-DD`) and time (`HH:MM`) in the parks, in milliseconds.
 * A time that happens twice (the autumn change) is its first or its last occurrence, as `which` says.
 * A time that does not happen (the spring change) is the instant at which the clocks go forward.
 */
export function instantInParks(day: string, time: string, which: 'first' | 'last'): number {
  const wall = Date.parse(`${day}T${time}:00Z`);
  const summer = wall - hourMs;
  const isSummer = wallClock(summer) === wall;
  const isWinter = wallClock(wall) === wall;
  if (isSummer && isWinter) return which === 'first' ? summer : wall;
  if (isSummer) return summer;
  if (isWinter) return wall;
  // Clocks go forward at 01:00 UTC, so every missing time lies in the hour after that.
  return Math.floor(wall / hourMs) * hourMs;
}

const dayMs = 24 * hourMs;

/** A day (`YYYY-MM-DD`) as a count of days since 1 January 1970: whole numbers to add to and compare. */
export const dayNumber = (day: string): number => Date.parse(`${day}T00:00:00Z`) / dayMs;

/** The day (`YYYY-MM-DD`) of a count made by `dayNumber`. */
export const dayOfNumber = (number: number): string => new Date(number * dayMs).toISOString().slice(0, 10);
