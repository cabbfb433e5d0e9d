// Accident and incident reports: input and output schemas.
import * as z from 'zod/mini';
import { emergencyServices, employmentStatuses, limits, parks, textLimits } from './choices.ts';
import { CapturedAt, dateSchema, timeSchema } from './date-schemas.ts';
import { getToday, isInFuture, parseDay, parseTime } from './dates.ts';
import { parkListSchema } from './park-list.ts';
import { SignedBy, StoredSignedBy } from './signed-by.ts';
import { parseTelephone } from './telephone.ts';
import { lineSchema, linesSchema } from './text.ts';
import { MediaFile, StoredMediaFile, StoredSignature, signature } from './uploads.ts';

export const reportTypes = ['accident', 'incident'] as const;
export type ReportType = (typeof reportTypes)[number];

const invalidAgeMessage = 'Enter the age as a whole number';
const ageRangeMessage = `Age must be 0 to ${limits.age}`;

/** A whole number, as number or digits; stored as a number. */
const Age = z.pipe(
  z.pipe(
    z.union([z.number(), z.string().check(z.regex(/^\s*\d{1,3}\s*$/, invalidAgeMessage))], invalidAgeMessage),
    z.transform(Number),
  ),
  z.number().check(z.int(invalidAgeMessage), z.minimum(0, ageRangeMessage), z.maximum(limits.age, ageRangeMessage)),
);

/** A valid day since 1900, not in the future; stored as YYYY-MM-DD. */
const ReportDay = z.pipe(
  dateSchema(z.string('Enter the date')),
  z.string().check(z.refine((date) => date <= getToday(), 'The date cannot be in the future')),
);

const ReportTime = timeSchema(z.string('Enter the time'));

/** Eleven digits, however they were written. */
const ContactNumber = z.pipe(
  z.pipe(z.string('Enter the contact number'), z.transform(parseTelephone)),
  z.string().check(z.regex(/^\d{11}$/, 'Contact number must be 11 digits')),
);

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

const fields = z.object({
  selectedPlace: z.enum(parks, 'Choose a park'),
  name: lineSchema({ min: 1, max: textLimits.name, missing: 'Enter the name of the person involved' }),
  age: Age,
  contactNumber: ContactNumber,
  reporter: lineSchema({ min: 1, max: textLimits.name, missing: 'Enter the name of the person completing the form' }),
  date: ReportDay,
  time: ReportTime,
  type: lineSchema({ min: 1, max: textLimits.name, missing: 'Enter the type' }),
  location: lineSchema({ min: 1, max: textLimits.line, missing: 'Enter the location or plot' }),
  employmentStatus: z.enum(employmentStatuses, 'Choose the employment status'),
  emergencyService: z.enum(emergencyServices, 'Choose the emergency services attended'),
  details: linesSchema({ min: 1, max: textLimits.details, missing: 'Describe what happened' }),
});

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
    signature: signature('Reporter signature is required'),
    affectedUserSignature: signature('Affected party signature is required'),
    /** Set if someone else signed for the affected party. */
    affectedUserSignedBy: z.optional(SignedBy),
    capturedAt: CapturedAt,
  })
  .check(notInFutureCheck);
export type NewReport = z.output<typeof NewReport>;

export const Report = z.object({
  id: z.string(),
  /** The number by which people name the report, such as ACC-2026-0001. */
  number: z.string(),
  reportType: z.enum(reportTypes),
  selectedPlace: z.string(),
  name: z.string(),
  age: z.nullable(z.number()),
  contactNumber: z.string(),
  reporter: z.string(),
  date: z.string(),
  time: z.string(),
  type: z.string(),
  location: z.string(),
  employmentStatus: z.string(),
  emergencyService: z.string(),
  details: z.string(),
  mediaFiles: z.array(StoredMediaFile),
  signature: z.nullable(StoredSignature),
  affectedUserSignature: z.nullable(StoredSignature),
  affectedUserSignedBy: z.nullable(StoredSignedBy),
  created_at: z.string(),
  created_by: z.string(),
  captured_at: z.optional(z.nullable(z.string())),
});
export type Report = z.output<typeof Report>;

/** The kinds of unfinished duties under RIDDOR. */
export const duties = ['overdue', 'toReport', 'toAssess'] as const;
export type Duty = (typeof duties)[number];

const reportFilters = {
  q: z.optional(lineSchema({ max: textLimits.line })),
  /** The type of the accident or incident, ignoring case. */
  type: z.optional(lineSchema({ max: 120 })),
  park: z.optional(parkListSchema),
  /** The first and last day of the accidents and incidents to list. */
  from: z.optional(dateSchema()),
  to: z.optional(dateSchema()),
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
