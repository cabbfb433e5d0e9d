// Validates and formats answers by section type, for the form, the server and the PDF.
import * as z from 'zod/mini';
import {
  type Answer,
  checklistLimits,
  naAnswers,
  notApplicable,
  type Section,
  type SectionType,
} from './checklists.ts';
import { textLimits } from './choices.ts';
import { dateSchema, invalidDateMessage, invalidTimeMessage, timeSchema } from './date-schemas.ts';
import { formatDay, incompleteValue } from './dates.ts';
import { canFail, isFailing, parseNumber } from './failing-answers.ts';
import { parkSchema } from './places/park-schemas.ts';
import { isSignatureUrl } from './reports/signature-url.ts';
import { isShown, listLines } from './shown-questions.ts';
import { lineSchema, linesSchema } from './text.ts';

/** Answers by section index, without unanswered sections. */
export type Answers = Record<string, Answer>;
/** Returns the answers with one of them changed, or removed if it is undefined. */
export const withAnswer = (answers: Answers, index: number, answer: Answer | undefined) =>
  Object.fromEntries(
    Object.entries({ ...answers, [index]: answer }).filter(([, answer]) => answer !== undefined),
  ) as Answers;

/** Messages by section index; `''` for an answer without a section. */
type AnswerErrors = Record<string, string>;

/** Shown at each unanswered required section. */
export const requiredMessage = 'Required';
/** Shown once for the whole form. */
export const missingFieldsMessage = 'Please fill in all required fields.';

const invalidSignatureMessage = 'This signature cannot be used. Please sign again.';
const noAnswer = z.custom<string>(() => false, 'This question has no answer');
const invalidChoiceMessage = 'Choose from the list';
const schemas: Record<SectionType, z.ZodMiniType<Answer>> = {
  text: linesSchema({ max: checklistLimits.answer, missing: 'Enter an answer' }),
  site: parkSchema,
  checkbox: z.boolean('Must be true or false'),
  signature: z
    .string(invalidSignatureMessage)
    .check(
      z.maxLength(checklistLimits.signatureCharacters, 'This signature is too large. Please sign again.'),
      z.refine(isSignatureUrl, invalidSignatureMessage),
    ),
  time: timeSchema(z.string(invalidTimeMessage)),
  date: dateSchema(z.string(invalidDateMessage)),
  na: z.enum(naAnswers, 'Choose Yes, No or N/A'),
  choice: z.string(invalidChoiceMessage),
  choices: z.string(invalidChoiceMessage),
  photo: noAnswer,
  person: lineSchema({ max: textLimits.name, missing: 'Enter a name' }),
  info: noAnswer,
};

/** Whether a section counts as answered. A checkbox counts only if ticked. */
export function isAnswered({ type }: Section, answer: Answer | null | undefined): boolean {
  if (type === 'checkbox') return answer === true;
  return typeof answer === 'boolean' || (typeof answer === 'string' && answer.trim() !== '');
}

/**
 * Returns how many questions that are shown have no answer, of those that can fail and those with boxes or choices. Other
 * texts are often left empty on purpose.
 */
export const countUnanswered = (sections: Section[], answers: Record<string, Answer | null>): number =>
  sections.filter(
    (section, index) =>
      (['checkbox', 'na', 'choice'].includes(section.type) || canFail(section)) &&
      isShown(sections, answers, index) &&
      !isAnswered(section, answers[index]),
  ).length;

/** Returns the section at an index that was sent as the name of a member. */
export const findSection = (sections: Section[], key: string): Section | undefined =>
  /^(?:0|[1-9]\d{0,2})$/.test(key) ? sections[Number(key)] : undefined;

/** The notes of answers by section index, with photos, which are the answers to `photo` sections. */
type Notes = Record<string, { mediaFiles: unknown[] }>;

/**
 * Returns the answers to store and error messages, and whether an answer that is not stored would have failed. Leaves out
 * empty answers, and those to questions that are not shown; does not check for missing ones.
 */
export function parseAnswers(sections: Section[], data: Record<string, Answer | null>) {
  const answers: Answers = {};
  const errors: AnswerErrors = {};
  let hasHiddenFailure = false;
  // These keys are in ascending order, and whether a section is shown depends on answers to those before it.
  for (const key of Object.keys(data)) {
    const value = data[key] ?? '';
    const section = findSection(sections, key);
    if (!section) errors[''] = 'This checklist has no question for one of the answers';
    else if (value === '') continue;
    else if (!isShown(sections, answers, Number(key))) hasHiddenFailure ||= isFailing(section, value);
    else {
      const { answer, error } = parseAnswer(section, value);
      if (error !== undefined) errors[key] = error;
      else if (typeof answer === 'boolean' || isAnswered(section, answer)) answers[key] = answer as Answer;
    }
  }
  return { answers, errors, hasHiddenFailure };
}

function parseAnswer(section: Section, value: Answer): { answer?: Answer; error?: string } {
  const parsed = schemas[section.type].safeParse(value);
  if (!parsed.success) return { error: parsed.error.issues[0]?.message ?? requiredMessage };
  const answer = parsed.data;
  if (typeof answer !== 'string' || answer.trim() === '') return { answer };
  if (isNotApplicable(section, answer)) return { answer: notApplicable };
  if (section.number && parseNumber(answer) === undefined) return { error: 'Enter a number' };
  return section.choices ? parseChoice(section, answer) : { answer };
}

/** Several choices are stored in the order of the list. */
function parseChoice({ type, choices = [] }: Section, answer: string) {
  const lines = new Set(listLines(answer));
  const chosen = choices.flatMap(({ text }) => (lines.has(text) ? [text] : []));
  const isValid = chosen.length === lines.size && (type === 'choices' || chosen.length === 1);
  return isValid ? { answer: chosen.join('\n') } : { error: invalidChoiceMessage };
}

/** Whether the answer to a number is that it does not apply. */
const isNotApplicable = ({ number }: Section, answer: Answer | null | undefined) =>
  number?.allowNA === true && typeof answer === 'string' && answer.trim() === notApplicable;

/**
 * Returns the indexes of required sections that are shown and have no answer. An unticked box may count
 * as a failing answer instead.
 */
export const findMissingAnswers = (
  sections: Section[],
  answers: Record<string, Answer | null>,
  notes: Notes = {},
): number[] =>
  sections.flatMap((section, index) => {
    if (!section.required || !isShown(sections, answers, index)) return [];
    const isGiven =
      section.type === 'photo' ? Boolean(notes[index]?.mediaFiles.length) : isAnswered(section, answers[index]);
    return isGiven || isFailing(section, answers[index]) ? [] : [index];
  });

/**
 * What the form and the server find in answers: those to store, messages by section index also for missing ones, and
 * whether they pass, which they do not if an answer that is not stored would have failed.
 */
export function checkAnswers(sections: Section[], data: Record<string, Answer | null>, notes: Notes = {}) {
  const { answers, errors, hasHiddenFailure } = parseAnswers(sections, data);
  for (const index of findMissingAnswers(sections, answers, notes)) errors[index] ??= requiredMessage;
  return { answers, errors, passed: !hasHiddenFailure && isPassing(sections, answers) };
}

/**
 * Whether the answers pass: none is failing, and each question that is shown and can fail is answered, a number with
 * limits not with N/A unless its rule says so. Without such a question there is no pass.
 */
export function isPassing(sections: Section[], answers: Record<string, Answer | null>): boolean {
  const indexes = [...sections.keys()].filter((index) => isShown(sections, answers, index));
  const judged = indexes.flatMap((index) => {
    const section = sections[index];
    return section && canFail(section) ? [{ section, answer: answers[index] }] : [];
  });
  return (
    judged.length > 0 &&
    judged.every(
      ({ section, answer }) =>
        isAnswered(section, answer) &&
        !isFailing(section, answer) &&
        (section.number?.onNA === 'passes' || !isNotApplicable(section, answer)),
    )
  );
}

/** Returns the indexes of the sections below each heading; '' is the heading of those above the first one. */
export function groupByHeading(sections: Section[]): { heading: string; indexes: number[] }[] {
  const groups: { heading: string; indexes: number[] }[] = [];
  for (const [index, { heading = '' }] of sections.entries()) {
    if (heading || groups.length === 0) groups.push({ heading, indexes: [] });
    groups.at(-1)?.indexes.push(index);
  }
  return groups;
}

/** Returns the headings above the first included question of each group, by its index. */
export const placeHeadings = (sections: Section[], isIncluded: (index: number) => boolean): Record<number, string> =>
  Object.fromEntries(
    groupByHeading(sections).flatMap(({ heading, indexes }) => {
      const first = indexes.find(isIncluded);
      return heading && first !== undefined ? [[first, heading]] : [];
    }),
  );

/** Returns the park of a submission from its first `site` section, or ''. */
export function findAnsweredPark(sections: Section[], answers: Answers): string {
  const answered = sections.map(({ type }, index) =>
    type === 'site' && isShown(sections, answers, index) ? answers[index] : undefined,
  );
  return answered.find((answer) => typeof answer === 'string') ?? '';
}

/**
 * Formats the answer to a question that is shown; '' if missing or incomplete, but 'No' for an unticked
 * box that fails. Signatures and photos are images and shown separately.
 */
export function formatAnswer(section: Section, answer: Answer | undefined): string {
  const { type, number } = section;
  if (type === 'checkbox' && isFailing(section, answer)) return 'No';
  if (answer === undefined || answer === incompleteValue) return '';
  if (typeof answer === 'boolean') return answer ? 'Yes' : 'No';
  if (number?.unit && type === 'text' && !isNotApplicable(section, answer)) return `${answer} ${number.unit}`;
  return type === 'date' ? formatDay(answer) : answer;
}
