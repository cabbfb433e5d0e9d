// Checklists and their submissions.
import * as z from 'zod/mini';
import { parks, textLimits } from './choices.ts';
import { CapturedAt, dateSchema } from './date-schemas.ts';
import { PlaceFilter, SubmissionPlaceId } from './places/places.ts';
import { CreatedReply } from './replies.ts';
import { lineSchema, linesSchema } from './text.ts';
import { MediaFiles, StoredMediaFile } from './uploads.ts';

export const sectionTypes = ['text', 'site', 'checkbox', 'signature', 'time', 'date', 'na'] as const;
export type SectionType = (typeof sectionTypes)[number];

/** The answers of a `na` section. */
export const naAnswers = ['Yes', 'No', 'N/A'] as const;

/** Limits of checklists and answers: numbers of sections and signatures, characters of texts, bytes. */
export const checklistLimits = {
  title: 200,
  sections: 200,
  sectionTitle: 300,
  signatures: 20,
  answer: 5000,
  signatureCharacters: 300_000,
  bodyBytes: 5 * 1024 * 1024,
  /** Of the audit that a failing answer creates. */
  daysUntilDue: 365,
} as const;

const daysRangeMessage = `Enter 0 to ${checklistLimits.daysUntilDue} days`;

const limit = (message: string) =>
  z.nullable(z.number(message).check(z.minimum(-1e9, message), z.maximum(1e9, message)));

/** Makes a `text` section accept only numbers. A number outside the limits is a failing answer. */
const NumberLimits = z.object({
  unit: lineSchema({ max: textLimits.unit }),
  min: limit('Enter the lowest number as a number'),
  max: limit('Enter the highest number as a number'),
});

const failingAnswers = ['No', 'Yes', 'notTicked', 'outOfRange'] as const;

/** Which answer is failing, and its consequences. A failing answer always needs a note. */
const FailureRule = z.object({
  /** `No` or `Yes` for a `na` section, `notTicked` for a checkbox, `outOfRange` for a number. */
  when: z.enum(failingAnswers, 'Choose the failing answer'),
  photo: z._default(z.enum(['optional', 'required'], 'Choose whether a photo is required'), 'optional'),
  /** The audit it creates, in the park's folder 'From checks'. */
  audit: z.optional(
    z.object({
      urgent: z._default(z.boolean(), false),
      days: z
        .int('Enter the days as a whole number')
        .check(z.minimum(0, daysRangeMessage), z.maximum(checklistLimits.daysUntilDue, daysRangeMessage)),
      /** Usernames of assignees by park, instead of the one in the settings of the park. */
      assignees: z._default(z.partialRecord(z.enum(parks), lineSchema({ max: textLimits.name })), {}),
    }),
  ),
});
export type FailureRule = z.output<typeof FailureRule>;

/** The answers that can be failing, by type; a text only if it is a number. */
export const failingChoices: Partial<Record<SectionType, { value: FailureRule['when']; label: string }[]>> = {
  na: [
    { value: 'No', label: 'No is failing' },
    { value: 'Yes', label: 'Yes is failing' },
  ],
  checkbox: [{ value: 'notTicked', label: 'Not ticked is failing' }],
  text: [{ value: 'outOfRange', label: 'A number out of range is failing' }],
};

export const Section = z.object({
  title: lineSchema({ min: 1, max: checklistLimits.sectionTitle, missing: 'Give the section a title' }),
  /** Shown above the section, for it and those that follow. */
  heading: z.optional(lineSchema({ max: checklistLimits.sectionTitle })),
  type: z.enum(sectionTypes, 'Choose a type'),
  required: z.boolean('Say whether an answer is required'),
  number: z.optional(NumberLimits),
  onFail: z.optional(FailureRule),
});
export type Section = z.output<typeof Section>;

export const NewChecklist = z.object({
  title: lineSchema({ min: 1, max: checklistLimits.title, missing: 'Give the checklist a title' }),
  sections: z.array(Section, 'Add at least one section').check(
    z.minLength(1, 'Add at least one section'),
    z.maxLength(checklistLimits.sections, `At most ${checklistLimits.sections} sections`),
    z.refine(
      (sections) => sections.filter(({ type }) => type === 'signature').length <= checklistLimits.signatures,
      `At most ${checklistLimits.signatures} signatures`,
    ),
    z.refine(
      (sections) => sections.every(({ type, number }) => !number || type === 'text'),
      'Only a text section can take a number',
    ),
    z.refine(
      (sections) =>
        sections.every(
          ({ number }) => !number || number.min === null || number.max === null || number.min <= number.max,
        ),
      'The lowest number is above the highest',
    ),
    z.refine(
      (sections) =>
        sections.every(({ type, number, onFail }) => {
          if (!onFail) return true;
          const isOfType = failingChoices[type]?.some(({ value }) => value === onFail.when) === true;
          return isOfType && (type !== 'text' || number !== undefined);
        }),
      'A section of this type cannot have this failing answer',
    ),
  ),
});
export type NewChecklist = z.output<typeof NewChecklist>;

/** With `version`, rejects a save over someone else's change; without, the last save wins. */
export const ChecklistChange = z.extend(NewChecklist, { version: z.optional(z.int()) });

export const Checklist = z.object({
  id: z.string(),
  title: z.string(),
  sections: z.array(Section),
  version: z.number(),
});
export type Checklist = z.output<typeof Checklist>;

export const Answer = z.union([z.string(), z.boolean()]);
export type Answer = z.output<typeof Answer>;

/** Answers by section index. `checklistVersion` is the version whose sections were shown. */
export const NewSubmission = z.object({
  checklistId: z.string(),
  checklistVersion: z.optional(z.int()),
  data: z.record(z.string(), z.nullable(Answer)),
  /** Notes and photos for each failing answer, by section index. */
  failures: z.optional(
    z.record(
      z.string(),
      z.object({ note: z._default(linesSchema({ max: textLimits.note }), ''), mediaFiles: z._default(MediaFiles, []) }),
    ),
  ),
  /** Required only if neither an answer nor the user determines the park. */
  park: z.optional(z.enum(parks, 'Choose a park')),
  placeId: SubmissionPlaceId,
  capturedAt: CapturedAt,
});
export type NewSubmission = z.output<typeof NewSubmission>;

/** The reply also has the number of files received. */
export const NewSubmissionReply = z.extend(CreatedReply, {
  number: z.optional(z.string()),
  signatures: z.optional(z.number()),
});

/** Notes and photos of the failing answers, by section index. */
export const StoredFailures = z.record(
  z.string(),
  z.object({ note: z.string(), media_files: z.array(StoredMediaFile) }),
);
export type StoredFailures = z.output<typeof StoredFailures>;

export const Submission = z.object({
  id: z.string(),
  /** The number by which people name the submission, such as CHK-2026-0001. */
  number: z.string(),
  checklist_id: z.string(),
  checklist_title: z.string(),
  checklist_version: z.number(),
  submitted_at: z.string(),
  submitted_by: z.string(),
  /** The park; empty for older submissions without one. */
  park: z.string(),
  /** Its place, if it has one and the viewer sees that park. */
  place: z.nullable(z.object({ id: z.string(), name: z.string() })),
  /** Whether it was sent for a place that its park does not have. */
  place_not_known: z.boolean(),
  captured_at: z.optional(z.nullable(z.string())),
  data: z.record(z.string(), Answer),
  sections: z.array(Section),
  /** The number of failing answers, if any. */
  failing: z.optional(z.number()),
  failures: z.optional(StoredFailures),
});
export type Submission = z.output<typeof Submission>;

/** Shown instead of the name of a place that a submission was sent for, but its park does not have. */
export const placeNotKnown = 'Place not known';

const QueryDay = dateSchema(z.string().check(z.maxLength(10)));

/**
 * Filters for reviewers; `to` is inclusive. With any filter or a limit, `data` is empty and details
 * are fetched one by one.
 */
export const SubmissionQuery = z.object({
  q: z.optional(z.string().check(z.maxLength(textLimits.line))),
  title: z.optional(z.string().check(z.maxLength(textLimits.line))),
  park: z.optional(z.enum(parks, 'Choose a park')),
  place: PlaceFilter,
  from: z.optional(QueryDay),
  to: z.optional(QueryDay),
  failing: z.optional(z.literal('yes', "Only 'yes' is accepted")),
  after: z.optional(z.string()),
  limit: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(500))),
});
export type SubmissionQuery = z.output<typeof SubmissionQuery>;
