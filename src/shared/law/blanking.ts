// Schemas for blanking a person's name inside records that stay.
import * as z from 'zod/mini';
import { formatInstantDay } from '../dates.ts';
import { lineSchema } from '../text.ts';

/** Why a name is blanked. Not free text, because that could contain the name. */
export const blankReasons = {
  asked: 'The person asked for it',
  period: 'The record stays, but the name is not needed any more',
  mistake: 'They should not have been named',
} as const;
export type BlankReason = keyof typeof blankReasons;

/** The kinds of records in which a name can be blanked. */
export const blankable = ['report', 'submission', 'audit', 'folder', 'check', 'hold'] as const;
export type Blankable = (typeof blankable)[number];
export const isBlankable = (thing: string): thing is Blankable => (blankable as readonly string[]).includes(thing);

/** Maximum number of records at once. */
export const maxBlanked = 100;

/** What stands in place of a name. */
export const getErasedText = (now: Date) => `erased ${formatInstantDay(now.toISOString())}`;

export const BlankNames = z.object({
  /** The ids of records as the search lists them: `report:…`. */
  ids: z
    .array(lineSchema({ min: 1, max: 80 }))
    .check(
      z.minLength(1, 'Tick the records in which the name is erased'),
      z.maxLength(maxBlanked, `At most ${maxBlanked} at once`),
    ),
  /** The number of records, typed by the user as confirmation. */
  count: z.number('Type how many').check(z.int('Type how many')),
  reason: z.enum(Object.keys(blankReasons) as [BlankReason, ...BlankReason[]], 'Choose a reason'),
});

/** Records by their ids: a stored reply must not contain a title with the name. */
export const BlankOutcome = z.object({
  blanked: z.array(z.string()),
  skipped: z.array(z.object({ id: z.string(), reason: z.string() })),
});
export type BlankOutcome = z.output<typeof BlankOutcome>;
