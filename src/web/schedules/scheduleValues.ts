// The input of a schedule's form, and how it is saved.
import { api } from '#shared/api.ts';
import { formatDay, getToday } from '#shared/dates.ts';
import { getWindows, type Repeat, type Schedule, type Window } from '#shared/schedules/schedules.ts';
import { callApiWithRetry } from '../client/api.ts';
import { getNewerVersion } from '../client/errors.ts';
import { sendChange } from '../client/sendChange.ts';
import { formNames } from '../formNames.ts';
import type { Difference } from '../ui/dialogs/ConflictDialog.tsx';
import { hasTypedInput } from '../ui/forms/typedInput.ts';
import { formatRepeat, formatWindows } from './text.ts';

export type ScheduleValues = {
  parks: string[];
  repeat: Repeat;
  /** Text, because a number field may be empty. */
  every: string;
  weekdays: number[];
  month: number;
  month_day: number;
  season_from: string;
  season_to: string;
  windows: Window[];
  starts_on: string;
  ends_on: string;
  /** The ids of places of the user's parks, and whether they open only after this check. */
  places: string[];
  opens: boolean;
};

/** `schedule` is the one to change, as it was opened or as a conflict showed it. */
export type ScheduleVariables = { values: ScheduleValues; checklistId: string; schedule: Schedule | undefined };

export const getScheduleFormName = (checklistId: string, schedule: Schedule | undefined) =>
  schedule ? formNames.schedule(schedule.id) : formNames.newSchedule(checklistId);

/** Whether a new schedule of this checklist has input that is not saved. */
export const isNewScheduleUnfinished = (checklistId: string) =>
  hasTypedInput(getScheduleFormName(checklistId, undefined).name);

/** A season is days of every year; the field shows those of this year. */
const toDay = (monthDay: string | null | undefined) => (monthDay ? `${getToday().slice(0, 4)}-${monthDay}` : '');
const toMonthDay = (day: string) => (day === '' ? null : day.slice(5));

/** `park` is the default of a new schedule. */
export const toValues = (schedule: Schedule | undefined, park = ''): ScheduleValues => ({
  parks: schedule?.parks ?? (park ? [park] : []),
  repeat: schedule?.repeat ?? 'daily',
  every: String(schedule?.every ?? 1),
  weekdays: schedule?.weekdays ?? [],
  month: schedule?.month ?? 1,
  month_day: schedule?.month_day ?? 1,
  season_from: toDay(schedule?.season_from),
  season_to: toDay(schedule?.season_to),
  windows: schedule ? getWindows(schedule) : [{ opens_at: '06:00', closes_at: '10:00' }],
  starts_on: schedule?.starts_on ?? getToday(),
  ends_on: schedule?.ends_on ?? '',
  places: schedule?.places ?? [],
  opens: schedule?.opens ?? false,
});

/** Returns the body to send, without the days that the chosen repetition does not use. */
export const toBody = ({ values: { windows, ...values }, checklistId }: ScheduleVariables) => ({
  ...values,
  ...windows[0],
  more_windows: windows.slice(1),
  every: values.repeat === 'weekdays' ? 1 : Number(values.every),
  weekdays: values.repeat === 'weekly' ? values.weekdays : [],
  month: values.repeat === 'yearly' ? values.month : null,
  month_day: values.repeat === 'monthly' || values.repeat === 'yearly' ? values.month_day : null,
  checklist_id: checklistId,
  season_from: toMonthDay(values.season_from),
  season_to: toMonthDay(values.season_to),
  ends_on: values.ends_on || null,
});

/** Returns the ids in an order that does not depend on when they were chosen. */
const listIds = (ids: string[]) => ids.toSorted().join(', ');

type ShowPlaces = (ids: string[]) => string;
type Line = {
  label: string;
  names: (keyof ScheduleValues)[];
  format: (values: ScheduleValues, showPlaces: ShowPlaces) => string;
};

/** What the conflict shows side by side; fields of one line are kept together. */
const lines: Line[] = [
  { label: 'Parks', names: ['parks'], format: ({ parks }) => parks.join(', ') },
  {
    label: 'How often',
    names: ['repeat', 'every', 'weekdays', 'month', 'month_day'],
    format: (values) => formatRepeat({ ...values, every: Number(values.every) }),
  },
  { label: 'Times', names: ['windows'], format: ({ windows }) => formatWindows(windows) },
  { label: 'Places', names: ['places'], format: ({ places }, showPlaces) => showPlaces(places) },
  {
    label: 'Opens only after this check has passed',
    names: ['opens'],
    format: ({ opens }) => (opens ? 'Yes' : 'No'),
  },
  { label: 'First day', names: ['starts_on'], format: ({ starts_on }) => formatDay(starts_on) },
  { label: 'Last day', names: ['ends_on'], format: ({ ends_on }) => formatDay(ends_on) },
  {
    label: 'Season',
    names: ['season_from', 'season_to'],
    format: ({ season_from, season_to }) => [season_from, season_to].filter(Boolean).map(formatDay).join(' to '),
  },
];

const getChangedLines = (start: ScheduleValues, values: ScheduleValues) =>
  lines.filter(({ format }) => format(start, listIds) !== format(values, listIds));

/** Returns the other user's schedule with the fields that this user changed. */
export function mergeValues(start: ScheduleValues, mine: ScheduleValues, theirs: ScheduleValues): ScheduleValues {
  const names = getChangedLines(start, mine).flatMap((line) => line.names);
  return { ...theirs, ...Object.fromEntries(names.map((name) => [name, mine[name]])) };
}

/** Returns the fields that both users changed, to different values. `showPlaces` names places. */
export function listConflicts(
  start: ScheduleValues,
  mine: ScheduleValues,
  theirs: ScheduleValues,
  showPlaces: ShowPlaces = listIds,
): Difference[] {
  const changedByThem = getChangedLines(start, theirs);
  return getChangedLines(start, mine)
    .filter((line) => changedByThem.includes(line) && line.format(theirs, listIds) !== line.format(mine, listIds))
    .map(({ label, format }) => ({ label, mine: format(mine, showPlaces), theirs: format(theirs, showPlaces) }));
}

/** Sends a schedule. Fields that only one of two users changed are merged, and cause no conflict. */
export async function sendSchedule(variables: ScheduleVariables, key: string): Promise<unknown> {
  const { schedule, values } = variables;
  if (!schedule) return callApiWithRetry(api.createSchedule, { body: toBody(variables) as never, key });
  const { checklist_id: _, ...fields } = toBody(variables);
  const body = { ...fields, version: schedule.version } as never;
  try {
    return await sendChange(api.updateSchedule, { params: { id: schedule.id }, body });
  } catch (error) {
    const newer = getNewerVersion<Schedule>(error);
    const [start, theirs] = [toValues(schedule), toValues(newer)];
    if (!newer || listConflicts(start, values, theirs).length > 0) throw error;
    return sendSchedule({ ...variables, values: mergeValues(start, values, theirs), schedule: newer }, key);
  }
}
