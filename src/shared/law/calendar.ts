// Arithmetic on calendar days written as YYYY-MM-DD. Uses no timestamps, so clock changes cannot
// move a day.

const dayMs = 24 * 60 * 60 * 1000;
const dayToMs = (day: string) =>
  Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)) - 1, Number(day.slice(8, 10)));
const msToDay = (ms: number) => new Date(ms).toISOString().slice(0, 10);

export const addDays = (day: string, days: number): string => msToDay(dayToMs(day) + days * dayMs);

/** Returns the number of days from one day to another; negative if the second is earlier. */
export const countDays = (from: string, to: string): number => Math.round((dayToMs(to) - dayToMs(from)) / dayMs);

/** Returns the same day in another year. 29 February becomes 1 March if that year has none. */
export function addYears(day: string, years: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return msToDay(Date.UTC(year + years, month - 1, date));
}

/** Returns the earliest day, ignoring unknown ones. */
export function getEarliest(days: (string | null | undefined)[]): string | null {
  return days.reduce<string | null>((first, day) => (day && (first === null || day < first) ? day : first), null);
}
