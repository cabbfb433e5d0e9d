// Schemas for dates and times: accept common formats, store one.
import * as z from 'zod/mini';
import { incompleteValue, isBefore1900, parseDay, parseTime } from './dates.ts';

export const invalidDateMessage = 'Enter the date as day/month/year';
export const invalidTimeMessage = 'Enter the time as hours:minutes';

/** Returns why a text is not a date, for the user. */
export function getDayError(text: string): string {
  if (text === incompleteValue) return 'Enter a real date: day, month and year';
  return isBefore1900(text) ? 'Enter a date from 1900 onwards' : invalidDateMessage;
}

export const getTimeError = (text: string): string =>
  text === incompleteValue ? 'Enter a full time: hours and minutes' : invalidTimeMessage;

/**
 * Creates a schema that stores what `parse` returns. If that is undefined, `explain` returns the
 * error message.
 */
const createParsedSchema = (
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

/**
 * Creates the schema of a valid day since 1900, stored as YYYY-MM-DD. `text` is the schema of the
 * text before it is parsed, with its own checks and messages.
 */
export const dateSchema = (text: z.ZodMiniType<string, string> = z.string()) =>
  createParsedSchema(text, parseDay, getDayError);

/** Creates the schema of a time of day, stored as HH:MM. */
export const timeSchema = (text: z.ZodMiniType<string, string> = z.string()) =>
  createParsedSchema(text, parseTime, getTimeError);

/** A timestamp of a device's clock, stored as ISO 8601 UTC. */
const Instant = z.pipe(
  z.iso.datetime({ offset: true, error: 'Send the time as ISO 8601' }),
  z.transform((text: string) => new Date(text).toISOString()),
);

/** When a form was filled in, possibly offline. */
export const CapturedAt = z.optional(Instant);

/**
 * Returns when a form was filled in; null if that is in the future, because the device's clock is
 * ahead.
 */
export const getCapturedAt = (capturedAt: string | undefined, now: Date): string | null =>
  capturedAt !== undefined && capturedAt <= now.toISOString() ? capturedAt : null;

/** Extends a schema to accept null and empty text, both stored as null. */
export const nullableSchema = (schema: z.ZodMiniType<string, string>) =>
  z.pipe(
    z.pipe(
      z.nullable(z.string()),
      z.transform((text: string | null) => text || null),
    ),
    z.nullable(schema),
  );
