// Formats schedules and checks as text.
import { formatDay, formatInstant, formatRecentInstant } from '#shared/dates.ts';
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

export function formatRepeat({
  repeat,
  weekday,
  month_day,
}: Pick<Schedule, 'repeat' | 'weekday' | 'month_day'>): string {
  if (repeat === 'daily') return 'Every day';
  if (repeat === 'weekdays') return 'Monday to Friday';
  return repeat === 'weekly' ? `Every ${weekdaysFromMonday[(weekday ?? 1) - 1]}` : `Day ${month_day} of every month`;
}

/** `08:00 to 09:00 and 12:00 to 13:00`. */
export const formatWindows = (windows: Window[]): string =>
  new Intl.ListFormat('en-GB').format(windows.map(({ opens_at, closes_at }) => `${opens_at} to ${closes_at}`));

/** `Every day, 06:00 to 10:00, 1 Apr to 31 Oct; before opening Pool`. */
export function describeSchedule(schedule: Schedule): string {
  const { season_from, season_to, ends_on, gate } = schedule;
  const parts = [
    formatRepeat(schedule),
    formatWindows(getWindows(schedule)),
    ...(season_from && season_to ? [`${formatMonthDay(season_from)} to ${formatMonthDay(season_to)}`] : []),
    ...(ends_on ? [`until ${formatDay(ends_on)}`] : []),
  ];
  return parts.join(', ') + (gate ? `; before opening ${gate}` : '');
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
export const formatCheckTime = ({ day, opens_at, closes_at }: Pick<Check, 'day' | 'opens_at' | 'closes_at'>): string =>
  `${formatDay(day)}, ${formatInstant(opens_at).slice(-5)} to ${formatInstant(closes_at).slice(-5)}`;

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

/** `Checked 08:05, valid until 12:00`, or why not: `Not ready: check due since 06:00`. */
export function describeReadiness({
  is_ready,
  checked_at,
  valid_until,
  due_since,
  failures,
  audits,
}: Readiness): string {
  if (is_ready) {
    const until = valid_until ? `, valid until ${formatRecentInstant(valid_until)}` : '';
    return `Checked ${formatRecentInstant(checked_at ?? '')}${until}`;
  }
  if (failures > 0) {
    const titles = audits.length > 0 ? ` (${audits.join('; ')})` : '';
    return `Not ready: ${pluralise(failures, 'failing answer')}${titles}`;
  }
  if (due_since) return `Not ready: check due since ${formatRecentInstant(due_since)}`;
  return valid_until
    ? `Not ready: first check due at ${formatRecentInstant(valid_until)}`
    : 'Not ready: no check is due';
}
