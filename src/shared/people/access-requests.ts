// People's requests to see the data stored about them: what to search for, the records found, and
// the copy sent.
import * as z from 'zod/mini';
import { addDays, countDays } from '../calendar.ts';
import { textLimits } from '../choices.ts';
import { dateSchema } from '../date-schemas.ts';
import { formatDay } from '../dates.ts';
import { isWorkingDay } from '../law/bank-holidays.ts';
import { pluralise } from '../pluralise.ts';
import { telephoneSchema, withoutExtension } from '../telephone.ts';
import { lineSchema, linesSchema } from '../text.ts';

export const NewAccessRequest = z.object({
  name: lineSchema({ min: 1, max: textLimits.name, missing: 'Enter the name of the person' }),
  /** Other spellings of their name. */
  spellings: z.array(lineSchema({ max: textLimits.name })).check(z.maxLength(20, 'At most 20 spellings')),
  /** Their contact number. */
  number: z.optional(telephoneSchema.check(withoutExtension())),
  username: z.optional(lineSchema({ max: textLimits.username })),
  receivedOn: dateSchema(z.string('Enter the day on which it was received')),
  /** How the person's identity was verified. */
  identityChecked: z.optional(linesSchema({ max: textLimits.reason })),
});
export type NewAccessRequest = z.output<typeof NewAccessRequest>;

/** The person whom an access request is about. */
export type Person = { name: string; spellings: string[]; number: string; username: string };

export const choiceKinds = ['send', 'redact', 'leave'] as const;

const fractionSchema = z.number().check(z.minimum(0), z.maximum(1));
/** A rectangle to black out in an image: its left and top, width and height as fractions of the image's. */
const Box = z.strictObject({ x: fractionSchema, y: fractionSchema, width: fractionSchema, height: fractionSchema });
export type Box = z.output<typeof Box>;

const Choice = z.strictObject({
  id: lineSchema({ min: 1, max: 80 }),
  choice: z.enum(choiceKinds, 'Choose Send, Send redacted or Leave out'),
  /** Why the record is left out. */
  because: z.optional(linesSchema({ max: textLimits.reason })),
  /** Words to black out in the copy, wherever they occur. */
  texts: z.optional(z.array(lineSchema({ max: textLimits.line })).check(z.maxLength(100))),
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

/** The maximum number of records about which an Admin decides in one request. */
export const maxChoices = 5000;

export const AccessChoices = z.object({
  version: z.number().check(z.int(), z.minimum(1)),
  choices: z.array(Choice).check(z.maxLength(maxChoices)),
  /** The reason for two more months, which are allowed once for a large or difficult request. */
  extendedBecause: z.optional(linesSchema({ max: textLimits.reason })),
  /** The day since which the request waits for a necessary answer; null while it does not wait. */
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
  /** The state of the deadline in words. */
  words: z.string(),
  isUrgent: z.boolean(),
  extended_because: z.nullable(z.string()),
  paused_on: z.nullable(z.string()),
  closed_on: z.nullable(z.string()),
  created_by: z.string(),
});
export type AccessRequest = z.output<typeof AccessRequest>;

/** The maximum length of a field's text in a hit, beside what was found. */
export const maxHitText = 10_000;

export const Hit = z.object({
  id: z.string(),
  thing: z.string(),
  label: z.string(),
  /** The names of the fields that name the person. */
  where: z.array(z.string()),
  /** A similar spelling, or the same name with another number: it may be someone else. */
  isPossible: z.boolean(),
  /** Other people named in its fields. Texts may name more. */
  others: z.array(z.string()),
  texts: z.array(z.object({ field: z.string(), text: z.string() })),
  images: z.array(z.string()),
});
export type Hit = z.output<typeof Hit>;

/** Fields of a hit that hold the username of an account. */
export const accountFields: readonly string[] = [
  ...['submitted by', 'completed by', 'made by', 'given by', 'held by', 'lifted by'],
  ...['assessed by', 'noted by', 'deleted by', 'opened by', 'reported by', 'started by', 'investigated by'],
  ...['read by', 'closed by', 'second factor removed by'],
];

export const AccessRequestWithChoices = z.extend(AccessRequest, { choices: z.array(Choice) });
export type AccessRequestWithChoices = z.output<typeof AccessRequestWithChoices>;

export const AccessRequestHits = z.extend(AccessRequestWithChoices, { hits: z.array(Hit) });
export type AccessRequestHits = z.output<typeof AccessRequestHits>;

/** Returns the same day some months later, or the last day of that month if it is shorter. */
function addMonths(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const last = new Date(Date.UTC(year, month - 1 + months + 1, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, last))).toISOString().slice(0, 10);
}

type AccessDeadlineInput = {
  receivedOn: string;
  /** The number of days for which the deadline was paused, without a pause that has not ended. */
  pausedDays: number;
  pausedOn: string | null;
  isExtended: boolean;
  today: string;
};

/**
 * Returns the last day on which to answer: one month from the day of receipt (ICO), or three if extended,
 * and the days of pauses; moved to the next working day.
 */
export function getAccessDueDay({ receivedOn, pausedDays, pausedOn, isExtended, today }: AccessDeadlineInput): string {
  const totalPausedDays = pausedDays + (pausedOn ? Math.max(0, countDays(pausedOn, today)) : 0);
  let due = addDays(addMonths(receivedOn, isExtended ? 3 : 1), totalPausedDays);
  while (!isWorkingDay(due)) due = addDays(due, 1);
  return due;
}

const urgentDays = 7;

export function describeAccessDeadline(
  due: string,
  today: string,
  { pausedOn, closedOn }: { pausedOn: string | null; closedOn: string | null },
): { words: string; isUrgent: boolean } {
  if (closedOn) return { words: `Answered ${formatDay(closedOn)}`, isUrgent: false };
  if (pausedOn) return { words: `Paused since ${formatDay(pausedOn)}, waiting for an answer`, isUrgent: false };
  const left = countDays(today, due);
  if (left < 0) return { words: `Overdue by ${pluralise(-left, 'day')}. Answer it now`, isUrgent: true };
  return { words: `Answer by ${formatDay(due)}, ${pluralise(left, 'day')} left`, isUrgent: left <= urgentDays };
}
