// What is typed or chosen in a report, in the order of the form. The form, details, PDF, exports,
// search, erasure and columns follow this list; "Adding a field" in docs/architecture.md says how.
import * as z from 'zod/mini';
import { emergencyServices, employmentStatuses, limits, textLimits } from '../choices.ts';
import { dateSchema, timeSchema } from '../date-schemas.ts';
import { formatDay, getToday } from '../dates.ts';
import { parkSchema } from '../places/park-schemas.ts';
import { parseTelephone, withoutExtension } from '../telephone.ts';
import { lineSchema, linesSchema } from '../text.ts';

/** Values of these kinds identify nobody. Everything else is left out of copies without names. */
const impersonalKinds = ['park', 'choice', 'date', 'time'] as const;
type ImpersonalKind = (typeof impersonalKinds)[number];
/** `person` is the name of one person; the other texts may name someone too. */
type Kind = ImpersonalKind | 'person' | 'age' | 'telephone' | 'line' | 'lines';

/** `width` is that of its column in the spreadsheet, in characters. */
const field = <K extends Kind, S extends z.ZodMiniType>(kind: K, label: string, width: number, schema: S) => ({
  kind,
  label,
  width,
  schema,
});

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

/** Eleven digits, however they were written. */
const ContactNumber = z.pipe(
  z.pipe(
    z
      .string('Enter the contact number')
      .check(withoutExtension('Enter the number without the extension, and write the extension in the details')),
    z.transform(parseTelephone),
  ),
  z.string().check(z.regex(/^\d{11}$/, 'Contact number must be 11 digits')),
);

const required = (missing: string, max: number = textLimits.name) => lineSchema({ min: 1, max, missing });
const Name = required('Enter the name of the person involved');
const Reporter = required('Enter the name of the person completing the form');
const EmergencyService = z.enum(emergencyServices, 'Choose the emergency services attended');
const Details = linesSchema({ min: 1, max: textLimits.details, missing: 'Describe what happened' });

export const reportFields = {
  selectedPlace: field('park', 'Park', 18, parkSchema),
  name: field('person', 'Involved or injured person', 26, Name),
  age: field('age', 'Age', 6, Age),
  contactNumber: field('telephone', 'Contact number', 16, ContactNumber),
  reporter: field('person', 'Person completing the form', 26, Reporter),
  date: field('date', 'Date', 12, ReportDay),
  time: field('time', 'Time', 8, timeSchema(z.string('Enter the time'))),
  type: field('line', 'Type', 20, required('Enter the type')),
  location: field('line', 'Location or plot', 20, required('Enter the location or plot', textLimits.line)),
  employmentStatus: field(
    'choice',
    'Employment status',
    18,
    z.enum(employmentStatuses, 'Choose the employment status'),
  ),
  emergencyService: field('choice', 'Emergency services attended', 26, EmergencyService),
  details: field('lines', 'Details', 60, Details),
};

export type ReportFields = typeof reportFields;
export type ReportFieldName = keyof ReportFields;
type NameOfKind<K extends Kind> = {
  [N in ReportFieldName]: ReportFields[N]['kind'] extends K ? N : never;
}[ReportFieldName];
export type PersonalFieldName = NameOfKind<Exclude<Kind, ImpersonalKind>>;

export const reportFieldNames = Object.keys(reportFields) as ReportFieldName[];

export const isPersonal = (name: ReportFieldName): name is PersonalFieldName =>
  !(impersonalKinds as readonly string[]).includes(reportFields[name].kind);

/** Whether the form may be submitted without it. */
export const isOptional = (name: ReportFieldName) => z.safeParse(reportFields[name].schema, undefined).success;

export const mapReportFields = <T>(map: (field: ReportFields[ReportFieldName], name: ReportFieldName) => T) =>
  Object.fromEntries(reportFieldNames.map((name) => [name, map(reportFields[name], name)])) as Record<
    ReportFieldName,
    T
  >;

/** Returns all fields, those in `first` first, so that none is forgotten where the order is another. */
export const orderReportFields = (...first: ReportFieldName[]): ReportFieldName[] => [
  ...new Set([...first, ...reportFieldNames]),
];

/** Formats a value for people to read; '' if there is none. */
export const formatReportField = (name: ReportFieldName, value: unknown): string =>
  reportFields[name].kind === 'date' ? formatDay(String(value ?? '')) : String(value ?? '');
