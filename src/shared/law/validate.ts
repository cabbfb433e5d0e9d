// Checks answers against the questions of a rule set. The messages are shown to the user.
import { parseDay } from '../dates.ts';
import { assessmentLimits } from './assessment.ts';
import type { AbsenceSpell, Answers, Facts } from './facts.ts';
import type { RuleSet } from './rule-set.ts';

export const absenceTooEarly = 'The first day off work is before the accident';

const isSpells = (values: RuleSet['values'][string]) => Array.isArray(values) && typeof values[0] === 'object';

/**
 * Returns a message for each invalid answer, by its path in the payload; empty if all are valid.
 */
export function findAnswerErrors(set: RuleSet, facts: Facts, today: string): Record<string, string> {
  const errors: Record<string, string> = {};
  if (facts.people.length > assessmentLimits.people) errors.people = `At most ${assessmentLimits.people} people`;
  if (facts.asOf > today) errors.asOf = 'A day cannot be in the future';
  const check = (path: string, answers: Answers, about: 'event' | 'person') => {
    for (const [field, answer] of Object.entries(answers)) {
      const values = Object.hasOwn(set.values, field) ? set.values[field] : undefined;
      const at = `${path}.${field}`;
      const question = set.questions?.find((one) => one.field === field);
      if (!values || (question && question.about !== about)) errors[at] = 'This is not a question of this rule set';
      else if (answer === null || answer === undefined || answer === '') continue;
      else if (values === 'day') checkDay(at, field, answer);
      else if (isSpells(values)) checkSpells(at, answer);
      else if (values === 'number or unsure') {
        const isNumber = typeof answer === 'number' && Number.isFinite(answer) && answer >= 0 && answer <= 1e9;
        if (!isNumber && answer !== 'unsure') errors[at] = 'Enter a number, or choose Not sure';
      } else {
        const allowsSeveral = question?.several ?? Array.isArray(answer);
        const answerValues = Array.isArray(answer) && allowsSeveral ? answer : [answer];
        if (answerValues.some((value) => !(values as unknown[]).includes(value)))
          errors[at] = 'This is not one of the answers';
      }
    }
  };
  const checkDay = (at: string, field: string, answer: unknown) => {
    if (typeof answer !== 'string' || parseDay(answer) !== answer) errors[at] = 'Enter the date as day/month/year';
    else if (answer > today) errors[at] = 'A day cannot be in the future';
    else if (field === 'diedOn' && answer < facts.accidentOn) errors[at] = 'The death is before the accident';
  };
  const checkSpells = (at: string, answer: unknown) => {
    if (!Array.isArray(answer)) errors[at] = 'This is not one of the answers';
    else if (answer.length > assessmentLimits.spells) errors[at] = `At most ${assessmentLimits.spells} absences`;
    else
      for (const [index, spell] of (answer as (AbsenceSpell | string)[]).entries()) {
        if (typeof spell !== 'object' || spell === null) {
          errors[at] = 'This is not one of the answers';
          return;
        }
        checkDay(`${at}.${index}.from`, 'from', spell.from);
        if (parseDay(spell.from) === spell.from && spell.from < facts.accidentOn)
          errors[`${at}.${index}.from`] = absenceTooEarly;
        if (spell.back !== null) checkDay(`${at}.${index}.back`, 'back', spell.back);
        if (spell.back !== null && parseDay(spell.back) === spell.back && spell.back < spell.from)
          errors[`${at}.${index}.back`] = 'The day back is before the first day off work';
      }
  };
  check('answers', facts.event, 'event');
  for (const [index, person] of facts.people.entries()) check(`people.${index}`, person, 'person');
  return errors;
}

/** Leaves out the answers that are wrong or not complete, so that no result is based on them. */
export function withoutErrors(set: RuleSet, facts: Facts, today: string): Facts {
  const paths = Object.keys(findAnswerErrors(set, facts, today));
  const keepRight = (path: string, answers: Answers): Answers =>
    Object.fromEntries(
      Object.entries(answers).filter(([field]) => !paths.some((at) => `${at}.`.startsWith(`${path}.${field}.`))),
    );
  return {
    ...facts,
    event: keepRight('answers', facts.event),
    people: facts.people.map((person, index) => keepRight(`people.${index}`, person)),
  };
}
