// Decides which answers of a checklist are failing, by the rules of its sections; for the form, the
// server and the PDF.
import type { Answer, Section } from './checklists.ts';
import { hasChoices, isShown, listLines } from './shown-questions.ts';

/** Parses a number as typed: `7.4`, `7,4`, `-2`. */
export function parseNumber(text: string): number | undefined {
  const number = /^\s*([+-]?\d+(?:[.,]\d+)?)\s*$/.exec(text)?.[1];
  return number === undefined ? undefined : Number(number.replace(',', '.'));
}

/** `7.2 to 7.6 pH`, `at least 2 °C`, `at most 30 °C`; '' without limits. */
export function formatRange({ unit, min, max }: NonNullable<Section['number']>): string {
  const after = unit ? ` ${unit}` : '';
  if (min !== null && max !== null) return `${min} to ${max}${after}`;
  if (min !== null) return `at least ${min}${after}`;
  return max === null ? '' : `at most ${max}${after}`;
}

/**
 * Whether an answer is failing by the section's rules, if the question is shown. A checkbox without an
 * answer counts as not ticked.
 */
export function isFailing(section: Section, answer: Answer | null | undefined): boolean {
  const { type, number, onFail, choices } = section;
  if (type === 'checkbox') return onFail?.when === 'notTicked' && answer !== true;
  if (type === 'na') return onFail !== undefined && answer === onFail.when;
  if (hasChoices(section)) {
    const chosen = typeof answer === 'string' ? listLines(answer) : [];
    return choices?.some(({ text, fails }) => fails && chosen.includes(text)) === true;
  }
  if (type !== 'text' || !number || typeof answer !== 'string') return false;
  const value = parseNumber(answer);
  return (
    value !== undefined && ((number.min !== null && value < number.min) || (number.max !== null && value > number.max))
  );
}

/** Whether the section takes a number that can be too low or too high. */
export const hasLimits = ({ number }: Pick<Section, 'number'>): boolean =>
  number !== undefined && (number.min !== null || number.max !== null);

/** Whether an answer to the section can be failing. */
export const canFail = ({ number, onFail, choices }: Pick<Section, 'number' | 'onFail' | 'choices'>): boolean =>
  onFail !== undefined || hasLimits({ number }) || choices?.some(({ fails }) => fails) === true;

export const listFailingIndexes = (sections: Section[], answers: Record<string, Answer | null>): number[] =>
  sections.flatMap((section, index) =>
    isFailing(section, answers[index]) && isShown(sections, answers, index) ? [index] : [],
  );

/**
 * Returns an error for each missing note and photo of failing answers, by field: `{index}.note`,
 * `{index}.mediaFiles`.
 */
export function findFailureErrors(
  sections: Section[],
  answers: Record<string, Answer | null>,
  failures: Record<string, { note: string; mediaFiles: unknown[] }>,
): Record<string, string> {
  const errors: Record<string, string> = {};
  const failing = listFailingIndexes(sections, answers);
  for (const index of failing) {
    const failure = failures[index];
    if (!failure?.note.trim()) errors[`${index}.note`] = 'Say what is wrong';
    if (sections[index]?.onFail?.photo === 'required' && !failure?.mediaFiles.length)
      errors[`${index}.mediaFiles`] = 'Add a photo';
  }
  return errors;
}

/** `An audit will be created: urgent, due in 2 days`, for the form and the builder's preview. */
export function describePlannedAudit({ onFail }: Pick<Section, 'onFail'>): string {
  if (!onFail?.audit) return '';
  const { urgent, days } = onFail.audit;
  const due = days === 0 ? 'due today' : days === 1 ? 'due tomorrow' : `due in ${days} days`;
  return `An audit will be created: ${urgent ? `urgent, ${due}` : due}`;
}

/** `No`, `not ticked`, `Loose or Broken`: which answer fails; '' if none can. */
export function describeFailingAnswer(section: Pick<Section, 'type' | 'number' | 'onFail' | 'choices'>): string {
  const { type, onFail, choices = [] } = section;
  if (!canFail(section)) return '';
  if (type === 'text') return 'out of range';
  if (type === 'checkbox') return 'not ticked';
  if (type === 'na') return onFail?.when ?? '';
  return choices.flatMap(({ text, fails }) => (fails ? [text] : [])).join(' or ');
}

/** `Fails if: No. No audit is created.`: which answer fails, and what it does; '' if none can. */
export function describeConsequence(section: Section): string {
  const answer = describeFailingAnswer(section);
  if (!answer) return '';
  const audit =
    section.onFail?.audit && describePlannedAudit(section).replace('An audit will be created', 'Creates an audit');
  return `Fails if: ${answer}. ${audit ?? 'No audit is created'}.`;
}

/** Whether a failing answer creates an audit, which needs a park. */
export const createsAudit = (sections: Section[], answers: Record<string, Answer | null>): boolean =>
  listFailingIndexes(sections, answers).some((index) => sections[index]?.onFail?.audit);
