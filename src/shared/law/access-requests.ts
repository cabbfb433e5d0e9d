// Requests of people to see what is held about them: what is looked for, what was found, and what is sent.
import * as z from 'zod/mini';
import { dateSchema } from '../date-schemas.ts';
import { formatDay } from '../dates.ts';
import { lineSchema, linesSchema } from '../text.ts';
import { isWorkingDay } from './bank-holidays.ts';
import { addDays, countDays } from './calendar.ts';

export const NewAccessRequest = z.object({
  name: lineSchema({ min: 1, max: 120, missing: 'Enter the name of the person' }),
  /** Other ways in which their name may be written. */
  spellings: z.array(lineSchema({ max: 120 })).check(z.maxLength(20, 'At most 20 spellings')),
  /** Their contact number. */
  number: z.optional(lineSchema({ max: 40 })),
  username: z.optional(lineSchema({ max: 60 })),
  receivedOn: dateSchema(z.string('Enter the day on which it was received')),
  /** How it was made sure that the person is who they say. */
  identityChecked: z.optional(linesSchema({ max: 500 })),
});
export type NewAccessRequest = z.output<typeof NewAccessRequest>;

export const choiceKinds = ['send', 'redact', 'leave'] as const;

const fraction = z.number().check(z.minimum(0), z.maximum(1));
const Box = z.strictObject({ x: fraction, y: fraction, width: fraction, height: fraction });
export type Box = z.output<typeof Box>;

const Choice = z.strictObject({
  /** Of the hit. */
  id: lineSchema({ min: 1, max: 80 }),
  choice: z.enum(choiceKinds, 'Choose Send, Send redacted or Leave out'),
  /** Why it is left out. */
  because: z.optional(linesSchema({ max: 500 })),
  /** Words that are blacked out in the copy, wherever they stand. */
  texts: z.optional(z.array(lineSchema({ max: 200 })).check(z.maxLength(100))),
  images: z.optional(
    z
      .array(
        z.strictObject({
          path: lineSchema({ max: 100 }),
          isLeftOut: z.boolean(),
          boxes: z.array(Box).check(z.maxLength(50)),
        }),
      )
      .check(z.maxLength(30)),
  ),
});
export type Choice = z.output<typeof Choice>;

export const AccessChoices = z.object({
  version: z.number().check(z.int(), z.minimum(1)),
  choices: z.array(Choice).check(z.maxLength(1000)),
  /** Two more months, once, because there is much or it is difficult. */
  extendedBecause: z.optional(linesSchema({ max: 500 })),
  /** Since when an answer is awaited without which it cannot go on; null where it goes on. */
  pausedOn: z.optional(z.nullable(dateSchema())),
  isClosed: z.optional(z.boolean()),
});
export type AccessChoices = z.output<typeof AccessChoices>;

export const AccessRequest = z.object({
  id: z.string(),
  version: z.number(),
  name: z.string(),
  spellings: z.array(z.string()),
  number: z.string(),
  username: z.string(),
  received_on: z.string(),
  identity_checked: z.string(),
  due_on: z.string(),
  /** The clock in words. */
  words: z.string(),
  isUrgent: z.boolean(),
  extended_because: z.nullable(z.string()),
  paused_on: z.nullable(z.string()),
  closed_on: z.nullable(z.string()),
  created_by: z.string(),
});
export type AccessRequest = z.output<typeof AccessRequest>;

export const Hit = z.object({
  id: z.string(),
  thing: z.string(),
  label: z.string(),
  /** Where it was found: names of fields. */
  where: z.array(z.string()),
  /** A near spelling, or the same name with another number: perhaps someone else. */
  isPossible: z.boolean(),
  /** Who else is named in its fields. Texts may name more. */
  others: z.array(z.string()),
  texts: z.array(z.object({ field: z.string(), text: z.string() })),
  images: z.array(z.string()),
});
export type Hit = z.output<typeof Hit>;

export const FoundAccess = z.extend(AccessRequest, { hits: z.array(Hit), choices: z.array(Choice) });
export type FoundAccess = z.output<typeof FoundAccess>;

/** The same day some months later, or the last day of that month. */
function addMonths(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const last = new Date(Date.UTC(year, month - 1 + months + 1, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, last))).toISOString().slice(0, 10);
}

type AccessClock = {
  receivedOn: string;
  /** Whole days for which the clock stood still, those of a pause that goes on left out. */
  pausedDays: number;
  pausedOn: string | null;
  isExtended: boolean;
  today: string;
};

/** One month from the day of receipt (ICO), three where it was extended; the next working day counts. */
export function getAccessDue({ receivedOn, pausedDays, pausedOn, isExtended, today }: AccessClock): string {
  const paused = pausedDays + (pausedOn ? Math.max(0, countDays(pausedOn, today)) : 0);
  let due = addDays(addMonths(receivedOn, isExtended ? 3 : 1), paused);
  while (!isWorkingDay(due)) due = addDays(due, 1);
  return due;
}

const inDays = (days: number) => (days === 1 ? '1 day' : `${days} days`);
const soon = 7;

export function describeAccessClock(
  due: string,
  today: string,
  { pausedOn, closedOn }: { pausedOn: string | null; closedOn: string | null },
): { words: string; isUrgent: boolean } {
  if (closedOn) return { words: `Answered ${formatDay(closedOn)}`, isUrgent: false };
  if (pausedOn) return { words: `Paused since ${formatDay(pausedOn)}, waiting for an answer`, isUrgent: false };
  const left = countDays(today, due);
  if (left < 0) return { words: `Overdue by ${inDays(-left)}. Answer it now`, isUrgent: true };
  return { words: `Answer by ${formatDay(due)}, ${inDays(left)} left`, isUrgent: left <= soon };
}
