// Schemas for erasing a person's name inside records that are kept. The first release called this
// blanking. What is stored or on the wire keeps that word: the endpoint, the table `blanked` and
// the action in the activity log.
import * as z from 'zod/mini';
import { formatInstantDay } from '../dates.ts';
import { type KindWith, listKindsWith } from '../record-kinds.ts';
import { lineSchema } from '../text.ts';

/** Why a name is erased. Not free text, because that could contain the name. */
export const erasureReasons = {
  asked: 'The person asked for their name to be erased',
  period: 'The record stays, but the name is not needed any more',
  mistake: 'They should not have been named',
} as const;
export type ErasureReason = keyof typeof erasureReasons;

/** The kinds of records in which a name can be erased. */
export type ErasableType = KindWith<'isErasable'>;
const erasableTypes: string[] = listKindsWith('isErasable');
export const isErasable = (thing: string): thing is ErasableType => erasableTypes.includes(thing);

/** Maximum number of records at once. */
export const maxErasedRecords = 100;

/** Returns the text that replaces a name. */
export const getErasureText = (now: Date) => `erased ${formatInstantDay(now.toISOString())}`;

export const EraseNames = z.object({
  /** The ids of records as the search lists them: `report:…`. */
  ids: z
    .array(lineSchema({ min: 1, max: 80 }))
    .check(
      z.minLength(1, 'Tick the records in which the name is erased'),
      z.maxLength(maxErasedRecords, `Tick at most ${maxErasedRecords} records at once`),
    ),
  /** The number of records, typed by the user as confirmation. */
  count: z.number('Type the number of ticked records').check(z.int('Type the number of ticked records')),
  reason: z.enum(Object.keys(erasureReasons) as [ErasureReason, ...ErasureReason[]], 'Choose a reason'),
});

/** Records by their ids: a stored reply must not contain a title with the name. */
export const ErasureOutcome = z.object({
  blanked: z.array(z.string()),
  skipped: z.array(z.object({ id: z.string(), reason: z.string() })),
});
export type ErasureOutcome = z.output<typeof ErasureOutcome>;
