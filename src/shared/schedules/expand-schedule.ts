// Expands a schedule's fields into the days and times when its checks are due, in Europe/London.
import { countDays, fromDayNumber, getIsoWeekday, getMonday, toDayNumber } from '../calendar.ts';
import { getParkInstant } from './park-time.ts';
import { getWindows, type NewSchedule, type Repeat } from './schedules.ts';

/** `MM-DD` to `MM-DD`, both included. A season that ends before it begins runs over New Year. */
export type Season = { from: string; to: string };

export type ScheduleRule = {
  repeat: Repeat;
  /** Every how many days, weeks, months or years; 1 by default. Weeks run Monday to Sunday. */
  every?: number;
  /** For `weekly`: 1 (Monday) to 7 (Sunday), as in ISO 8601. */
  weekdays?: number[];
  /** For `yearly`: 1 to 12. */
  month?: number | null;
  /** For `monthly` and `yearly`: 1 to 31. A shorter month has its check on its last day. */
  monthDay?: number | null;
  season?: Season | null;
  /**
   * The windows of a day in order, `HH:MM` each. One that closes at or before the time it opens closes
   * on the next day.
   */
  windows: { opensAt: string; closesAt: string }[];
  /** First and last day, `YYYY-MM-DD`, both included. */
  startsOn: string;
  endsOn?: string | null;
  /** The day in whose week, month or year `every` starts to count; by default the first day. */
  countedFrom?: string;
};

export type Occurrence = {
  /** The day on which the window opens, `YYYY-MM-DD`. */
  day: string;
  /** Timestamps in ISO 8601 UTC. The check is on time from `opensAt` until before `closesAt`. */
  opensAt: string;
  closesAt: string;
};

/** Returns the fields of a schedule that say when its checks are due. */
export const toRule = (
  schedule: Omit<NewSchedule, 'checklist_id' | 'parks' | 'places' | 'opens' | 'gate' | 'weekday'>,
): ScheduleRule => ({
  repeat: schedule.repeat,
  every: schedule.every,
  weekdays: schedule.weekdays,
  month: schedule.month,
  monthDay: schedule.month_day,
  season: schedule.season_from && schedule.season_to ? { from: schedule.season_from, to: schedule.season_to } : null,
  windows: getWindows(schedule).map(({ opens_at, closes_at }) => ({ opensAt: opens_at, closesAt: closes_at })),
  startsOn: schedule.starts_on,
  endsOn: schedule.ends_on,
});

/** Whether more than a month passes from one due day to the next. */
export const isRarerThanMonthly = ({ repeat, every = 1 }: ScheduleRule): boolean =>
  repeat === 'yearly' || (repeat === 'monthly' && every > 1) || countDaysBetween(repeat, every) > 31;

const countDaysBetween = (repeat: Repeat, every: number) => (repeat === 'weekly' ? 7 : 1) * every;

/** Windows by day and times, because many parks and schedules share them. */
const windowCache = new Map<string, Omit<Occurrence, 'day'>>();
const maxCachedWindows = 20_000;

/**
 * Returns the occurrences of a schedule on the days `from` to `to` (`YYYY-MM-DD`, both included),
 * in order. Nothing is due on `closedDays`, on which the park is closed.
 */
export function expandSchedule(
  rule: ScheduleRule,
  from: string,
  to: string,
  closedDays: ReadonlySet<string> = new Set(),
): Occurrence[] {
  const first = Math.max(toDayNumber(from), toDayNumber(rule.startsOn));
  const last = Math.min(toDayNumber(to), rule.endsOn ? toDayNumber(rule.endsOn) : Number.POSITIVE_INFINITY);
  const occurrences: Occurrence[] = [];
  for (let dayNumber = first; dayNumber <= last; dayNumber += 1) {
    const day = fromDayNumber(dayNumber);
    if (isDueOn(rule, day) && isInSeason(rule.season, day) && !closedDays.has(day))
      for (const window of rule.windows) occurrences.push({ day, ...getWindow(window, dayNumber, day) });
  }
  return occurrences;
}

function isDueOn(rule: ScheduleRule, day: string): boolean {
  const { repeat, every = 1, weekdays = [], month, monthDay, countedFrom = rule.startsOn } = rule;
  const isEvery = (count: number) => count % every === 0;
  const isDayOfMonth = () => Number(day.slice(8)) === Math.min(monthDay ?? 1, daysInMonth(day));
  switch (repeat) {
    case 'daily':
      return isEvery(countDays(countedFrom, day));
    case 'weekdays':
      return getIsoWeekday(toDayNumber(day)) <= 5;
    case 'weekly':
      return (
        weekdays.includes(getIsoWeekday(toDayNumber(day))) &&
        isEvery(countDays(getMonday(countedFrom), getMonday(day)) / 7)
      );
    case 'monthly':
      return isDayOfMonth() && isEvery(countMonths(day) - countMonths(countedFrom));
    case 'yearly':
      return getMonthNumber(day) === month && isDayOfMonth() && isEvery(getYear(day) - getYear(countedFrom));
  }
}

const getYear = (day: string) => Number(day.slice(0, 4));
const getMonthNumber = (day: string) => Number(day.slice(5, 7));
const countMonths = (day: string) => getYear(day) * 12 + getMonthNumber(day);

const daysInMonth = (day: string) =>
  new Date(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)), 0)).getUTCDate();

/** Whether a day (`YYYY-MM-DD`) is in the season; every day is if there is none. */
export function isInSeason(season: Season | null | undefined, day: string): boolean {
  if (!season) return true;
  const monthDay = day.slice(5);
  const { from, to } = season;
  return from <= to ? from <= monthDay && monthDay <= to : monthDay >= from || monthDay <= to;
}

function getWindow({ opensAt, closesAt }: ScheduleRule['windows'][number], dayNumber: number, day: string) {
  const key = `${day} ${opensAt} ${closesAt}`;
  let window = windowCache.get(key);
  if (!window) {
    const closingDay = closesAt > opensAt ? day : fromDayNumber(dayNumber + 1);
    const opens = getParkInstant(day, opensAt, 'first');
    const closes = getParkInstant(closingDay, closesAt, 'last');
    // A window that lies in the hour skipped in spring would be empty, so it keeps its length.
    const end = closes > opens ? closes : opens + getLengthMs(opensAt, closesAt);
    window = { opensAt: new Date(opens).toISOString(), closesAt: new Date(end).toISOString() };
    if (windowCache.size >= maxCachedWindows) windowCache.clear();
    windowCache.set(key, window);
  }
  return window;
}

const minutes = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
const getLengthMs = (opensAt: string, closesAt: string) => (minutes(closesAt) - minutes(opensAt)) * 60_000;
