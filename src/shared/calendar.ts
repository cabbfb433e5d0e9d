// Arithmetic on calendar days written as YYYY-MM-DD. Uses no timestamps, so clock changes cannot move a day. Where a
// timestamp is given, its day in UTC counts.

const dayMs = 24 * 60 * 60 * 1000;
const dayToMs = (day: string) =>
  Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)) - 1, Number(day.slice(8, 10)));
const msToDay = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** Returns a day as the number of days since 1 January 1970, for calculations. */
export const toDayNumber = (day: string): number => dayToMs(day) / dayMs;

/** Returns the day of a number from `toDayNumber`. */
export const fromDayNumber = (number: number): string => msToDay(number * dayMs);

/** Returns the weekday of a number from `toDayNumber`, 1 (Monday) to 7. Day 0 was a Thursday. */
export const getIsoWeekday = (dayNumber: number): number => ((((dayNumber + 3) % 7) + 7) % 7) + 1;

export const getMonday = (day: string): string => addDays(day, 1 - getIsoWeekday(toDayNumber(day)));

/** Returns the day that is this many days later; earlier if negative. */
export const addDays = (day: string, days: number): string => msToDay(dayToMs(day) + days * dayMs);

/** Returns the number of days from one day to another; negative if the second is earlier. */
export const countDays = (from: string, to: string): number => (dayToMs(to) - dayToMs(from)) / dayMs;

/** Returns the same day in another year. 29 February becomes 1 March if that year has none. */
export function addYears(day: string, years: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return msToDay(Date.UTC(year + years, month - 1, date));
}

/** Returns the earliest day, ignoring unknown ones. */
export const getEarliest = (days: (string | null | undefined)[]): string | null =>
  days.reduce<string | null>((first, day) => (day && (first === null || day < first) ? day : first), null);
