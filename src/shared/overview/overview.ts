// The overview of all parks: its filters and numbers.
import * as z from 'zod/mini';
import { addDays, countDays } from '../calendar.ts';
import { dateSchema } from '../date-schemas.ts';
import { parkListSchema } from '../places/park-schemas.ts';
import { CheckCount } from '../schedules/schedules.ts';
import { lineSchema } from '../text.ts';

/** Days are inclusive. */
export type Period = { from: string; to: string };

const daysIn52Weeks = 364;
const daysIn53Weeks = 371;

/**
 * Returns the period with which a period is compared: whole weeks earlier, so that each weekday is
 * compared with the same weekday. Ends at today if the period does, and never overlaps it.
 */
export function getPeriodBefore({ from, to }: Period, today: string): Period & { years: number } {
  const end = to < today ? to : today;
  const days = countDays(from, end) + 1;
  const years = Math.max(1, Math.ceil(days / daysIn53Weeks));
  const shift = Math.max(years * daysIn52Weeks, Math.ceil(days / 7) * 7);
  return { from: addDays(from, -shift), to: addDays(end, -shift), years };
}

const count = z.optional(z.number());
/**
 * How much the user should do now. Staff: checks due, and audits to complete or verify by today. Reviewers: reports of
 * their parks that nobody has opened, and open messages about someone hurt.
 */
export const DoNow = z.object({ checks: count, audits: count, reports: count, hurt: count });
export type DoNow = z.output<typeof DoNow>;

const maxDays = 3660;

/** Days are inclusive. Several parks are separated by commas; without one: all parks. */
export const OverviewQuery = z
  .object({
    from: dateSchema(z.string('Enter the date')),
    to: dateSchema(z.string('Enter the date')),
    park: z.optional(parkListSchema),
    /** Counts only reports of this type, ignoring case. */
    type: z.optional(lineSchema({ max: 120 })),
  })
  .check(
    z.refine(({ from, to }) => from <= to, { path: ['to'], error: 'The last day is before the first' }),
    z.refine(({ from, to }) => countDays(from, to) <= maxDays, {
      path: ['from'],
      error: 'Choose a period of at most ten years',
    }),
  );
export type OverviewQuery = z.output<typeof OverviewQuery>;

const Measures = z.object({
  accidents: z.number(),
  incidents: z.number(),
  /** Reports of events that an emergency service attended. */
  emergencies: z.number(),
  /** Audits that were incomplete at the end of the period; null if the user sees none of the park. */
  openAudits: z.nullable(z.number()),
  overdueAudits: z.nullable(z.number()),
  /**
   * Checks whose window has closed or that are submitted, and how many of them were submitted
   * within their window.
   */
  checks: z.number(),
  checksOnTime: z.number(),
});
export type Measures = z.output<typeof Measures>;
export const emptyMeasures: Measures = {
  accidents: 0,
  incidents: 0,
  emergencies: 0,
  openAudits: 0,
  overdueAudits: 0,
  checks: 0,
  checksOnTime: 0,
};

const Counted = z.object({
  name: z.string(),
  count: z.number(),
  /** The id of the place that has this name; of locations and hazards only. */
  place: z.optional(z.string()),
  /** The count in the period before; of types only. */
  before: z.optional(z.number()),
  /** Whether it stands for everything that is not among the most frequent. */
  isRest: z.optional(z.literal(true)),
});
export type Counted = z.output<typeof Counted>;

export const Overview = z.object({
  /** What is wrong with the system, in sentences; for Admins of all parks only. */
  problems: z.optional(z.array(z.string())),
  attention: z.object({
    unopenedReports: z.number(),
    overdueAudits: z.nullable(z.number()),
    auditsToVerify: z.nullable(z.number()),
    missedChecks: z.number(),
    /** Investigations that are not closed. */
    openInvestigations: z.number(),
    notReady: z.number(),
    /** Open messages of guests at the user's parks. */
    guestMessages: z.number(),
  }),
  /** The missed checks of the period, by checklist. */
  missed: z.array(CheckCount),
  /** `before`: the period of `getPeriodBefore`. */
  parks: z.array(z.object({ park: z.string(), now: Measures, before: Measures })),
  months: z.array(z.object({ month: z.string(), accidents: z.number(), incidents: z.number() })),
  /** Reports by weekday, Monday first, and hour. */
  hours: z.array(z.array(z.number())),
  types: z.array(Counted),
  /** Places, and typed locations of reports without a place. */
  locations: z.array(Counted),
  /** The same of hazards; of all that the user sees, whatever the type. */
  hazards: z.array(Counted),
  employment: z.array(Counted),
  /** Checks by week. `week` is the Monday of the week. */
  weeks: z.array(z.object({ week: z.string(), checks: z.number(), checksOnTime: z.number() })),
});
export type Overview = z.output<typeof Overview>;

/** Audits of all folders the user sees, as at the end of a day; `toVerify`: those to verify now. */
export const AuditsOnDayQuery = z.object({
  state: z.enum(['open', 'overdue', 'toVerify'], 'Choose open, overdue or toVerify'),
  on: dateSchema(),
  park: z.optional(parkListSchema),
});
export type AuditsOnDayQuery = z.output<typeof AuditsOnDayQuery>;

export const AuditOnDay = z.object({
  id: z.string(),
  title: z.string(),
  park: z.string(),
  folder_name: z.string(),
  date: z.nullable(z.string()),
  assignee: z.string(),
  is_urgent: z.boolean(),
  completed: z.boolean(),
  /** The day by which it must be verified. */
  verify_by: z.nullable(z.string()),
});
export type AuditOnDay = z.output<typeof AuditOnDay>;
