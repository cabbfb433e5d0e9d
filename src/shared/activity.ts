// The activity log and deleted items.
import * as z from 'zod/mini';
import { textLimits } from './choices.ts';
import { dateSchema } from './date-schemas.ts';
import { type LogWord, logWords } from './record-kinds.ts';
import { lineSchema } from './text.ts';

export const entityTypes = logWords;
export type EntityType = LogWord;

/** An entry of the activity log. */
export const Activity = z.object({
  seq: z.number(),
  at: z.string(),
  actor: z.string(),
  action: z.string(),
  thing: z.string(),
  thing_id: z.nullable(z.string()),
  label: z.string(),
  changes: z.nullable(z.record(z.string(), z.unknown())),
});
export type Activity = z.output<typeof Activity>;

/** A page of entries: those older than `before`, the `seq` of the last entry already shown. */
export const HistoryQuery = z.object({
  before: z.optional(z.coerce.number().check(z.int(), z.minimum(1))),
  limit: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(200))),
});

/** Actions that change nothing, besides attempts that failed. */
export const readingActions = [
  ...['listed', 'opened', 'opened a photo', 'opened as PDF', 'opened the assessment of', 'downloaded', 'exported'],
  ...['listed what may be destroyed', 'signed in', 'signed out'],
];

/**
 * `q` searches actor, action and label; `from` and `to` are days in the parks' time zone,
 * inclusive.
 */
export const ActivityQuery = z.extend(HistoryQuery, {
  q: z.optional(lineSchema({ max: textLimits.line })),
  thing: z.optional(z.enum(entityTypes, 'Choose a kind of record')),
  thing_id: z.optional(z.string().check(z.regex(/^[A-Za-z0-9_-]{1,40}$/))),
  /** Leaves out entries about actions that only read, and about attempts that failed. */
  changes: z.optional(z.literal('1')),
  from: z.optional(dateSchema()),
  to: z.optional(dateSchema()),
});
export type ActivityQuery = z.output<typeof ActivityQuery>;

/** A deleted item: what, by whom, and until when it can be restored. */
export const Deletion = z.object({
  id: z.string(),
  thing: z.string(),
  label: z.string(),
  deleted_at: z.string(),
  deleted_by: z.string(),
  restorable_until: z.string(),
  /** The last day on which the law requires it to be kept, if that is after its 30 days; otherwise null. */
  kept_until: z.optional(z.nullable(z.string())),
  /** Whether a hold keeps it from being destroyed. */
  isHeld: z.optional(z.boolean()),
  /** The reason for the deletion, if one was given; for Admins. */
  reason: z.optional(z.nullable(z.string())),
});
export type Deletion = z.output<typeof Deletion>;
