// Checklists and their submissions.
import * as z from 'zod/mini';
import { textLimits } from './choices.ts';
import { CapturedAt, dateSchema, invalidDateMessage } from './date-schemas.ts';
import { canFail } from './failing-answers.ts';
import { ParkWasClosed, parkSchema } from './places/park-schemas.ts';
import { PlaceFilter, SubmissionPlaceId } from './places/places.ts';
import { CreatedReply } from './replies.ts';
import { hasChoices } from './shown-questions.ts';
import { foldText, lineSchema, linesSchema } from './text.ts';
import { MediaFiles, StoredMediaFile } from './uploads.ts';

/** The types that every page knows, also one that was loaded before there were others. */
export const firstSectionTypes = ['text', 'site', 'checkbox', 'signature', 'time', 'date', 'na'] as const;
/** `photo` and `info` have no answer: photos of a question are with its note. */
export const sectionTypes = [...firstSectionTypes, 'choice', 'choices', 'photo', 'person', 'info'] as const;
export type SectionType = (typeof sectionTypes)[number];

/** Whether every page knows the types of these sections. */
export const haveFirstTypes = (sections: Pick<Section, 'type'>[]): boolean =>
  sections.every(({ type }) => (firstSectionTypes as readonly SectionType[]).includes(type));

export const naAnswers = ['Yes', 'No', 'N/A'] as const;
/** The answer to a number that does not apply, if its question allows it. */
export const notApplicable = 'N/A';

/** Limits of checklists and answers: numbers of sections and signatures, characters of texts, bytes. */
export const checklistLimits = {
  title: 200,
  sections: 200,
  sectionTitle: 300,
  signatures: 20,
  answer: 5000,
  help: 500,
  /** Of a list to choose from, and the characters of each. */
  choices: { min: 2, max: 40, text: 200 },
  signatureCharacters: 300_000,
  bodyBytes: 5 * 1024 * 1024,
  /** Entries of a request's JSON: 200 answers, each with a note and some photos; 200 questions with their rules. */
  entries: 10_000,
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
  /** Whether `N/A` is an answer. It never fails. */
  allowNA: z.optional(z.boolean()),
  /** Says that a check passes with `N/A` although the number has limits. */
  onNA: z.optional(z.literal('passes', "Only 'passes' is accepted")),
});

const failingAnswers = ['No', 'Yes', 'notTicked', 'outOfRange', 'chosen'] as const;

/** Which answer is failing, and its consequences. A failing answer always needs a note. */
const FailureRule = z.object({
  /**
   * `No` or `Yes` for a `na` section, `notTicked` for a checkbox, `outOfRange` for a number, `chosen` for a choice that
   * fails.
   */
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
      assignees: z._default(z.record(parkSchema, lineSchema({ max: textLimits.name })), {}),
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
  choice: [{ value: 'chosen', label: 'A failing choice' }],
  choices: [{ value: 'chosen', label: 'A failing choice' }],
};

const { choices: choiceLimits } = checklistLimits;
const dependsMessage = 'Choose the earlier question, and the answers with which this one is shown';
const choicesMessage = `Give ${choiceLimits.min} to ${choiceLimits.max} choices`;

const Choice = z.object({
  text: lineSchema({ min: 1, max: choiceLimits.text, missing: 'Give the choice a text' }),
  fails: z._default(z.boolean(), false),
});

export const Section = z.object({
  title: lineSchema({ min: 1, max: checklistLimits.sectionTitle, missing: 'Give the section a title' }),
  /** Shown above the section, for it and those that follow. */
  heading: z.optional(lineSchema({ max: checklistLimits.sectionTitle })),
  type: z.enum(sectionTypes, 'Choose a type'),
  required: z.boolean('Say whether an answer is required'),
  number: z.optional(NumberLimits),
  onFail: z.optional(FailureRule),
  help: z.optional(linesSchema({ max: checklistLimits.help })),
  /** The list to choose from. */
  choices: z.optional(
    z.array(Choice, choicesMessage).check(
      z.minLength(choiceLimits.min, choicesMessage),
      z.maxLength(choiceLimits.max, choicesMessage),
      z.refine(
        (choices) => new Set(choices.map(({ text }) => foldText(text))).size === choices.length,
        'The choices must differ',
      ),
    ),
  ),
  /** Shows the question only if the one at this index is shown and has one of these answers; `Yes` is a ticked box. */
  showIf: z.optional(
    z.object({
      section: z.int(dependsMessage).check(z.minimum(0, dependsMessage)),
      answers: z
        .array(z.string(dependsMessage), dependsMessage)
        .check(z.minLength(1, dependsMessage), z.maxLength(choiceLimits.max, dependsMessage)),
    }),
  ),
});
export type Section = z.output<typeof Section>;

/** Returns the answers of a section on which others can depend; none if it has another type. */
export function listPossibleAnswers(section: Section): string[] {
  const { type, choices = [] } = section;
  if (hasChoices(section)) return choices.map(({ text }) => text);
  if (type === 'na') return [...naAnswers];
  return type === 'checkbox' ? ['Yes', 'No'] : [];
}

/** The start of the title, for messages. */
const quoteTitle = ({ title }: Section) => `“${[...title].slice(0, 60).join('')}”`;

/** Says what is wrong with the list to choose from, or with the question that it depends on, by field. */
function findSectionErrors(
  section: Section,
  index: number,
  sections: Section[],
): { [Field in keyof Section]?: string } {
  const { choices, showIf, onFail } = section;
  const name = quoteTitle(section);
  const isList = hasChoices(section);
  if (isList && !choices) return { choices: `Give ${name} ${choiceLimits.min} to ${choiceLimits.max} choices` };
  if (!isList && choices) return { choices: `The type of ${name} has no choices` };
  if (isList && onFail && !canFail({ choices })) return { choices: `Say which choice of ${name} is failing` };
  if (!showIf) return {};
  const source = sections[showIf.section];
  if (!source || showIf.section >= index) return { showIf: `Question ${name} can depend only on an earlier one` };
  const possible = listPossibleAnswers(source);
  if (!showIf.answers.every((answer) => possible.includes(answer)))
    return { showIf: `Question ${name} depends on an answer that ${quoteTitle(source)} does not have` };
  return {};
}

/**
 * Returns the questions on which one that can fail depends, with the index of such a one. Leaving out their answers must
 * hide nothing. An unticked box is an answer, and a text to read has none.
 */
export function findRequiredBy(sections: Section[]): Map<number, number> {
  const needed = new Map<number, number>();
  for (const [index, section] of sections.entries()) {
    if (!canFail(section)) continue;
    for (let at = index, on = section.showIf?.section; on !== undefined && on < at; ) {
      const type = sections[on]?.type;
      if (type !== 'checkbox' && type !== 'info' && !needed.has(on)) needed.set(on, index);
      [at, on] = [on, sections[on]?.showIf?.section];
    }
  }
  return needed;
}

/** Requires an answer to each question on which one that can fail depends. */
export function setRequired(sections: Section[]): Section[] {
  const needed = findRequiredBy(sections);
  return sections.map((section, index) => {
    const required = section.type !== 'info' && (section.required || needed.has(index));
    return required === section.required ? section : { ...section, required };
  });
}

/** Which answers take a note and photos: those that fail, or all. Photos of a `photo` section are always taken. */
const NotesRule = z.enum(['failing', 'any'], 'Choose which answers take notes');
export type NotesRule = z.output<typeof NotesRule>;

/** Whether an answer takes a note and photos although it does not fail. */
export const takesNotes = ({ type }: Pick<Section, 'type'>, rule: NotesRule | undefined): boolean =>
  type === 'photo' || (rule === 'any' && type !== 'info');

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
    z.check(({ value, issues }) => {
      for (const [index, section] of value.entries())
        for (const [field, message] of Object.entries(findSectionErrors(section, index, value)))
          issues.push({ code: 'custom', message, input: value, path: [index, field] });
    }),
    z.overwrite(setRequired),
  ),
  /** By default `failing`, and what it was when a checklist is changed. */
  notes: z.optional(NotesRule),
});
export type NewChecklist = z.output<typeof NewChecklist>;

/** With `version`, rejects a save over someone else's change; without, the last save wins. */
export const ChecklistChange = z.extend(NewChecklist, { version: z.optional(z.int()) });

export const Checklist = z.object({
  id: z.string(),
  title: z.string(),
  sections: z.array(Section),
  version: z.number(),
  /** Missing if only failing answers take notes. */
  notes: z.optional(NotesRule),
});
export type Checklist = z.output<typeof Checklist>;

export const Answer = z.union([z.string(), z.boolean()]);
export type Answer = z.output<typeof Answer>;

const sentNote = {
  note: z._default(linesSchema({ max: textLimits.note }), ''),
  mediaFiles: z._default(MediaFiles, []),
};

/** Assignee and due day that were chosen for the audit of a failing answer. */
const ChosenAudit = z.object({
  assigneeId: z.optional(z.nullable(z.string().check(z.maxLength(100)))),
  date: z.optional(z.nullable(dateSchema(z.string(invalidDateMessage)))),
});
export type ChosenAudit = z.output<typeof ChosenAudit>;

/** Answers by section index. `checklistVersion` is the version whose sections were shown. */
export const NewSubmission = z.object({
  checklistId: z.string(),
  checklistVersion: z.optional(z.int()),
  data: z.record(z.string(), z.nullable(Answer)),
  /** Notes and photos for each failing answer, by section index. */
  failures: z.optional(z.record(z.string(), z.object(sentNote))),
  /** The same, also for answers that do not fail, by section index. An index is in one of the two. */
  notes: z.optional(z.record(z.string(), z.object({ ...sentNote, audit: z.optional(ChosenAudit) }))),
  /** The ids of the users whom answers to `person` sections name, by section index. */
  people: z.optional(z.record(z.string(), z.string().check(z.maxLength(100)))),
  /** Required only if neither an answer nor the user determines the park. */
  park: z.optional(parkSchema),
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
  parkWasClosed: ParkWasClosed,
  captured_at: z.optional(z.nullable(z.string())),
  data: z.record(z.string(), Answer),
  sections: z.array(Section),
  /** The number of failing answers, if any. */
  failing: z.optional(z.number()),
  failures: z.optional(StoredFailures),
  /** Notes and photos of the other answers. */
  notes: z.optional(StoredFailures),
  /** The ids of the users whom answers name, by section index. */
  people: z.optional(z.record(z.string(), z.string())),
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
  park: z.optional(parkSchema),
  place: PlaceFilter,
  from: z.optional(QueryDay),
  to: z.optional(QueryDay),
  failing: z.optional(z.literal('yes', "Only 'yes' is accepted")),
  after: z.optional(z.string()),
  limit: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(500))),
});
export type SubmissionQuery = z.output<typeof SubmissionQuery>;
