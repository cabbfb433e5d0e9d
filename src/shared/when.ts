// Days and times as calls take them: in any of the ways people write them, kept in one.
import * as z from 'zod/mini';
import { readDay, readTime } from './dates.ts';

export const wrongDay = 'Enter the date as day/month/year';
export const wrongTime = 'Enter the time as hours:minutes';

/** What `read` can read, kept as it gives it; `wrong` says how anything else should have been written. */
const readAs = (text: z.ZodMiniType<string, string>, read: (text: string) => string | undefined, wrong: string) =>
  z.pipe(
    z.pipe(
      text,
      z.transform((text: string) => read(text) ?? ''),
    ),
    z.string().check(z.minLength(1, wrong)),
  );

/** A real day since 1900, kept as YYYY-MM-DD. `text` may ask for more, or say it in other words. */
export const day = (text: z.ZodMiniType<string, string> = z.string()) => readAs(text, readDay, wrongDay);

/** A time of the day, kept as HH:MM. */
export const time = (text: z.ZodMiniType<string, string> = z.string()) => readAs(text, readTime, wrongTime);

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
export const orNone = (schema: z.ZodMiniType<string, string>) =>
  z.pipe(
    z.pipe(
      z.nullable(z.string()),
      z.transform((text: string | null) => text || null),
    ),
    z.nullable(schema),
  );
