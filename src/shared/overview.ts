// The overview of all parks: its filters and numbers.
import * as z from 'zod/mini';
import { dateSchema } from './date-schemas.ts';
import { parkListSchema } from './park-list.ts';
import { lineSchema } from './text.ts';

/** Days are inclusive. */
export type Period = { from: string; to: string };

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
    z.refine(({ from, to }) => (Date.parse(to) - Date.parse(from)) / 86_400_000 <= maxDays, {
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
  /** Audits that were incomplete at the end of the period. */
  openAudits: z.number(),
  overdueAudits: z.number(),
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

const Counted = z.object({ name: z.string(), count: z.number() });
export type Counted = z.output<typeof Counted>;

export const Overview = z.object({
  attention: z.object({
    unopenedReports: z.number(),
    overdueAudits: z.number(),
    missedChecks: z.number(),
    notReady: z.number(),
  }),
  /** `before`: the same weeks of the year before, 364 days earlier. */
  parks: z.array(z.object({ park: z.string(), now: Measures, before: Measures })),
  months: z.array(z.object({ month: z.string(), accidents: z.number(), incidents: z.number() })),
  /** Reports by weekday, Monday first, and hour. */
  hours: z.array(z.array(z.number())),
  types: z.array(Counted),
  locations: z.array(Counted),
  employment: z.array(Counted),
  /** Checks by week. `week` is the Monday of the week. */
  weeks: z.array(z.object({ week: z.string(), checks: z.number(), checksOnTime: z.number() })),
});
export type Overview = z.output<typeof Overview>;

/** Audits of all folders the user sees, as at the end of a day. */
export const AuditsOnDayQuery = z.object({
  state: z.enum(['open', 'overdue'], 'Choose open or overdue'),
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
  is_urgent: z.boolean(),
  completed: z.boolean(),
});
export type AuditOnDay = z.output<typeof AuditOnDay>;
