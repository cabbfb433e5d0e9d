// Explains a result rule by rule, in words.

import { countDays } from '../calendar.ts';
import { formatDay } from '../dates.ts';
import { pluralise } from '../pluralise.ts';
import { hasAllDays, isStillOff } from './absence.ts';
import { type Contradiction, listContradictingFields, withDoubts } from './ask-backs.ts';
import type { Duty, Result } from './evaluate.ts';
import { type AbsenceSpell, type Answers, type Facts, getDay, listAnswers, toSubject } from './facts.ts';
import { listAskBacks, listAskedQuestions } from './questions.ts';
import { listRules, type Rule, type RuleSet } from './rule-set.ts';
import { evaluateTree, isMoreTrue, listDecidingLeaves, listLeafFields, type Truth } from './tree.ts';

export type Reason = { field: string; answer: string };
type Explanation = { rule: Rule; person: number | null; truth: Truth; reasons: Reason[] };

const formatSpell = ({ from, back }: AbsenceSpell) =>
  `${formatDay(from)}, ${back === null ? 'still off' : `back on ${back ? formatDay(back) : 'a day that is not given yet'}`}`;

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
  const doubtedFacts = withDoubts(set, facts);
  return listRules(set).flatMap(({ rule, about }) => {
    const indexes = about === 'event' ? [null] : [...facts.people.keys()];
    return indexes.map((index) => {
      const given = toSubject(facts, index);
      const doubted = toSubject(doubtedFacts, index);
      const isInDoubt = isMoreTrue(evaluateTree(set, rule.when, doubted), evaluateTree(set, rule.when, given));
      const subject = isInDoubt ? doubted : given;
      const fields = new Set(listDecidingLeaves(set, rule.when, subject).flatMap(({ tree }) => listLeafFields(tree)));
      fields.delete('accidentOn');
      return {
        rule,
        person: index === null ? null : index + 1,
        truth: evaluateTree(set, rule.when, subject),
        reasons: [...fields].map((field) => ({ field, answer: describeAnswer(set, field, given.answers) })),
      };
    });
  });
}

/** Returns the answer that has to be confirmed, and those that contradict it, in words. */
export function listAnswersToConfirm(set: RuleSet, facts: Facts, contradiction: Contradiction): string[] {
  const { question, person, values } = contradiction;
  const [field] = question.askBack.about;
  const describe = (field: string, answers: Answers) =>
    `${getQuestionLabel(set, field)} ${describeAnswer(set, field, answers)}`;
  const indexes = person === null ? [null, ...facts.people.keys()] : [person];
  const contradicting = listContradictingFields(set, facts, contradiction).flatMap((other) =>
    indexes
      .map((index) => toSubject(facts, index).answers)
      .filter((answers) => listAnswers(answers, other).length > 0 || Array.isArray(answers[other]))
      .map((answers) => describe(other, answers)),
  );
  return [...new Set([describe(field, { [field]: values }), ...contradicting])];
}

const describeRule = ({ id, text, regulation }: Rule) =>
  `${text ?? id}${regulation === 'none' ? '' : ` (regulation ${regulation})`}`;

export type Reasons = {
  /** What applies, or must be recorded, by the answers given. */
  applies: string[];
  /** What may apply although its questions are answered, and why that is open, in sentences. */
  mayApply: { text: string; open: string[] }[];
  /** The answers that rule everything out, if nothing applies. */
  rulesOut: string[];
};

/** Returns the reasons for a result, but only those that answers support. */
export function listReasons(set: RuleSet, facts: Facts, result: Result): Reasons {
  const explanations = explain(set, facts);
  const asked = listAskedQuestions(set, facts).filter(({ question }) => !question.ofPark);
  const askBacks = listAskBacks(set, facts).filter(({ isConfirmed }) => !isConfirmed);
  const find = ({ rule, person }: Duty) =>
    explanations.find((explanation) => explanation.rule.id === rule && explanation.person === person);
  const getAnswersAbout = (person: number | null) => toSubject(facts, person === null ? null : person - 1).answers;
  const isAnswered = (field: string, person: number | null) => {
    const answers = getAnswersAbout(person);
    const isAskedLater = field === 'spells' && answers.absence !== 'spells';
    return isAskedLater || listAnswers(answers, field).length > 0 || Array.isArray(answers[field]);
  };
  const listOpenSentences = (field: string, person: number | null): string[] => {
    if (!asked.some(({ question }) => question.field === field)) return [];
    const asksBack = askBacks.find(
      (one) => one.question.askBack.about[0] === field && (one.person === null || one.person + 1 === person),
    );
    const answers = getAnswersAbout(person);
    const isCounting = isStillOff({ answers }) && hasAllDays(answers.spells as AbsenceSpell[]);
    if (isCounting && (field === 'absence' || field === 'spells')) return ['It depends on the day they are back.'];
    return [`Not sure: ${asksBack?.question.label ?? getQuestionLabel(set, field)}`];
  };
  const supported = (duties: Duty[]) => duties.filter((duty) => find(duty)?.truth === 'yes');
  const open = result.openDuties.flatMap((duty) => {
    const explanation = find(duty);
    if (!explanation) return [];
    const { truth, reasons, rule, person } = explanation;
    if (truth === 'yes') return { text: describeRule(rule), open: [] };
    if (!reasons.every(({ field }) => isAnswered(field, person))) return [];
    const open = [...new Set(reasons.flatMap(({ field }) => listOpenSentences(field, person)))];
    return { text: describeRule(rule), open };
  });
  const applies = supported(result.duties.length > 0 ? result.duties : result.records);
  const rulesOut = explanations
    .flatMap(({ reasons }) => reasons)
    .filter(({ field }) => asked.some(({ question }) => question.field === field))
    .map(({ field, answer }) => `${getQuestionLabel(set, field)} ${answer}`);
  return {
    applies: [...new Set(applies.flatMap((duty) => find(duty) ?? []).map(({ rule }) => describeRule(rule)))],
    mayApply: [...new Map(open.map((one) => [one.text, one])).values()],
    rulesOut: result.outcome === 'notReportable' ? [...new Set(rulesOut)] : [],
  };
}

/** The most titles of rules to list as the reason for a deadline. */
const maxTitles = 2;

/** What deadlines count from, in words: after "days after", and as the day itself. */
export const startingDays: Record<string, [after: string, on: string]> = {
  accidentOn: ['the accident', 'the day of the accident'],
  diedOn: ['the death', 'the day of the death'],
  receivedOn: ['the diagnosis arrived', 'the day the diagnosis arrived'],
  learntOn: ['the engineer found it', 'the day the engineer found it'],
};

/** Says why an undecided report would be due on its day: how the day is counted, and for what. */
export function describeDeadlineReason(set: RuleSet, facts: Facts, result: Result): string {
  const dueOn = result.deadline?.dueOn;
  if (result.outcome !== 'undecided' || !dueOn) return '';
  const found = [...result.openDuties, ...result.settled]
    .filter((duty) => duty.dueOn === dueOn)
    .flatMap(({ rule: id, person }) => {
      const rule = listRules(set).find(({ rule }) => rule.id === id)?.rule;
      return rule ? { rule, person } : [];
    });
  const [first] = found;
  const from = first?.rule.deadline?.from ?? 'accidentOn';
  // A rule whose day is not known counts from the accident.
  const day = first && getDay(toSubject(facts, first.person === null ? null : first.person - 1), from);
  const [after = '', on = ''] = startingDays[day ? from : 'accidentOn'] ?? startingDays.accidentOn ?? [];
  const count = countDays(day ?? facts.accidentOn, dueOn);
  const days = count === 0 ? on : `${pluralise(count, 'day')} after ${after}`;
  const titles = [...new Set(found.map(({ rule: { id, title } }) => title ?? id))];
  if (titles.length > maxTitles) return `${days}, the shortest time that can still apply`;
  return `${days}, if ${titles.length > 1 ? 'one of these' : 'this'} applies: ${titles.join('; ')}`;
}
