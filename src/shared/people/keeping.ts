// Schemas of the retention endpoints: the records that may be destroyed, and the result.
import * as z from 'zod/mini';
import { listKindsWith } from '../record-kinds.ts';
import { lineSchema } from '../text.ts';

/** Maximum number of records listed, and destroyed, at once. */
export const retentionLimits = { listed: 200, destroyed: 100 } as const;

export const RetentionRow = z.object({
  id: z.string(),
  thing: z.enum(listKindsWith('isDestroyed')),
  /** A report's number, a title or a username. */
  label: z.string(),
  /** The park; '' if the record has none. */
  place: z.string(),
  /** The day of the accident, or on which the record was completed or closed. */
  day: z.string(),
  /** What kind of report, or the title of a checklist; '' for others. */
  kind: z.string(),
  /** The name of the retention period that applies, with its legal source. */
  class: z.string(),
  source: z.string(),
  /** The last day of its period. */
  until: z.string(),
  files: z.number(),
  /** Why the record is kept beyond its period; null if no hold applies. */
  hold: z.nullable(z.string()),
});
export type RetentionRow = z.output<typeof RetentionRow>;

/** Counts below this could identify a person: they are null in the API and shown as "under 5". */
export const smallestShownCount = 5;

export const RecordStatistic = z.object({
  kind: z.string(),
  park: z.string(),
  month: z.string(),
  status: z.string(),
  ageBand: z.string(),
  rules: z.array(z.string()),
  outcome: z.string(),
  /** Null if fewer than five were counted. */
  count: z.nullable(z.number()),
});
export type RecordStatistic = z.output<typeof RecordStatistic>;

export const RetentionList = z.object({
  hash: z.string(),
  made_at: z.string(),
  rows: z.array(RetentionRow),
  /**
   * Whether more records are past their period than are listed. They are listed once these are
   * destroyed.
   */
  hasMore: z.boolean(),
  /** The last list that the server created automatically at the start of a month. */
  monthly: z.nullable(z.object({ made_at: z.string(), count: z.number() })),
  statistics: z.array(RecordStatistic),
});
export type RetentionList = z.output<typeof RetentionList>;

export const RetentionRun = z.object({
  hash: z.string().check(z.regex(/^[0-9a-f]{64}$/, 'Open the list of records first')),
  ids: z
    .array(lineSchema({ min: 1, max: 40 }))
    .check(
      z.minLength(1, 'Tick the records to destroy'),
      z.maxLength(retentionLimits.destroyed, `Tick at most ${retentionLimits.destroyed} records at once`),
    ),
  /** The number of records to destroy, typed by the user as confirmation. */
  count: z.number('Type the number of ticked records').check(z.int('Type the number of ticked records')),
});

export const RetentionOutcome = z.object({
  destroyed: z.array(z.string()),
  skipped: z.array(z.object({ label: z.string(), reason: z.string() })),
});
export type RetentionOutcome = z.output<typeof RetentionOutcome>;
