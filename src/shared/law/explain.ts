// Explains a result rule by rule, in words.
import { formatDay } from '../dates.ts';
import type { AbsenceSpell, Answers, Facts } from './facts.ts';
import { listRules, type Rule, type RuleSet, type Tree } from './rule-set.ts';
import { evaluateTree, listDecidingLeaves, listLeafFields, type Truth } from './tree.ts';

export type Reason = { field: string; answer: string };
type Explanation = { rule: Rule; person: number | null; truth: Truth; reasons: Reason[] };

const formatSpell = ({ from, back }: AbsenceSpell) =>
  `${formatDay(from)}, ${back ? `back on ${formatDay(back)}` : 'still off'}`;

/** Returns an answer in words. */
export const describeAnswer = (set: RuleSet, field: string, answers: Answers): string => {
  const answer = answers[field];
  if (answer === undefined || answer === null || answer === '') return 'not answered';
  const labels = set.questions?.find((question) => question.field === field)?.options;
  if (set.values[field] === 'day') return formatDay(String(answer));
  const describeValue = (value: unknown) =>
    typeof value === 'object' && value !== null
      ? formatSpell(value as AbsenceSpell)
      : (labels?.[String(value)] ?? String(value));
  return Array.isArray(answer) ? answer.map(describeValue).join(', ') : describeValue(answer);
};

/** Returns the text of a question, or its id if the rule set has no text for it. */
export const getQuestionLabel = (set: RuleSet, field: string): string =>
  set.questions?.find((question) => question.field === field)?.label ?? field;

/**
 * Returns every rule for the event and each person, with the answers that decided whether it
 * applies.
 */
export function explain(set: RuleSet, facts: Facts): Explanation[] {
  return listRules(set).flatMap(({ rule, about }) => {
    const subjects = about === 'event' ? [null] : [...facts.people.keys()];
    return subjects.map((index) => {
      const answers: Answers = index === null ? facts.event : { ...facts.event, ...facts.people[index] };
      const subject = { accidentOn: facts.accidentOn, asOf: facts.asOf, answers };
      const fields = new Set(
        listDecidingLeaves(set, rule.when, subject).flatMap(({ tree }) => listLeafFields(tree as Tree)),
      );
      fields.delete('accidentOn');
      return {
        rule,
        person: index === null ? null : index + 1,
        truth: evaluateTree(set, rule.when, subject),
        reasons: [...fields].map((field) => ({ field, answer: describeAnswer(set, field, answers) })),
      };
    });
  });
}
