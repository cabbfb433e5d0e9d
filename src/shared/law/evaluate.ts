// Evaluates a rule set with answers and returns the result. A pure function for the browser and the
// server.
import { addDays, getEarliest } from '../calendar.ts';
import { isStillOff } from './absence.ts';
import { withDoubts } from './ask-backs.ts';
import { type Answers, type Facts, getDay, type Subject, toSubject } from './facts.ts';
import type { Rule, RuleSet } from './rule-set.ts';
import { evaluateTree, isMoreTrue, type Truth } from './tree.ts';

/** The possible outcomes, from the weakest to the strongest. */
export const outcomes = ['notReportable', 'record', 'undecided', 'reportable'] as const;
export type Outcome = (typeof outcomes)[number];

/**
 * `employer` is the employer of the person or of the work; `controller` is in control of the
 * premises; `self` is the person.
 */
export type Responsible = 'us' | 'employer' | 'controller' | 'self' | 'unsure';

export type Duty = {
  /** `SPECIFIED#2`: the rule and the person, counted from 1; `DO_1` is a duty about the event. */
  id: string;
  rule: string;
  regulation: string;
  person: number | null;
  notify: 'withoutDelay' | null;
  dueOn: string | null;
  responsible: Responsible;
  authority: 'HSE' | 'park';
};

/** Whether we must report it, or may have to because it is not known who must. */
export const mayBeOwnDuty = ({ responsible }: Pick<Duty, 'responsible'>) =>
  responsible === 'us' || responsible === 'unsure';

export type Result = {
  outcome: Outcome;
  /** The regulations that determine the outcome. */
  regulation: string[];
  /** The regulations of rules that may still apply, depending on open questions. */
  open: string[];
  deadline: { notify: 'withoutDelay' | null; dueOn: string | null } | null;
  responsible: Responsible[];
  /**
   * Whether we must keep our own record. Also true while undecided, since an unnecessary record
   * does no harm.
   */
  record: boolean;
  duties: Duty[];
  openDuties: Duty[];
  records: Duty[];
  /** Duties of rules that apply or may apply, but are covered by another rule or count only if no other rule does. */
  settled: Duty[];
  /**
   * The day from which the accident is reportable if the people who are off work stay off. Null if
   * other questions are open.
   */
  watchFrom: string | null;
};

type ResultOfDay = Omit<Result, 'watchFrom'>;
type RuleResult = { rule: Rule; truth: Truth; duty: Duty };

/** Returns what the rules say about an accident: the outcome, who must report it, and by when. */
export function evaluate(set: RuleSet, facts: Facts): Result {
  const result = evaluateWithDoubts(set, facts);
  return { ...result, watchFrom: findWatchDay(set, facts, result) };
}

/** A duty that only a contradicted answer ends stays open. */
function evaluateWithDoubts(set: RuleSet, facts: Facts): ResultOfDay {
  const doubtedFacts = withDoubts(set, facts);
  return evaluateVariants(set, facts, doubtedFacts === facts ? [facts] : [facts, doubtedFacts]);
}

/** Returns what the rules say if no answer is doubted. */
export const evaluateWithoutDoubts = (set: RuleSet, facts: Facts): ResultOfDay => evaluateVariants(set, facts, [facts]);

/** Applies each rule with the facts with which it is most true. */
function evaluateVariants(set: RuleSet, facts: Facts, variants: Facts[]): ResultOfDay {
  const applyRules = (rules: Rule[], index: number | null): RuleResult[] => {
    const person = index === null ? null : index + 1;
    const [first, ...others] = variants.map((variant) => toSubject(variant, index)) as [Subject, ...Subject[]];
    return rules.map((rule) => {
      let result = applyRule(set, rule, first, person);
      for (const subject of others) {
        if (result.truth === 'yes') return result;
        const other = applyRule(set, rule, subject, person);
        if (isMoreTrue(other.truth, result.truth)) result = other;
      }
      return result;
    });
  };
  const ruleResults = [...facts.people.map((_, index) => applyRules(set.people, index)), applyRules(set.event, null)];
  const settled: Duty[] = [];
  const kept = ruleResults.flatMap((resultsOfSubject) => {
    const coveredRules = new Set(
      resultsOfSubject.flatMap(({ rule, truth }) => (truth === 'yes' ? (rule.covers ?? []) : [])),
    );
    settled.push(
      ...resultsOfSubject
        .filter(({ rule, truth }) => coveredRules.has(rule.id) && truth !== 'no')
        .map(({ duty }) => duty),
    );
    return resultsOfSubject.filter(({ rule }) => !coveredRules.has(rule.id));
  });
  const isReportable = ({ rule, truth }: RuleResult) => truth === 'yes' && !rule.gives;
  const isReportableElsewhere = kept.some(
    (ruleResult) => isReportable(ruleResult) && !ruleResult.rule.unlessReportable,
  );
  const left = kept.filter(({ rule, truth, duty }) => {
    if (truth === 'no') return false;
    if (!rule.unlessReportable || !isReportableElsewhere) return true;
    settled.push(duty);
    return false;
  });
  const getDuties = (filter: (ruleResult: RuleResult) => boolean) => left.filter(filter).map(({ duty }) => duty);
  const duties = getDuties(isReportable);
  const records = getDuties(({ rule }) => rule.gives === 'record');
  const openDuties = getDuties((ruleResult) => !isReportable(ruleResult) && ruleResult.rule.gives !== 'record');

  const outcome: Outcome =
    duties.length > 0
      ? 'reportable'
      : openDuties.length > 0
        ? 'undecided'
        : records.length > 0
          ? 'record'
          : 'notReportable';
  const [decidingDuties, isDue] = {
    reportable: [duties, true] as const,
    undecided: [openDuties, true] as const,
    record: [records, false] as const,
    notReportable: [[], false] as const,
  }[outcome];
  return {
    outcome,
    regulation: removeDuplicates(decidingDuties.map(({ regulation }) => regulation)),
    open: removeDuplicates(openDuties.map(({ regulation }) => regulation)),
    deadline: isDue
      ? {
          notify: decidingDuties.some(({ notify }) => notify) ? 'withoutDelay' : null,
          // Covered duties count here too, because the earliest possible day is shown.
          dueOn: getEarliest([...duties, ...openDuties, ...settled].map(({ dueOn }) => dueOn)),
        }
      : null,
    responsible: removeDuplicates(decidingDuties.map(({ responsible }) => responsible)),
    record: records.length > 0,
    duties,
    openDuties,
    records,
    settled,
  };
}

const removeDuplicates = <T>(items: T[]): T[] => [...new Set(items)];

function applyRule(set: RuleSet, rule: Rule, subject: Subject, person: number | null): RuleResult {
  const truth = evaluateTree(set, rule.when, subject);
  const isSelfAtOwnPremises =
    rule.deadlineIfSelfAtOwnPremises !== undefined && evaluateTree(set, { use: 'ownPremisesSelf' }, subject) === 'yes';
  const deadline = (isSelfAtOwnPremises ? rule.deadlineIfSelfAtOwnPremises : rule.deadline) ?? null;
  // If a rule applies but the day from which its deadline counts is unknown, use the earliest
  // possible one, the day of the accident.
  const from = deadline && (getDay(subject, deadline.from) ?? (truth === 'yes' ? subject.accidentOn : undefined));
  return {
    rule,
    truth,
    duty: {
      id: person === null ? rule.id : `${rule.id}#${person}`,
      rule: rule.id,
      regulation: rule.regulation,
      person,
      notify: deadline?.notify ?? null,
      // Rules that do not apply have no due day, and their duties are left out of the result.
      dueOn: truth !== 'no' && deadline && from ? addDays(from, deadline.days) : null,
      responsible: findResponsible(rule, subject.answers),
      authority: rule.authority ?? 'park',
    },
  };
}

/**
 * Who must report: as the rule says, otherwise an employee's employer, otherwise who is in control
 * of the premises.
 */
function findResponsible(rule: Rule, answers: Answers): Responsible {
  if (rule.responsible === 'us') return 'us';
  if (rule.responsible) {
    const answer = answers[rule.responsible];
    if (answer === 'us' || answer === 'ours') return 'us';
    return answer === 'otherFirm' || answer === 'outside' ? 'employer' : 'unsure';
  }
  if (answers.class === 'employee') return 'us';
  if (answers.class === 'otherEmployee') return 'employer';
  if (answers.class === 'selfEmployed') {
    if (answers.harm === 'disease' || answers.ownPremises === 'yes') return 'self';
    if (answers.ownPremises !== 'no') return 'unsure';
  } else if (answers.class !== 'public') return 'unsure';
  if (answers.control === 'us') return 'us';
  return answers.control === 'otherFirm' ? 'controller' : 'unsure';
}

/**
 * Returns the first day on which the absence of people still off work would by itself make the
 * accident reportable. Returns null if other answers are open too.
 */
function findWatchDay(set: RuleSet, facts: Facts, result: ResultOfDay): string | null {
  if (result.openDuties.length === 0 || !facts.people.some((answers) => isStillOff({ answers }))) return null;
  const people = facts.people.map((answers) => ({
    ...answers,
    ...(isStillOff({ answers }) && {
      spells: (answers.spells as { from: string; back: string | null }[]).map((spell) => ({
        ...spell,
        back: spell.back ?? (spell.from > facts.asOf ? spell.from : addDays(facts.asOf, 1)),
      })),
    }),
  }));
  if (evaluateWithDoubts(set, { ...facts, people }).openDuties.length > 0) return null;
  const isAbsenceLongerThan = (days: number) =>
    evaluateWithDoubts(set, { ...facts, asOf: addDays(facts.asOf, days) }).duties.length > result.duties.length;
  // Days to look ahead: more than the longest absence that any rule requires.
  const longest = 400;
  if (!isAbsenceLongerThan(longest)) return null;
  for (let days = 1; days <= longest; days += 1) if (isAbsenceLongerThan(days)) return addDays(facts.asOf, days);
  return null;
}
