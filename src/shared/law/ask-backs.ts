// Asks back: an answer that ends a duty counts as "not sure" while another answer contradicts it,
// until the user confirms it (docs/decisions/049).
import { type Answer, type Facts, listAnswers, type Subject, setFieldAnswer, toSubject, unsure } from './facts.ts';
import type { AskBack, Question, RuleSet } from './rule-set.ts';
import { evaluateTree, listDecidingLeaves, listLeafFields } from './tree.ts';

/** A question that asks back, about the event or a person counted from 0. */
export type Contradiction = {
  question: Question & { askBack: AskBack };
  person: number | null;
  /** The answers that end a duty. */
  values: string[];
  /** Whether the user confirmed them. */
  isConfirmed: boolean;
};

const isAskBack = (question: Question): question is Contradiction['question'] => question.askBack !== undefined;

/** Returns every answer that has to be confirmed, confirmed or not. */
export function listContradictions(set: RuleSet, facts: Facts): Contradiction[] {
  const questions = (set.questions ?? []).filter(isAskBack);
  if (questions.length === 0) return [];
  const people = facts.people.map((_, person) => toSubject(facts, person));
  const everyone = [toSubject(facts, null), ...people];
  return questions.flatMap((question) =>
    question.about === 'event'
      ? (findContradiction(set, question, null, everyone) ?? [])
      : people.flatMap((subject, person) => findContradiction(set, question, person, [subject]) ?? []),
  );
}

/** `subjects`: those whose answers may contradict; the first one has the answer that they may contradict. */
function findContradiction(
  set: RuleSet,
  question: Contradiction['question'],
  person: number | null,
  subjects: Subject[],
): Contradiction | undefined {
  const { about, when } = question.askBack;
  const [field, ...endingAnswers] = about;
  const own = subjects[0]?.answers ?? {};
  const values = listAnswers(own, field).filter((value) => endingAnswers.includes(value));
  if (values.length === 0) return undefined;
  if (when && subjects.every((subject) => evaluateTree(set, when, subject) !== 'yes')) return undefined;
  return { question, person, values, isConfirmed: own[question.field] === 'right' };
}

/** Returns the fields whose answers contradict another one; none if it needs to be confirmed in any case. */
export function listContradictingFields(set: RuleSet, facts: Facts, { question, person }: Contradiction): string[] {
  const { about, when } = question.askBack;
  if (!when) return [];
  const indexes = person === null ? [null, ...facts.people.keys()] : [person];
  const fields = indexes
    .map((index) => toSubject(facts, index))
    .filter((subject) => evaluateTree(set, when, subject) === 'yes')
    .flatMap((subject) => listDecidingLeaves(set, when, subject))
    .flatMap(({ tree }) => listLeafFields(tree));
  return [...new Set(fields)].filter((field) => field !== about[0]);
}

/**
 * Returns the facts with "not sure" in place of each answer that is contradicted and not confirmed;
 * the same object if there is none.
 */
export function withDoubts(set: RuleSet, facts: Facts): Facts {
  return listContradictions(set, facts).reduce((doubtedFacts, { question, person, values, isConfirmed }) => {
    if (isConfirmed) return doubtedFacts;
    return replaceAnswer(doubtedFacts, question.askBack.about[0], person, values, unsure);
  }, facts);
}

/**
 * Returns the facts after a user took back the contradicted answer, which is replaced or asked
 * again.
 */
export function withdraw(facts: Facts, { question, person, values }: Contradiction): Facts {
  const { about, instead } = question.askBack;
  return setFieldAnswer(replaceAnswer(facts, about[0], person, values, instead), question.field, person, undefined);
}

function replaceAnswer(
  facts: Facts,
  field: string,
  person: number | null,
  values: string[],
  replacement: string | undefined,
): Facts {
  const answer = (person === null ? facts.event : facts.people[person])?.[field];
  const replace = (): Answer | undefined => {
    if (!Array.isArray(answer)) return replacement;
    const left = (answer as string[]).filter((value) => !values.includes(value));
    if (replacement === undefined) return left.length > 0 ? left : undefined;
    return replacement === 'none' && left.length > 0 ? left : [...left, replacement];
  };
  return setFieldAnswer(facts, field, person, replace());
}
