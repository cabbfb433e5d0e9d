// Validates and formats answers by section type, for the form, the server and the PDF.
import * as z from 'zod/mini';
import { type Answer, checklistLimits, naAnswers, type Section, type SectionType } from './checklists.ts';
import { parks } from './choices.ts';
import { dateSchema, invalidDateMessage, invalidTimeMessage, timeSchema } from './date-schemas.ts';
import { formatDay, incompleteValue } from './dates.ts';
import { canFail, isFailing, parseNumber } from './failing-answers.ts';
import { isSignatureUrl } from './reports/signature-url.ts';
import { linesSchema } from './text.ts';

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
const schemas: Record<SectionType, z.ZodMiniType<Answer>> = {
  text: linesSchema({ max: checklistLimits.answer, missing: 'Enter an answer' }),
  site: z.enum(parks, 'Choose a park'),
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
};

/** Whether a section counts as answered. A checkbox counts only if ticked. */
export function isAnswered({ type }: Section, answer: Answer | null | undefined): boolean {
  if (type === 'checkbox') return answer === true;
  return typeof answer === 'boolean' || (typeof answer === 'string' && answer.trim() !== '');
}

/**
 * Returns the answers to store and error messages. Leaves out empty answers; does not check for
 * missing ones.
 */
export function parseAnswers(sections: Section[], data: Record<string, Answer | null>) {
  const answers: Answers = {};
  const errors: AnswerErrors = {};
  for (const [key, value] of Object.entries(data)) {
    const section = /^(?:0|[1-9]\d{0,2})$/.test(key) ? sections[Number(key)] : undefined;
    if (!section) errors[''] = 'This checklist has no section for one of the answers';
    else if (value === null || value === '') continue;
    else {
      const parsed = schemas[section.type].safeParse(value);
      if (!parsed.success) errors[key] = parsed.error.issues[0]?.message ?? requiredMessage;
      else if (section.number && typeof parsed.data === 'string' && parseNumber(parsed.data) === undefined) {
        if (parsed.data.trim() !== '') errors[key] = 'Enter a number';
      } else if (typeof parsed.data === 'boolean' || isAnswered(section, parsed.data)) answers[key] = parsed.data;
    }
  }
  return { answers, errors };
}

/**
 * Returns the indexes of required sections without an answer. An unticked box may count as a
 * failing answer instead.
 */
export const findMissingAnswers = (sections: Section[], answers: Record<string, Answer | null>): number[] =>
  sections.flatMap((section, index) => {
    const isMissing = section.required && !isAnswered(section, answers[index]) && !isFailing(section, answers[index]);
    return isMissing ? [index] : [];
  });

/**
 * Whether the answers pass: none is failing, and each question that can fail is answered. Without a question that can fail
 * there is no pass.
 */
export const isPassing = (sections: Section[], answers: Record<string, Answer | null>): boolean =>
  sections.some(canFail) &&
  sections.every((section, index) => {
    const answer = answers[index];
    return !isFailing(section, answer) && (!canFail(section) || isAnswered(section, answer));
  });

/** Returns the indexes of the sections below each heading; '' is the heading of those above the first one. */
export function groupByHeading(sections: Section[]): { heading: string; indexes: number[] }[] {
  const groups: { heading: string; indexes: number[] }[] = [];
  for (const [index, { heading = '' }] of sections.entries()) {
    if (heading || groups.length === 0) groups.push({ heading, indexes: [] });
    groups.at(-1)?.indexes.push(index);
  }
  return groups;
}

/** Returns the park of a submission from its first `site` section, or ''. */
export function findAnsweredPark(sections: Section[], answers: Answers): string {
  const answered = sections.map(({ type }, index) => (type === 'site' ? answers[index] : undefined));
  return answered.find((answer) => typeof answer === 'string') ?? '';
}

/**
 * Formats an answer; '' if missing or incomplete, but 'No' for an unticked box that fails. Signatures
 * are images and shown separately.
 */
export function formatAnswer(section: Section, answer: Answer | undefined): string {
  const { type, number } = section;
  if (type === 'checkbox' && isFailing(section, answer)) return 'No';
  if (answer === undefined || answer === incompleteValue) return '';
  if (typeof answer === 'boolean') return answer ? 'Yes' : 'No';
  if (number?.unit && type === 'text') return `${answer} ${number.unit}`;
  return type === 'date' ? formatDay(answer) : answer;
}
