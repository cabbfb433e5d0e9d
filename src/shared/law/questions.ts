// Decides which questions to ask: those whose answer can still change the result, given the answers
// to earlier questions.
import { evaluate, type Result } from './evaluate.ts';
import { type Answer, type Answers, type Facts, getDay, listAnswers, type Subject, unsure } from './facts.ts';
import { type AnswerValues, listRules, type Question, type RuleSet, type Tree } from './rule-set.ts';
import { evaluateTree, listLeafFields, listOpenAnswers, listTreeFields } from './tree.ts';

/** A question about the event, or about a person counted from 0. */
export type AskedQuestion = { question: Question; person: number | null };

/**
 * Returns answers to try: every choice, the day of the accident, or the extremes of a number and
 * "not sure"; none for spells of absence.
 */
function listCandidates(values: AnswerValues | undefined, facts: Facts): Answer[] {
  if (values === 'day') return [facts.accidentOn];
  if (values === 'number or unsure') return [0, 1e9, unsure];
  if (!Array.isArray(values) || typeof values[0] !== 'string') return [];
  return values as string[];
}

/** The lowest and highest values that a condition can still get: 0 for no, 1 for unknown, 2 for yes. */
type Range = { lowest: number; highest: number };
const truths = ['no', 'unknown', 'yes'];

/** Which differences count: between no and the higher values, and between yes and the lower ones. */
type Differences = { ofNo: boolean; ofYes: boolean };

/** With no ranges, the lowest or highest value is infinite, so that it decides nothing. */
const combineRanges = (tree: Tree, ranges: Range[]): Range => {
  const pick = 'all' in tree ? Math.min : Math.max;
  return {
    lowest: pick(...ranges.map(({ lowest }) => lowest)),
    highest: pick(...ranges.map(({ highest }) => highest)),
  };
};

/** Returns the range that later answers can still reach. "Not sure" is an answer: it stays unknown. */
function getRange(set: RuleSet, tree: Tree, subject: Subject): Range {
  const truth = truths.indexOf(evaluateTree(set, tree, subject));
  if (truth !== 1) return { lowest: truth, highest: truth };
  if ('use' in tree) return getRange(set, set.named[tree.use] as Tree, subject);
  if ('not' in tree) {
    const { lowest, highest } = getRange(set, tree.not, subject);
    return { lowest: 2 - highest, highest: 2 - lowest };
  }
  const parts = 'all' in tree ? tree.all : 'any' in tree ? tree.any : undefined;
  if (parts)
    return combineRanges(
      tree,
      parts.map((part) => getRange(set, part, subject)),
    );
  const isOpen = listLeafFields(tree).some((field) => isMissing(subject.answers[field]));
  return isOpen ? { lowest: 0, highest: 2 } : { lowest: 1, highest: 1 };
}

/** Yields the fields whose answer can still change a condition so that it counts. */
function* listOpenFields(set: RuleSet, tree: Tree, subject: Subject, counts: Differences): Generator<string> {
  const { lowest, highest } = getRange(set, tree, subject);
  const ofNo = counts.ofNo && lowest === 0 && highest > 0;
  const ofYes = counts.ofYes && lowest < 2 && highest === 2;
  if (!ofNo && !ofYes) return;
  if ('use' in tree) yield* listOpenFields(set, set.named[tree.use] as Tree, subject, { ofNo, ofYes });
  else if ('not' in tree) yield* listOpenFields(set, tree.not, subject, { ofNo: ofYes, ofYes: ofNo });
  else if ('all' in tree || 'any' in tree) {
    const parts = 'all' in tree ? tree.all : tree.any;
    for (const part of parts) {
      const others = parts.filter((other) => other !== part).map((other) => getRange(set, other, subject));
      const { lowest, highest } = combineRanges(tree, others);
      // A part that stays unknown hides some differences of the others.
      yield* listOpenFields(set, part, subject, {
        ofNo: ofNo && ('all' in tree || lowest <= 0),
        ofYes: ofYes && ('any' in tree || highest >= 2),
      });
    }
  } else yield* listLeafFields(tree);
}

/** Returns the facts with this answer to a question. */
export function setAnswer(facts: Facts, { question, person }: AskedQuestion, answer: Answer | undefined): Facts {
  const change = (answers: Answers): Answers => ({ ...answers, [question.field]: answer });
  if (person === null) return { ...facts, event: change(facts.event) };
  return { ...facts, people: facts.people.map((answers, index) => (index === person ? change(answers) : answers)) };
}

const getAnswers = (facts: Facts, { person }: Pick<AskedQuestion, 'person'>): Answers =>
  person === null ? facts.event : { ...facts.event, ...facts.people[person] };

/** Returns the parts of a result that a user sees, as text for comparison. */
function describe(set: RuleSet, facts: Facts): string {
  const { watchFrom: _, settled: __, ...rest } = evaluate(set, facts);
  return JSON.stringify(rest);
}

function canChangeResult(set: RuleSet, facts: Facts, asked: AskedQuestion): boolean {
  const { field } = asked.question;
  const result = evaluate(set, facts);
  const settledDuties = new Set(result.settled.map(({ id }) => id));
  const subjects = asked.person === null ? [null, ...facts.people.keys()] : [asked.person];
  for (const person of subjects)
    for (const rule of person === null ? set.event : set.people) {
      if (settledDuties.has(person === null ? rule.id : `${rule.id}#${person + 1}`)) continue;
      const subject = { accidentOn: facts.accidentOn, asOf: facts.asOf, answers: getAnswers(facts, { person }) };
      for (const open of listOpenFields(set, rule.when, subject, { ofNo: true, ofYes: true }))
        if (open === field) return true;
    }
  if (!isUsedOutsideConditions(set, field, settledDuties)) return false;
  const before = describe(set, facts);
  return listCandidates(set.values[field], facts).some(
    (answer) => describe(set, setAnswer(facts, asked, answer)) !== before,
  );
}

/**
 * Whether a field matters beyond a rule's condition: for who must report, or for a rule that
 * another one replaces.
 */
function isUsedOutsideConditions(set: RuleSet, field: string, settledDuties: Set<string>): boolean {
  if (field === 'control' || field === 'ownPremises') return true;
  return listRules(set).some(
    ({ rule }) =>
      rule.responsible === field ||
      ([...settledDuties].some((id) => id.split('#')[0] === rule.id) && listTreeFields(set, rule.when).has(field)),
  );
}

/**
 * Returns all questions in order, for the event and for each person. Those that the park's data
 * answer come first.
 */
function listAllQuestions(set: RuleSet, people: number): AskedQuestion[] {
  const order = ({ ofPark, step }: Question) => (ofPark ? 0 : step);
  const questions = (set.questions ?? []).toSorted((a, b) => order(a) - order(b));
  const steps = [...new Set(questions.map(({ step }) => step))];
  return steps.flatMap((step) => {
    const questionsOfStep = questions.filter((question) => question.step === step);
    const eventQuestions = questionsOfStep
      .filter(({ about }) => about === 'event')
      .map((question) => ({ question, person: null }));
    const personQuestions = Array.from({ length: people }, (_, person) =>
      questionsOfStep.filter(({ about }) => about === 'person').map((question) => ({ question, person })),
    );
    return [...personQuestions.flat(), ...eventQuestions];
  });
}

/**
 * Returns the questions to ask, in order. Answering a later question never removes an earlier one.
 */
export function listAskedQuestions(set: RuleSet, facts: Facts): AskedQuestion[] {
  let known: Facts = { ...facts, event: {}, people: facts.people.map(() => ({})) };
  return listAllQuestions(set, facts.people.length).filter((asked) => {
    const { onlyWhen, field } = asked.question;
    const answer = (asked.person === null ? facts.event : facts.people[asked.person])?.[field];
    const impliedAnswer = findImpliedAnswer(set, known, asked);
    if (impliedAnswer !== undefined && (isMissing(answer) || answer === impliedAnswer)) {
      known = setAnswer(known, asked, impliedAnswer);
      return false;
    }
    const subject = { accidentOn: facts.accidentOn, asOf: facts.asOf, answers: getAnswers(known, asked) };
    if (onlyWhen && evaluateTree(set, onlyWhen, subject) !== 'yes') return false;
    if (!onlyWhen && !canChangeResult(set, known, asked)) return false;
    known = setAnswer(known, asked, answer);
    return true;
  });
}

const isMissing = (answer: Answer | undefined) => answer === undefined || answer === null || answer === '';

/** Returns the answer that follows from others, so that the question is not asked. */
function findImpliedAnswer(set: RuleSet, facts: Facts, asked: AskedQuestion): string | undefined {
  const { implied } = asked.question;
  const subject = { accidentOn: facts.accidentOn, asOf: facts.asOf, answers: getAnswers(facts, asked) };
  return implied && evaluateTree(set, implied.when, subject) === 'yes' ? implied.answer : undefined;
}

/** Changes the answers to questions that follow from others; `change` gets the implied one. */
function mapImpliedAnswers(
  set: RuleSet,
  facts: Facts,
  change: (answer: Answer | undefined, implied: string) => Answer | undefined,
): Facts {
  return listAllQuestions(set, facts.people.length).reduce((facts, asked) => {
    const implied = findImpliedAnswer(set, facts, asked);
    if (implied === undefined) return facts;
    return setAnswer(facts, asked, change(getAnswers(facts, asked)[asked.question.field], implied));
  }, facts);
}

export const withImpliedAnswers = (set: RuleSet, facts: Facts): Facts =>
  mapImpliedAnswers(set, facts, (answer, implied) => (isMissing(answer) ? implied : answer));

/** Removes answers that only follow from others, which may change. */
export const withoutImpliedAnswers = (set: RuleSet, facts: Facts): Facts =>
  mapImpliedAnswers(set, facts, (answer, implied) => (answer === implied ? undefined : answer));

/** Returns the asked questions without an answer, or with the answer "not sure". */
export function listUnsettled(set: RuleSet, facts: Facts): AskedQuestion[] {
  return listAskedQuestions(set, facts).filter((asked) => {
    const answers = getAnswers(facts, asked);
    const { field } = asked.question;
    const values = set.values[field];
    if (values === 'day') return !getDay({ ...facts, answers }, field);
    if (Array.isArray(values) && typeof values[0] === 'object') return !Array.isArray(answers[field]);
    const givenAnswers = listAnswers(answers, field);
    const openAnswers = listOpenAnswers(set, field);
    return givenAnswers.length === 0 || givenAnswers.some((value) => openAnswers.includes(value));
  });
}

/** Says what is left to do before an undecided result can be decided; '' if nothing. */
export function describeOpenResult(set: RuleSet, facts: Facts, { outcome, watchFrom }: Result): string {
  if (outcome !== 'undecided') return '';
  if (watchFrom) return 'Someone is still off work. Save, and enter here on which day they are back.';
  const labels = [...new Set(listUnsettled(set, facts).map(({ question }) => `“${question.label}”`))];
  return labels.length > 0
    ? `The result depends on what is not sure yet: ${labels.join(', ')}. Save, find it out, and change the answer here.`
    : 'The rules do not say whether this is reportable. Save, ask an adviser, and decide.';
}
