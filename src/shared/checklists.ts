// Checklists and their submissions.
import * as z from 'zod/mini';
import { parks } from './choices.ts';
import { CapturedAt, dateSchema } from './date-schemas.ts';
import { CreatedReply } from './replies.ts';
import { lineSchema } from './text.ts';

export const sectionTypes = ['text', 'site', 'checkbox', 'signature', 'time', 'date', 'na'] as const;
export type SectionType = (typeof sectionTypes)[number];

/** The answers of a `na` section. */
export const naAnswers = ['Yes', 'No', 'N/A'] as const;

export const checklistLimits = {
  title: 200,
  sections: 200,
  sectionTitle: 300,
  signatures: 20,
  answer: 5000,
  signatureCharacters: 300_000,
  bodyBytes: 5 * 1024 * 1024,
} as const;

export const Section = z.object({
  title: lineSchema({ min: 1, max: checklistLimits.sectionTitle, missing: 'Give the section a title' }),
  type: z.enum(sectionTypes, 'Choose a type'),
  required: z.boolean('Say whether an answer is required'),
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

/** Answers by section index. `checklistVersion` binds them to the sections that were shown. */
export const NewSubmission = z.object({
  checklistId: z.string(),
  checklistVersion: z.optional(z.int()),
  data: z.record(z.string(), z.nullable(Answer)),
  capturedAt: CapturedAt,
});
export type NewSubmission = z.output<typeof NewSubmission>;

/** With the number of files received. */
export const NewSubmissionReply = z.extend(CreatedReply, {
  number: z.optional(z.string()),
  signatures: z.optional(z.number()),
});

export const Submission = z.object({
  id: z.string(),
  /** The number used on the phone: CHK-2026-0001. */
  number: z.string(),
  checklist_id: z.string(),
  checklist_title: z.string(),
  checklist_version: z.number(),
  submitted_at: z.string(),
  submitted_by: z.string(),
  /** The park; empty for older submissions without one. */
  park: z.string(),
  captured_at: z.optional(z.nullable(z.string())),
  data: z.record(z.string(), Answer),
  sections: z.array(Section),
});
export type Submission = z.output<typeof Submission>;

const QueryDay = dateSchema(z.string().check(z.maxLength(10)));

/**
 * Filters for reviewers; `to` is inclusive. With any filter or a limit, `data` is empty and details
 * are fetched one by one.
 */
export const SubmissionQuery = z.object({
  q: z.optional(z.string().check(z.maxLength(200))),
  title: z.optional(z.string().check(z.maxLength(200))),
  park: z.optional(z.enum(parks, 'Choose a park')),
  from: z.optional(QueryDay),
  to: z.optional(QueryDay),
  after: z.optional(z.string().check(z.maxLength(40))),
  limit: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(500))),
});
export type SubmissionQuery = z.output<typeof SubmissionQuery>;
