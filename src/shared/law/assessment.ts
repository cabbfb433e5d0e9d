// The RIDDOR assessment of a report, as the API sends and receives it.
import * as z from 'zod/mini';
import { textLimits } from '../choices.ts';
import { dateSchema } from '../date-schemas.ts';
import { parkSchema } from '../places/park-schemas.ts';
import { lineSchema, linesSchema } from '../text.ts';
import { authorities } from './authority.ts';
import { decisions, noticeWays, riddorStateNames } from './riddor-state.ts';

export const assessmentLimits = { people: 20, spells: 50, reasonMin: 10, reasonMax: 2000, reference: 100 } as const;

const value = lineSchema({ max: 100 });
const SpellAnswer = z.strictObject({ from: value, back: z.nullable(value) });
const Answer = z.nullable(
  z.union([z.number(), value, z.array(value).check(z.maxLength(50)), z.array(SpellAnswer).check(z.maxLength(200))]),
);
const Answers = z.record(z.string().check(z.maxLength(60)), Answer);

/** What the accident book records and the report form does not ask, with its labels. */
export const particularFields = {
  occupation: 'Occupation',
  address: 'Address of the injured person',
  injury: 'Nature of the injury',
  bodyPart: 'Part of the body',
  cause: 'Cause of the injury',
  firstAid: 'First aid given',
  witnesses: 'Witnesses',
  actionTaken: 'Action taken',
  reporterOccupation: 'Occupation of the person who reported it',
  reporterAddress: 'Address of the person who reported it',
  employer: "Contractor's employer",
  guardian: "Child's parent or guardian",
  consent: 'Consent to show this to safety representatives',
  insurerToldOn: 'Insurer told on',
} as const;
export type ParticularField = keyof typeof particularFields;

const adultAge = 18;

/** The fields that are empty, in words. Adults have no guardian, and only contractors have an employer. */
export function listMissingParticulars(
  particulars: Record<string, string>,
  { age, employmentStatus }: { age: number | null; employmentStatus: string },
): string[] {
  const isAsked = (field: string) =>
    (field !== 'guardian' || age === null || age < adultAge) &&
    (field !== 'employer' || !['Staff', 'Guest', 'Owner'].includes(employmentStatus));
  return Object.entries(particularFields)
    .filter(([field]) => !particulars[field]?.trim() && isAsked(field))
    .map(([, label]) => label);
}

/**
 * A field that is not part of the accident book. A report in which it is filled in is kept longer.
 */
export const exposureField = 'exposure';
/** Why a report with an exposure is held: an illness may show after decades. */
export const exposureReason = 'Exposure: review it each year.';
export const exposureLabel = 'Exposure to asbestos, noise or another lasting hazard';
const particularNames = [...(Object.keys(particularFields) as ParticularField[]), exposureField];

const Particulars = z.partialRecord(
  z.enum(particularNames as [string, ...string[]]),
  linesSchema({ max: textLimits.note }),
);

export const AssessmentChange = z.object({
  version: z.number().check(z.int(), z.minimum(0)),
  answers: Answers,
  people: z.array(Answers),
  particulars: z.optional(Particulars),
  /** The last day on which the answers about an absence were true; today if missing. */
  asOf: z.optional(dateSchema()),
  /**
   * The rule set whose questions were answered; rejected if another one has replaced it. With a
   * corrected rule set, an undecided assessment changes to the corrected rules.
   */
  ruleSet: z.optional(lineSchema({ max: 60 })),
});
export type AssessmentChange = z.output<typeof AssessmentChange>;

export const AssessmentDecision = z.object({
  version: z.number().check(z.int(), z.minimum(0)),
  decision: z.enum(decisions, 'Choose reportable, record only or not reportable'),
  reason: z.optional(linesSchema({ max: assessmentLimits.reasonMax })),
});

export const NewNotice = z.object({
  duties: z.array(lineSchema({ max: 60 })).check(z.maxLength(100)),
  how: z.enum(noticeWays, 'Choose how it was reported'),
  on: dateSchema(z.string('Enter the day')),
  hseReference: z.optional(lineSchema({ max: assessmentLimits.reference })),
  note: z.optional(linesSchema({ max: textLimits.note })),
});

const RiddorNotice = z.object({
  id: z.string(),
  duties: z.array(z.string()),
  how: z.enum(noticeWays),
  on: z.string(),
  hse_reference: z.nullable(z.string()),
  note: z.nullable(z.string()),
  created_at: z.string(),
  created_by: z.string(),
});
export const RiddorState = z.object({
  state: z.enum(riddorStateNames),
  words: z.string(),
  dueOn: z.nullable(z.string()),
  daysOver: z.nullable(z.number()),
  isUrgent: z.boolean(),
  /** Whether nobody has decided yet that it must be reported, so that `dueOn` is no legal deadline. */
  isOpen: z.boolean(),
});

export const Assessment = z.object({
  report_id: z.string(),
  number: z.string(),
  /** 0 if the assessment has not been saved yet. */
  version: z.number(),
  ruleSet: z.string(),
  /** The id of a corrected version, if the rule set contained a mistake. */
  correctedBy: z.nullable(z.string()),
  /** The id of the corrected version by which the decision is to be checked again. */
  reviewBy: z.nullable(z.string()),
  /** The authority that enforces health and safety at the report's park. */
  authority: z.enum(authorities),
  accidentOn: z.string(),
  asOf: z.string(),
  answers: z.record(z.string(), z.unknown()),
  people: z.array(z.record(z.string(), z.unknown())),
  particulars: z.record(z.string(), z.string()),
  missingParticulars: z.array(z.string()),
  result: z.nullable(z.record(z.string(), z.unknown())),
  decision: z.nullable(z.enum(decisions)),
  reason: z.nullable(z.string()),
  decided_by: z.nullable(z.string()),
  decided_at: z.nullable(z.string()),
  notices: z.array(RiddorNotice),
  clock: RiddorState,
});
export type Assessment = z.output<typeof Assessment>;

export const ReportRiddorState = z.extend(RiddorState, {
  report_id: z.string(),
  number: z.string(),
  name: z.string(),
  park: z.string(),
});
export type ReportRiddorState = z.output<typeof ReportRiddorState>;

export const OpenDutiesQuery = z.object({
  park: z.optional(parkSchema),
  state: z.optional(z.enum(riddorStateNames, 'Choose a state')),
  /** Only these reports, in any state; up to 100 ids, separated by commas. */
  ids: z.optional(
    z
      .string()
      .check(
        z.regex(
          /^[A-Za-z0-9_-]{1,40}(,[A-Za-z0-9_-]{1,40}){0,99}$/,
          'Enter at most 100 report ids, separated by commas',
        ),
      ),
  ),
});
export type OpenDutiesQuery = z.output<typeof OpenDutiesQuery>;

/** A report's PDF contains the answers only on request. */
export const PdfQuery = z.object({
  assessment: z.optional(z.enum(['1'], 'Set the parameter assessment to 1 or leave it out')),
  /** The copy for safety representatives: without identity, unless the person consents. */
  representative: z.optional(z.enum(['1'], 'Set the parameter representative to 1 or leave it out')),
});

export const DutyCounts = z.object({
  overdue: z.number(),
  toReport: z.number(),
  toAssess: z.number(),
  /** Decided reports whose decision is to be checked again, because the rules were corrected. */
  toReview: z.number(),
  /** The number of deleted reports: for Admins only, otherwise null. */
  deleted: z.nullable(z.number()),
});
export type DutyCounts = z.output<typeof DutyCounts>;

export const NewHold = z.object({
  thing: z.enum(['report', 'person', 'park'], 'Choose a report, a person or a park'),
  thing_id: lineSchema({ min: 1, max: textLimits.name, missing: 'Enter the report number, person or park' }),
  reason: linesSchema({ min: 3, max: textLimits.note, missing: 'Enter the reason' }),
  reviewOn: dateSchema(z.string('Enter the day of the review')),
});

export const Hold = z.object({
  id: z.string(),
  thing: z.string(),
  thing_id: z.string(),
  /** A report's number, or the name of the person or park under the hold. */
  label: z.string(),
  reason: z.string(),
  review_on: z.string(),
  created_at: z.string(),
  created_by: z.string(),
});
export type Hold = z.output<typeof Hold>;

export const HoldReview = z.object({ reviewOn: dateSchema(z.string('Enter the day of the next review')) });

export const Release = z.object({
  reason: linesSchema({ min: 3, max: textLimits.note, missing: 'Enter the reason: a duplicate, a test or a mistake' }),
});
