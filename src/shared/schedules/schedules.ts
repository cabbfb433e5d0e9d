// Schedules of checklists, their due checks, and facilities that are ready to open: input and
// output schemas.
import * as z from 'zod/mini';
import { dateSchema, nullableSchema, timeSchema } from '../date-schemas.ts';
import { parkListSchema, parkSchema } from '../places/park-schemas.ts';
import { SentPlaceId } from '../places/places.ts';
import { pluralise } from '../pluralise.ts';
import { lineSchema, linesSchema } from '../text.ts';

/** Maximum numbers of characters, and of places of a schedule. */
export const scheduleLimits = { gate: 60, reason: 500, places: 10_000 } as const;

export const maxWindows = 12;

export const repeats = ['daily', 'weekdays', 'weekly', 'monthly', 'yearly'] as const;
export type Repeat = (typeof repeats)[number];

/** Every how many days, weeks, months or years a check can be due at most, and the word for one of them. */
export const repeatUnits = {
  daily: { unit: 'day', most: 366 },
  weekly: { unit: 'week', most: 52 },
  monthly: { unit: 'month', most: 12 },
  yearly: { unit: 'year', most: 12 },
} as const satisfies Partial<Record<Repeat, { unit: string; most: number }>>;

export const checkStates = ['upcoming', 'due', 'done', 'doneWithFailures', 'late', 'missed'] as const;
export type CheckStateName = (typeof checkStates)[number];

/** `MM-DD`; may be 02-29. */
const MonthDay = z
  .string()
  .check(z.refine((text) => /^\d\d-\d\d$/.test(text) && isDayOfLeapYear(text), 'Choose a day and a month'));

function isDayOfLeapYear(monthDay: string): boolean {
  const date = new Date(`2028-${monthDay}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(5, 10) === monthDay;
}

/** One that closes at or before the time it opens closes on the next day. */
const windowFields = {
  opens_at: timeSchema(z.string('Enter the time')),
  closes_at: timeSchema(z.string('Enter the time')),
};
const Window = z.object(windowFields);
export type Window = z.output<typeof Window>;

const Weekday = z.int().check(z.minimum(1), z.maximum(7));

const fields = {
  parks: z.array(parkSchema, 'Choose at least one park').check(
    z.minLength(1, 'Choose at least one park'),
    z.refine((list) => new Set(list).size === list.length, 'Choose each park once'),
  ),
  repeat: z.enum(repeats, 'Choose how often'),
  /** Every how many days, weeks, months or years. If it is absent: 1, or what a change leaves as it is. */
  every: z.optional(z.int('Enter a whole number').check(z.minimum(1, 'Enter 1 or more'))),
  /** For `weekly`: 1 (Monday) to 7. If they are absent, a change leaves them as they are. */
  weekdays: z.optional(
    z.array(Weekday).check(
      z.maxLength(7),
      z.refine((days) => new Set(days).size === days.length, 'Choose each day once'),
    ),
  ),
  /** For pages of earlier versions: the only weekday, or the first. */
  weekday: z._default(z.nullable(Weekday), null),
  /** For `yearly`: 1 to 12. If it is absent, a change leaves it as it is. */
  month: z.optional(z.nullable(z.int().check(z.minimum(1), z.maximum(12)))),
  /** For `monthly` and `yearly`: 1 to 31. A shorter month has its check on its last day. */
  month_day: z._default(z.nullable(z.int().check(z.minimum(1), z.maximum(31))), null),
  season_from: z._default(nullableSchema(MonthDay), null),
  season_to: z._default(nullableSchema(MonthDay), null),
  ...windowFields,
  /** Further windows of the same day, with a check each. */
  more_windows: z._default(z.array(Window).check(z.maxLength(maxWindows - 1, 'Choose fewer times')), []),
  starts_on: dateSchema(z.string('Enter the date')),
  ends_on: z._default(nullableSchema(dateSchema()), null),
  /**
   * The ids of the places to check at these parks, a check each. A park without any is checked as a whole. If it is
   * absent, a change leaves the places as they are.
   */
  places: z.optional(z.array(SentPlaceId).check(z.maxLength(scheduleLimits.places, 'Choose fewer places'))),
  /** Whether each place may open only after its check has passed. If it is absent, a change leaves it as it is. */
  opens: z.optional(z.boolean('Say whether the places may open only after the check')),
  /**
   * For pages of earlier versions, which know no places: the name of a place at each park that may open only after
   * this check has passed. Used only if the schedule has no places.
   */
  gate: z._default(lineSchema({ max: scheduleLimits.gate }), ''),
};

type RepeatFields = {
  repeat: Repeat;
  every?: number | undefined;
  weekdays?: number[] | undefined;
  month?: number | null | undefined;
  month_day: number | null;
};

/** Returns the field that does not fit how often the check is due, and what to do; undefined if all do. */
export function findRepeatProblem({ repeat, every = 1, weekdays = [], month, month_day }: RepeatFields) {
  const { unit, most } = repeat === 'weekdays' ? { unit: 'day', most: 1 } : repeatUnits[repeat];
  if (every > most) return { path: 'every', message: `Enter at most ${pluralise(most, unit)}` };
  if (repeat === 'weekly' && weekdays.length === 0) return { path: 'weekdays', message: 'Choose the day' };
  if (repeat === 'yearly' && !month) return { path: 'repeat', message: 'Choose the month' };
  if ((repeat === 'monthly' || repeat === 'yearly') && month_day === null)
    return { path: 'repeat', message: 'Choose the day' };
  return undefined;
}

const fitsRepeat = z.check<RepeatFields & { weekday: number | null }>(({ value, issues }) => {
  const { weekday, weekdays = weekday === null ? [] : [weekday] } = value;
  const problem = findRepeatProblem({ ...value, weekdays });
  if (problem) issues.push({ code: 'custom', path: [problem.path], message: problem.message, input: value });
});
const hasBothSeasonDays = z.refine<{ season_from: string | null; season_to: string | null }>(
  ({ season_from, season_to }) => (season_from === null) === (season_to === null),
  { path: ['season_to'], error: 'Enter both days of the season, or neither' },
);
const endsAfterStart = z.refine<{ starts_on: string; ends_on: string | null }>(
  ({ starts_on, ends_on }) => ends_on === null || ends_on >= starts_on,
  { path: ['ends_on'], error: 'The last day is before the first' },
);

/** Returns all windows of a day, the earliest first. */
export const getWindows = ({ opens_at, closes_at, more_windows }: Window & { more_windows: Window[] }): Window[] =>
  [{ opens_at, closes_at }, ...more_windows].sort((a, b) => (a.opens_at < b.opens_at ? -1 : 1));

const toNumber = (time: string) => Number(time.replace(':', ''));

/** Includes the first window of the next day, because the last one may close after midnight. */
const hasSeparateWindows = z.refine<Window & { more_windows: Window[] }>(
  (schedule) => {
    const windows = getWindows(schedule);
    const opening = windows.map(({ opens_at }) => toNumber(opens_at));
    return windows.every(({ opens_at, closes_at }, index) => {
      const closing = toNumber(closes_at) + (closes_at <= opens_at ? 2400 : 0);
      return closing <= (opening[index + 1] ?? (opening[0] ?? 0) + 2400);
    });
  },
  { path: ['more_windows'], error: 'These times overlap' },
);

export const NewSchedule = z
  .object({ checklist_id: z.string(), ...fields })
  .check(fitsRepeat, hasSeparateWindows, hasBothSeasonDays, endsAfterStart);
export type NewSchedule = z.output<typeof NewSchedule>;

/**
 * With `version`, rejects a save over someone else's change. Whether the fields fit how often the check is due shows only
 * with those that stay as they are.
 */
export const ScheduleChange = z
  .object({ ...fields, version: z.optional(z.int()) })
  .check(hasSeparateWindows, hasBothSeasonDays, endsAfterStart);

export const Schedule = z.object({
  id: z.string(),
  checklist_id: z.string(),
  checklist_title: z.string(),
  parks: z.array(z.string()),
  repeat: z.enum(repeats),
  every: z.number(),
  weekdays: z.array(z.number()),
  /** The first of them, for pages of earlier versions. */
  weekday: z.nullable(z.number()),
  month: z.nullable(z.number()),
  month_day: z.nullable(z.number()),
  season_from: z.nullable(z.string()),
  season_to: z.nullable(z.string()),
  opens_at: z.string(),
  closes_at: z.string(),
  more_windows: z.array(z.object({ opens_at: z.string(), closes_at: z.string() })),
  starts_on: z.string(),
  ends_on: z.nullable(z.string()),
  /** The ids of its places at the viewer's parks. */
  places: z.array(z.string()),
  /** For reviewers of some parks: the number of its places at other parks. */
  other_places: z.optional(z.number()),
  opens: z.boolean(),
  /** The name of its places if they open after the check and all have the same name; otherwise empty. */
  gate: z.string(),
  version: z.number(),
});
export type Schedule = z.output<typeof Schedule>;

/** Days on which a park is closed: no checks are due there. The first and the last day are included. */
export const NewClosure = z
  .object({
    park: parkSchema,
    starts_on: dateSchema(z.string('Enter the date')),
    ends_on: dateSchema(z.string('Enter the date')),
  })
  .check(
    endsAfterStart,
    z.refine(({ starts_on, ends_on }) => Date.parse(ends_on) - Date.parse(starts_on) <= 366 * 86_400_000, {
      path: ['ends_on'],
      error: 'Choose at most one year',
    }),
  );
export const Closure = z.object({ id: z.string(), park: z.string(), starts_on: z.string(), ends_on: z.string() });
export type Closure = z.output<typeof Closure>;

/** A check of one window of a day at one place, or one park as a whole, with its state. Timestamps are ISO 8601 UTC. */
export const Check = z.object({
  id: z.string(),
  schedule_id: z.string(),
  checklist_id: z.string(),
  checklist_title: z.string(),
  park: z.string(),
  day: z.string(),
  opens_at: z.string(),
  closes_at: z.string(),
  /** The place; null, with an empty name, for the park as a whole. */
  place_id: z.nullable(z.string()),
  place: z.string(),
  /** The name of the place if it may open only after this check has passed; otherwise empty. */
  gate: z.string(),
  state: z.enum(checkStates),
  submission_id: z.nullable(z.string()),
  filled_in_at: z.nullable(z.string()),
  filled_in_by: z.nullable(z.string()),
  /** On time only by the device's clock: the server received it after the window closed. */
  is_time_from_device: z.boolean(),
  failures: z.number(),
  /** Why it was missed, written by a reviewer. */
  reason: z.nullable(z.string()),
  reason_by: z.nullable(z.string()),
});
export type Check = z.output<typeof Check>;

/** Why a place needs no check at present. */
export const notInUseReasons = ['closed', 'season', 'ended'] as const;

/** Whether a place may open: its last checks passed, and the next one is not due yet. */
export const Readiness = z.object({
  park: z.string(),
  place_id: z.string(),
  place: z.string(),
  /** The same as `place`, for pages of earlier versions. */
  gate: z.string(),
  is_ready: z.boolean(),
  /** Why it is not in use: the park is closed, it is out of season, or its schedule has ended. Then it is not ready. */
  not_in_use: z.nullable(z.enum(notInUseReasons)),
  /** The first day on which it is in use again, if that is known: `YYYY-MM-DD`. */
  not_in_use_until: z.nullable(z.string()),
  /** What has changed, in a sentence, if it stays closed until a new check passes although its last check passed. */
  check_again: z.nullable(z.string()),
  /** The time of the last check, if the place is ready. */
  checked_at: z.nullable(z.string()),
  /** When the next check is due; null while one is due, or the last one failed. */
  valid_until: z.nullable(z.string()),
  /** The first check of a checklist that keeps the place closed until then. Copies of earlier versions have none. */
  first_check: z.optional(z.nullable(z.object({ checklist_id: z.string(), opens_at: z.string() }))),
  /** Since when a check is due, if that is why it is not ready. */
  due_since: z.nullable(z.string()),
  /** Failing answers of the last check, if they are why it is not ready. */
  failures: z.number(),
  /** The titles of the open audits that these answers created. */
  audits: z.array(z.string()),
  checklists: z.array(z.object({ id: z.string(), title: z.string() })),
});
export type Readiness = z.output<typeof Readiness>;

/** Whether a place that is in use must stay closed. */
export const isNotReady = ({ is_ready, not_in_use }: Pick<Readiness, 'is_ready' | 'not_in_use'>): boolean =>
  !is_ready && not_in_use === null;

/** The number of checks of a checklist that match a filter, by park. */
export const CheckCount = z.object({
  checklist_id: z.string(),
  checklist_title: z.string(),
  checks: z.number(),
  parks: z.array(
    z.object({
      park: z.string(),
      checks: z.number(),
      /** If they are checks of places: at how many, and how many the checklist was due at in these days. */
      places: z.optional(z.object({ count: z.number(), of: z.number() })),
    }),
  ),
});
export type CheckCount = z.output<typeof CheckCount>;

/** Filters for reviewers; days are inclusive. `after` is the id of the last check already shown. */
export const CheckQuery = z.object({
  park: z.optional(parkListSchema),
  from: z.optional(dateSchema()),
  to: z.optional(dateSchema()),
  state: z.optional(z.enum(checkStates)),
  /** The id of a checklist. */
  checklist: z.optional(z.string()),
  /** Checks whose window has closed or that are submitted: the basis of the 'on time' share. */
  settled: z.optional(z.literal('1')),
  after: z.optional(z.string()),
  limit: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(500))),
});
export type CheckQuery = z.output<typeof CheckQuery>;

/** The most rows of each list in `DueChecks` if several parks are shown. */
export const maxDueRows = 50;

/** Today's checks, and places that open after a check. */
export const DueChecks = z.object({
  /** If several parks are shown, at most `maxDueRows`: those that are due first, then those that were missed. */
  checks: z.array(Check),
  /** If several parks are shown, at most `maxDueRows`: those that are not ready first. */
  ready: z.array(Readiness),
  /**
   * How many there are, those that are left out included: `ready` are all places, `notReady` those in use that are not
   * ready.
   */
  counts: z.object({
    checks: z.number(),
    due: z.number(),
    missed: z.number(),
    ready: z.number(),
    notReady: z.number(),
  }),
});
export type DueChecks = z.output<typeof DueChecks>;

export const ComingQuery = z.object({ park: parkSchema });

/** The checks of a park that open later, soonest first. */
export const ComingChecks = z.object({
  checks: z.array(Check),
  /** The last day of which all checks are shown, `YYYY-MM-DD`: in 4 weeks, or earlier if there are very many. */
  until: z.string(),
});
export type ComingChecks = z.output<typeof ComingChecks>;

/** Parks that the user does not see are ignored. */
export const DueQuery = z.object({ park: z.optional(parkListSchema) });

export const MissedReason = z.object({
  reason: linesSchema({ min: 3, max: scheduleLimits.reason, missing: 'Give a reason' }),
});
