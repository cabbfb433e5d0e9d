// One search over all that a user may read.
import * as z from 'zod/mini';
import { textLimits } from '../choices.ts';
import { hasVisibleText, lineSchema } from '../text.ts';

/** In the order in which they are shown. */
export const foundKinds = [
  'report',
  'submission',
  'audit',
  'investigation',
  'message',
  'place',
  'checklist',
  'person',
] as const;

/** How many of each kind are found at most. */
export const foundLimit = 5;
/** A search begins with the second letter. */
export const searchMinimum = 2;
export const searchTooShort = 'Enter at least two letters or digits';

export const SearchWords = z.object({
  q: lineSchema({ max: textLimits.line, missing: searchTooShort }).check(
    z.refine((q) => hasVisibleText(q) && q.trim().length >= searchMinimum, searchTooShort),
  ),
});

export const Found = z.object({
  kind: z.enum(foundKinds),
  /** Its id; the username of a person. */
  id: z.string(),
  title: z.string(),
  /** '' for what has none. */
  park: z.string(),
  /** The day or instant by which people know it; '' for what has none. */
  at: z.string(),
  /** Whether it is open, done or due, in words; '' for what has no state. */
  state: z.string(),
  /** The text around a word that was looked for and that the title lacks; '' if the title has them all. */
  excerpt: z.string(),
});
export type Found = z.output<typeof Found>;
