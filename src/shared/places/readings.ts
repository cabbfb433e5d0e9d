// Readings: the numbers that the checks of a place recorded, over time.
import * as z from 'zod/mini';

/** The newest submissions of a place whose readings are shown; the export has all of them. */
export const readSubmissions = 1000;

const Reading = z.object({
  /** The id of its submission. */
  submission: z.string(),
  /** When it was filled in, by the device's clock. */
  at: z.string(),
  value: z.number(),
  /** The limits of the version that was filled in. */
  min: z.nullable(z.number()),
  max: z.nullable(z.number()),
  isFailing: z.boolean(),
});

/** The readings of one question in one unit, oldest first. */
export const ReadingSeries = z.object({
  checklistId: z.string(),
  /** The newest title of the checklist. */
  checklist: z.string(),
  /** Its title; further ones of the checklist with the same title are numbered. */
  question: z.string(),
  unit: z.string(),
  readings: z.array(Reading),
});
export type ReadingSeries = z.output<typeof ReadingSeries>;

export const PlaceReadings = z.object({
  series: z.array(ReadingSeries),
  /** Whether older submissions were left out. */
  isCut: z.boolean(),
});
