// Days and times as calls take them: in any of the ways people write them, kept in one.
import * as z from 'zod/mini';
import { incomplete, isBefore1900, parseDay, parseTime } from './dates.ts';

export const invalidDateMessage = 'Enter the date as day/month/year';
export const invalidTimeMessage = 'Enter the time as hours:minutes';

/** Why a text is not a date, in words for the person who typed it. */
export function getDayError(text: string): string {
  if (text === incomplete) return 'Enter a real date: day, month and year';
  return isBefore1900(text) ? 'Enter a date from 1900 onwards' : invalidDateMessage;
}

/** Why a text is not a time. */
export const getTimeError = (text: string): string =>
  text === incomplete ? 'Enter a full time: hours and minutes' : invalidTimeMessage;

/** What `parse` can read, kept as it returns it; `explain` says what is wrong with anything else. */
const parsedBy = (
  text: z.ZodMiniType<string, string>,
  parse: (text: string) => string | undefined,
  explain: (text: string) => string,
) =>
  z.pipe(
    z.pipe(
      text,
      z.transform((text: string, { issues }) => {
        const parsed = parse(text);
        if (parsed === undefined) issues.push({ code: 'custom', message: explain(text), input: text });
        return parsed ?? '';
      }),
    ),
    z.string(),
  );

/** A real day since 1900, kept as YYYY-MM-DD. `text` may ask for more, or say it in other words. */
export const dateSchema = (text: z.ZodMiniType<string, string> = z.string()) => parsedBy(text, parseDay, getDayError);

/** A time of the day, kept as HH:MM. */
export const timeSchema = (text: z.ZodMiniType<string, string> = z.string()) => parsedBy(text, parseTime, getTimeError);

/** An instant of a device's clock, kept as ISO-8601 UTC. */
const Instant = z.pipe(
  z.iso.datetime({ offset: true, error: 'Send the time as ISO 8601' }),
  z.transform((text: string) => new Date(text).toISOString()),
);

/** When a form was filled in on a device that may have had no connection then. */
export const CapturedAt = z.optional(Instant);

/** As the server keeps it: of a clock that is ahead, nothing. */
export const getCapturedAt = (capturedAt: string | undefined, now: Date): string | null =>
  capturedAt !== undefined && capturedAt <= now.toISOString() ? capturedAt : null;

/** Or none: null, or nothing typed. */
export const nullableSchema = (schema: z.ZodMiniType<string, string>) =>
  z.pipe(
    z.pipe(
      z.nullable(z.string()),
      z.transform((text: string | null) => text || null),
    ),
    z.nullable(schema),
  );
