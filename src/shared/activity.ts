// Who did what and when, and what was deleted and can come back.
import * as z from 'zod/mini';

export const things = [
  'session',
  'user',
  'upload',
  'report',
  'checklist',
  'submission',
  'folder',
  'audit',
  'activity',
] as const;
export type Thing = (typeof things)[number];

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

export const ActivityQuery = z.object({
  q: z.optional(z.string().check(z.maxLength(200))),
  thing: z.optional(z.enum(things)),
  thing_id: z.optional(z.string().check(z.maxLength(40))),
  from: z.optional(z.string().check(z.maxLength(10))),
  to: z.optional(z.string().check(z.maxLength(10))),
  before: z.optional(z.coerce.number().check(z.int(), z.minimum(1))),
  limit: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(200))),
});

/** A deletion: what went, by whom, and until when it can be restored. */
export const Deletion = z.object({
  id: z.string(),
  thing: z.string(),
  label: z.string(),
  deleted_at: z.string(),
  deleted_by: z.string(),
  restorable_until: z.string(),
});
export type Deletion = z.output<typeof Deletion>;
