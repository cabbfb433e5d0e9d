// Accident and incident reports: input and output schemas.
import * as z from 'zod/mini';
import { emergencyServices, employmentStatuses, limits, textLimits } from '../choices.ts';
import { CapturedAt, dateSchema } from '../date-schemas.ts';
import { getToday, isInFuture, parseDay, parseTime } from '../dates.ts';
import { MessageId } from '../places/messages.ts';
import { parkListSchema } from '../places/park-schemas.ts';
import { PlaceFilter, PlaceId } from '../places/places.ts';
import { lineSchema, linesSchema } from '../text.ts';
import { MediaFile, StoredMediaFile, StoredSignature, signatureSchema } from '../uploads.ts';
import { mapReportFields, type ReportFieldName, type ReportFields } from './report-fields.ts';
import { formatSignedBy, formatSignedFor, SignedBy, StoredSignedBy } from './signed-by.ts';

export const reportTypes = ['accident', 'incident'] as const;
export type ReportType = (typeof reportTypes)[number];

/** Checked as soon as date and time are valid, even if other fields are not. */
const notInFutureCheck = z.refine<{ date: string; time: string }>(
  ({ date, time }) => date > getToday() || !isInFuture(date, time),
  {
    path: ['time'],
    error: 'The time cannot be in the future',
    when: ({ value }) => {
      const { date, time } = (value ?? {}) as Record<string, unknown>;
      return typeof date === 'string' && typeof time === 'string' && Boolean(parseDay(date) && parseTime(time));
    },
  },
);

const fields = z.object(
  mapReportFields(({ schema }) => schema) as { [Name in ReportFieldName]: ReportFields[Name]['schema'] },
);

/** What is typed or chosen on the form, without photos and signatures. */
export const ReportText = fields.check(notInFutureCheck);

export const NewReport = z
  .extend(fields, {
    mediaFiles: z
      .array(MediaFile, 'Please upload at least one media file')
      .check(
        z.minLength(1, 'Please upload at least one media file'),
        z.maxLength(limits.photos, `At most ${limits.photos} photos`),
      ),
    signature: signatureSchema('Reporter signature is required'),
    affectedUserSignature: signatureSchema('Affected party signature is required'),
    /** Set if someone else signed for the affected party. */
    affectedUserSignedBy: z.optional(SignedBy),
    placeId: PlaceId,
    messageId: MessageId,
    capturedAt: CapturedAt,
  })
  .check(notInFutureCheck);
export type NewReport = z.output<typeof NewReport>;

const storedTexts = mapReportFields(() => z.string());

export const Report = z.object({
  id: z.string(),
  /** The number by which people name the report, such as ACC-2026-0001. */
  number: z.string(),
  reportType: z.enum(reportTypes),
  ...storedTexts,
  age: z.nullable(z.number()),
  mediaFiles: z.array(StoredMediaFile),
  signature: z.nullable(StoredSignature),
  affectedUserSignature: z.nullable(StoredSignature),
  affectedUserSignedBy: z.nullable(StoredSignedBy),
  created_at: z.string(),
  created_by: z.string(),
  captured_at: z.optional(z.nullable(z.string())),
  /** When a reviewer who is not its author opened it first; null until then. */
  first_opened_at: z.optional(z.nullable(z.string())),
});
export type Report = z.output<typeof Report>;

/** Returns who signed as the affected party, and in words for whom if someone else did: after a name, and with it. */
export const getSigner = ({ name, affectedUserSignedBy: other }: Pick<Report, 'name' | 'affectedUserSignedBy'>) => ({
  name: other?.name ?? name,
  signedFor: other && formatSignedFor(other, name),
  signedBy: other && formatSignedBy(other, name),
});

/** The kinds of unfinished duties under RIDDOR. */
export const duties = ['overdue', 'toReport', 'toAssess', 'toReview'] as const;
export type DutyKind = (typeof duties)[number];

const reportFilters = {
  q: z.optional(lineSchema({ max: textLimits.line })),
  /** The type of the accident or incident, ignoring case. */
  type: z.optional(lineSchema({ max: 120 })),
  /** The location or plot, ignoring case. */
  location: z.optional(lineSchema({ max: textLimits.line })),
  /** Reports that are linked to this place. */
  place: PlaceFilter,
  park: z.optional(parkListSchema),
  /** The first and last day of the accidents and incidents to list. */
  from: z.optional(dateSchema()),
  to: z.optional(dateSchema()),
  /** Of the day and time when it happened: `1` for Monday to `7`, and the hour, `00` to `23`. */
  weekday: z.optional(z.enum(['1', '2', '3', '4', '5', '6', '7'])),
  hour: z.optional(z.string().check(z.regex(/^([01]\d|2[0-3])$/, 'Choose an hour'))),
  employmentStatus: z.optional(z.enum(employmentStatuses)),
  /** `Any`: any emergency service attended. */
  emergencyService: z.optional(z.enum([...emergencyServices, 'Any'])),
  /** Reports that no reviewer but their author has opened yet. */
  unopened: z.optional(z.literal('1')),
  /** Reports with this kind of unfinished duty under RIDDOR, as counted by `countDuties`. */
  duty: z.optional(z.enum(duties)),
  /** Reports from which an audit was created that is not completed. */
  openAudits: z.optional(z.literal('1')),
};
const ReportFilters = z.object(reportFilters);
/**
 * The filters that a URL may contain. The search is not among them, because it may be a name or
 * telephone number.
 */
export type ReportFilters = Omit<z.input<typeof ReportFilters>, 'q'>;

/**
 * Filters and paging. `after` is the id of the last report already shown; the list is newest first
 * by date and time.
 */
export const ReportQuery = z.object({
  reportType: z.optional(z.enum(reportTypes)),
  ...reportFilters,
  month: z.optional(lineSchema({ max: 30 })),
  after: z.optional(lineSchema({ max: 40 })),
  limit: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(500))),
});
export type ReportQuery = z.output<typeof ReportQuery>;

/** The reason for deleting a report, if one is given. */
export const DeletionReason = z.object({ reason: z.optional(linesSchema({ max: textLimits.note })) });

/** The number of reports per month, for the grouped view. */
export const ReportMonth = z.object({ month: z.string(), count: z.number() });
export type ReportMonth = z.output<typeof ReportMonth>;
export const ReportMonthQuery = z.object({ reportType: z.enum(reportTypes), ...reportFilters });

/** The reply also has the number of files received, except replies that older versions stored. */
export const NewReportReply = z.object({
  success: z.literal(true),
  id: z.string(),
  number: z.string(),
  photos: z.optional(z.number()),
  signatures: z.optional(z.number()),
});

/** A report that the user submitted, as confirmation of receipt, without its content. */
export const MyReport = z.object({
  number: z.string(),
  reportType: z.enum(reportTypes),
  selectedPlace: z.string(),
  date: z.string(),
  created_at: z.string(),
  photos: z.number(),
  signatures: z.number(),
});
export type MyReport = z.output<typeof MyReport>;

export const LastReporter = z.object({ name: z.string() });
