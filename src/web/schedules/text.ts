// Formats schedules and checks as text.
import { formatDay, formatInstant, formatRecentInstant } from '#shared/dates.ts';
import type { Place } from '#shared/places/places.ts';
import { pluralise } from '#shared/pluralise.ts';
import {
  type Check,
  type CheckStateName,
  getWindows,
  type Readiness,
  type Schedule,
  type Window,
} from '#shared/schedules/schedules.ts';

export const weekdaysFromMonday = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const formatMonthDay = (monthDay: string) => `${Number(monthDay.slice(3))} ${months[Number(monthDay.slice(0, 2)) - 1]}`;

type RepeatFields = Pick<Schedule, 'repeat' | 'every' | 'weekdays' | 'month' | 'month_day'>;

/** `Every 2 weeks on Monday and Thursday`, `Day 31 of every month`, `29 Feb every year`. */
export function formatRepeat({ repeat, every, weekdays, month, month_day }: RepeatFields): string {
  const rhythm = (unit: string) => (every === 1 ? `every ${unit}` : `every ${every} ${unit}s`);
  const days = new Intl.ListFormat('en-GB').format(weekdays.toSorted().map((day) => weekdaysFromMonday[day - 1] ?? ''));
  switch (repeat) {
    case 'daily':
      return every === 1 ? 'Every day' : `Every ${every} days`;
    case 'weekdays':
      return 'Monday to Friday';
    case 'weekly':
      return every === 1 ? `Every ${days}` : `Every ${every} weeks on ${days}`;
    case 'monthly':
      return `Day ${month_day} of ${rhythm('month')}`;
    case 'yearly':
      return `${month_day} ${months[(month ?? 1) - 1]} ${rhythm('year')}`;
  }
}

/** `08:00 to 09:00 and 12:00 to 13:00`. */
export const formatWindows = (windows: Window[]): string =>
  new Intl.ListFormat('en-GB').format(windows.map(({ opens_at, closes_at }) => `${opens_at} to ${closes_at}`));

/** `Every day, 06:00 to 10:00, 1 Apr to 31 Oct; before opening Pool`. */
export function describeSchedule(schedule: Schedule): string {
  const { season_from, season_to, ends_on, opens, places, other_places = 0 } = schedule;
  const gate = schedule.gate || (opens ? pluralise(places.length + other_places, 'place') : '');
  const parts = [
    formatRepeat(schedule),
    formatWindows(getWindows(schedule)),
    ...(season_from && season_to ? [`${formatMonthDay(season_from)} to ${formatMonthDay(season_to)}`] : []),
    ...(ends_on ? [`until ${formatDay(ends_on)}`] : []),
  ];
  return parts.join(', ') + (gate ? `; before opening ${gate}` : '');
}

/** `Indoor pool, Lido Beach; Spa, Mounds`. */
export const listPlaceNames = (ids: string[], places: Place[]): string =>
  places
    .filter(({ id }) => ids.includes(id))
    .map(({ name, park }) => `${name}, ${park}`)
    .sort()
    .join('; ');

/** `Indoor pool, Spa`, or `12 places`; '' if the parks are checked as a whole. */
export function describePlaces({ places: ids, other_places = 0 }: Schedule, places: Place[]): string {
  const names = [...new Set(places.filter(({ id }) => ids.includes(id)).map(({ name }) => name))].sort();
  const total = ids.length + other_places;
  if (total === 0) return '';
  return other_places === 0 && names.length > 0 && names.length <= 3 ? names.join(', ') : pluralise(total, 'place');
}

export const stateNames: Record<CheckStateName, string> = {
  upcoming: 'Not due yet',
  due: 'Due',
  done: 'Done on time',
  doneWithFailures: 'Done with failures',
  late: 'Late',
  missed: 'Missed',
};

/** When a check was due: `01/06/2026, 06:00 to 10:00`. */
export const formatCheckTime = (check: Pick<Check, 'day' | 'opens_at' | 'closes_at'>): string =>
  `${formatDay(check.day)}, ${formatCheckHours(check)}`;

/** `06:00 to 10:00`. */
export const formatCheckHours = ({ opens_at, closes_at }: Pick<Check, 'opens_at' | 'closes_at'>): string =>
  `${formatInstant(opens_at).slice(-5)} to ${formatInstant(closes_at).slice(-5)}`;

/** The state of a check: `Due until 10:00`, `Done 08:05 by sian`. */
export function describeCheck(check: Check, showName: (username: string) => string): string {
  const by = check.filled_in_by ? ` by ${showName(check.filled_in_by)}` : '';
  const device = check.is_time_from_device ? ', time from the device' : '';
  const filledIn = check.filled_in_at ? formatRecentInstant(check.filled_in_at) : '';
  switch (check.state) {
    case 'due':
      return `Due until ${formatRecentInstant(check.closes_at)}`;
    case 'missed':
      return `Missed: was due until ${formatRecentInstant(check.closes_at)}`;
    case 'late':
      return `Late: done ${filledIn}${by}, was due until ${formatRecentInstant(check.closes_at)}`;
    case 'doneWithFailures':
      return `Done ${filledIn}${by} with ${pluralise(check.failures, 'failing answer')}${device}`;
    case 'done':
      return `Done ${filledIn}${by}${device}`;
    default:
      return `Due from ${formatRecentInstant(check.opens_at)}`;
  }
}

/**
 * `Checked 08:05, valid until 12:00`, or why not: `Not ready: check due since 06:00`. A copy, from `copiedAt`, does
 * not say that a place may open, and says how old it is.
 */
export function describeReadiness(readiness: Readiness, copiedAt?: number): string {
  if (copiedAt === undefined) return readiness.is_ready ? describeReady(readiness) : describeNotReady(readiness);
  const copy = `(copy from ${formatRecentInstant(new Date(copiedAt).toISOString())})`;
  if (!readiness.is_ready) return `${describeNotReady(readiness)} ${copy}`;
  const checkedAt = formatRecentInstant(readiness.checked_at ?? '');
  return `Last check passed ${checkedAt} ${copy}. Whether it may open shows when you are back online.`;
}

function describeReady({ checked_at, valid_until }: Readiness): string {
  const until = valid_until ? `, valid until ${formatRecentInstant(valid_until)}` : '';
  return `Checked ${formatRecentInstant(checked_at ?? '')}${until}`;
}

function describeNotReady(readiness: Readiness): string {
  const { not_in_use, valid_until, due_since, failures, audits, check_again, first_check, checklists } = readiness;
  if (not_in_use) return `Not in use: ${describeNotInUse(not_in_use, readiness.not_in_use_until)}`;
  const again = check_again && `Check again: ${check_again}`;
  if (failures > 0) {
    const titles = audits.length > 0 ? ` (${audits.join('; ')})` : '';
    // One checklist has failed, and another must be done again.
    return [`Not ready: ${pluralise(failures, 'failing answer')}${titles}`, again].filter(Boolean).join('. ');
  }
  if (again) return again;
  if (due_since) return `Not ready: check due since ${formatRecentInstant(due_since)}`;
  // Copies of earlier versions do not say which check it is.
  if (first_check === undefined && valid_until)
    return `Not ready: first check due at ${formatRecentInstant(valid_until)}`;
  if (!first_check) return 'Not ready: no check is due';
  const title = checklists.find(({ id }) => id === first_check.checklist_id)?.title;
  return `Not ready: first check of “${title}” is due ${formatRecentInstant(first_check.opens_at)}`;
}

function describeNotInUse(reason: 'closed' | 'season' | 'ended', until: string | null): string {
  if (reason === 'ended') return 'the schedule has ended';
  if (reason === 'closed') return until ? `closed until ${formatDay(until)}` : 'closed';
  return until ? `season from ${formatDay(until)}` : 'out of season';
}
