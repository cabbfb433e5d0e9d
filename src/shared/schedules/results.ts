// What a user learns about a checklist that they have just submitted, or are about to fill in.
import * as z from 'zod/mini';
import { parkSchema } from '../places/park-schemas.ts';
import { SentPlaceId } from '../places/places.ts';
import { Readiness } from './schedules.ts';

/** The hours in which users can read the receipt of what they submitted. */
export const receiptHours = 24;

const NamedPlace = z.object({ id: z.string(), name: z.string(), park: z.string() });

export const SubmissionReceipt = z.object({
  number: z.string(),
  /** The number of failing answers. */
  failing: z.number(),
  place: z.nullable(z.object({ id: z.string(), name: z.string() })),
  /** Whether the place may open, now; null if no scheduled check says so, or the user does not see its park. */
  ready: z.nullable(Readiness),
  /** The audits that its answers created and that the user may open. */
  audits: z.array(z.object({ id: z.string(), title: z.string() })),
  /** Whether reviewers of the park were notified of failing answers. */
  told: z.boolean(),
  /** The next place of the round, if there is one. */
  next: z.nullable(z.object({ place: NamedPlace, number: z.number(), total: z.number() })),
});
export type SubmissionReceipt = z.output<typeof SubmissionReceipt>;

export const LastResultQuery = z.object({
  park: parkSchema,
  /** The id of a place; absent for the park as a whole. */
  place: z.optional(SentPlaceId),
});
export type LastResultQuery = z.output<typeof LastResultQuery>;

/** When a checklist was last filled in at a place, for those who fill it in next: no notes, photos or other answers. */
export const LastResult = z.object({
  last: z.nullable(
    z.object({
      /** When it was filled in. */
      at: z.string(),
      /** The shown name of who filled it in. */
      by: z.string(),
      /** The number of failing answers, and the titles of their questions. */
      failing: z.number(),
      titles: z.array(z.string()),
      /** How many questions had no answer, as `countUnanswered` counts. Absent in copies of earlier versions. */
      unanswered: z.optional(z.number()),
    }),
  ),
  /** The audits that are open here. */
  open: z.array(z.object({ id: z.string(), title: z.string() })),
});
export type LastResult = z.output<typeof LastResult>;
