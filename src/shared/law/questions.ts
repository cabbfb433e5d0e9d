// Decides which questions to ask: those whose answer can still change the result, given the answers
// to earlier questions.

import { hasAllDays } from './absence.ts';
import { type Contradiction, listContradictingFields, listContradictions, withDoubts } from './ask-backs.ts';
import { evaluateWithoutDoubts, type Result } from './evaluate.ts';
import {
  type AbsenceSpell,
  type Answer,
  type Answers,
  type Facts,
  getDay,
  listAnswers,
  type Subject,
  setFieldAnswer,
  toSubject,
  unsure,
} from './facts.ts';
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

/**
 * Returns the range that later answers can still reach. "Not sure" is an answer: it stays unknown.
 * `ranges` has those already known for the subject.
 */
function getRange(set: RuleSet, tree: Tree, subject: Subject, ranges = new Map<Tree, Range>()): Range {
  const known = ranges.get(tree);
  if (known) return known;
  const range = calculateRange(set, tree, subject, ranges);
  ranges.set(tree, range);
  return range;
}

function calculateRange(set: RuleSet, tree: Tree, subject: Subject, ranges: Map<Tree, Range>): Range {
  if ('use' in tree) return getRange(set, set.named[tree.use] as Tree, subject, ranges);
  if ('not' in tree) {
    const { lowest, highest } = getRange(set, tree.not, subject, ranges);
    return { lowest: 2 - highest, highest: 2 - lowest };
  }
  const parts = 'all' in tree ? tree.all : 'any' in tree ? tree.any : undefined;
  if (parts)
    return combineRanges(
      tree,
      parts.map((part) => getRange(set, part, subject, ranges)),
    );
  const truth = truths.indexOf(evaluateTree(set, tree, subject));
  if (truth !== 1) return { lowest: truth, highest: truth };
  const isOpen = listLeafFields(tree).some((field) => isMissing(subject.answers[field]));
  return isOpen ? { lowest: 0, highest: 2 } : { lowest: 1, highest: 1 };
}

/** Yields the fields whose answer can still change a condition so that it counts. */
function* listOpenFields(
  set: RuleSet,
  tree: Tree,
  subject: Subject,
  counts: Differences,
  ranges: Map<Tree, Range>,
): Generator<string> {
  const { lowest, highest } = getRange(set, tree, subject, ranges);
  const ofNo = counts.ofNo && lowest === 0 && highest > 0;
  const ofYes = counts.ofYes && lowest < 2 && highest === 2;
  if (!ofNo && !ofYes) return;
  if ('use' in tree) yield* listOpenFields(set, set.named[tree.use] as Tree, subject, { ofNo, ofYes }, ranges);
  else if ('not' in tree) yield* listOpenFields(set, tree.not, subject, { ofNo: ofYes, ofYes: ofNo }, ranges);
  else if ('all' in tree || 'any' in tree) {
    const parts = 'all' in tree ? tree.all : tree.any;
    for (const part of parts) {
      const others = parts.filter((other) => other !== part).map((other) => getRange(set, other, subject, ranges));
      const { lowest, highest } = combineRanges(tree, others);
      // A part that stays unknown hides some differences of the others.
      const counts = {
        ofNo: ofNo && ('all' in tree || lowest <= 0),
        ofYes: ofYes && ('any' in tree || highest >= 2),
      };
      yield* listOpenFields(set, part, subject, counts, ranges);
    }
  } else yield* listLeafFields(tree);
}

export const setAnswer = (facts: Facts, { question, person }: AskedQuestion, answer: Answer | undefined): Facts =>
  setFieldAnswer(facts, question.field, person, answer);

const getAnswers = (facts: Facts, { person }: Pick<AskedQuestion, 'person'>): Answers =>
  person === null ? facts.event : { ...facts.event, ...facts.people[person] };

/** Returns the facts with another answer. What was confirmed about the earlier answer is asked again. */
export function answerQuestion(set: RuleSet, facts: Facts, asked: AskedQuestion, answer: Answer | undefined): Facts {
  const { field } = asked.question;
  const changed = setAnswer(facts, asked, answer);
  if (JSON.stringify(getAnswers(facts, asked)[field]) === JSON.stringify(answer)) return changed;
  return (set.questions ?? [])
    .filter(({ askBack }) => askBack?.about[0] === field)
    .reduce((facts, question) => setAnswer(facts, { question, person: asked.person }, undefined), changed);
}

/** Returns the parts of a result that a user sees, as text for comparison. */
function describe(set: RuleSet, facts: Facts): string {
  const { settled: _, ...rest } = evaluateWithoutDoubts(set, facts);
  return JSON.stringify(rest);
}

/** What the answers given so far leave open. */
type OpenFields = {
  facts: Facts;
  settledDuties: Set<string>;
  /** The fields that can change a condition: of rules about the event, and about each person. */
  fields: Map<number | null, Set<string>>;
};

function findOpenFields(set: RuleSet, facts: Facts): OpenFields {
  const settledDuties = new Set(evaluateWithoutDoubts(set, facts).settled.map(({ id }) => id));
  const listFieldsAbout = (person: number | null) => {
    const subject = toSubject(facts, person);
    const ranges = new Map<Tree, Range>();
    return (person === null ? set.event : set.people)
      .filter(({ id }) => !settledDuties.has(person === null ? id : `${id}#${person + 1}`))
      .flatMap(({ when }) => [...listOpenFields(set, when, subject, { ofNo: true, ofYes: true }, ranges)]);
  };
  const subjects = [null, ...facts.people.keys()];
  return {
    facts,
    settledDuties,
    fields: new Map(subjects.map((person) => [person, new Set(listFieldsAbout(person))])),
  };
}

function canChangeResult(set: RuleSet, { facts, settledDuties, fields }: OpenFields, asked: AskedQuestion): boolean {
  const { field } = asked.question;
  const subjects = asked.person === null ? [null, ...facts.people.keys()] : [asked.person];
  if (subjects.some((person) => fields.get(person)?.has(field))) return true;
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
 * Returns the questions to ask, in order. A question that asks back is asked while the answer is
 * contradicted and matters. Until it is confirmed, that answer counts as "not sure", so earlier
 * questions may be asked too.
 */
export function listAskedQuestions(set: RuleSet, facts: Facts): AskedQuestion[] {
  const doubtedFacts = withDoubts(set, facts);
  const askBacks = listAskBacks(set, facts);
  const asked = listAskedOf(set, facts);
  const askedInDoubt = doubtedFacts === facts ? [] : listAskedOf(set, doubtedFacts);
  return listAllQuestions(set, facts.people.length).filter((question) =>
    [...asked, ...askedInDoubt, ...askBacks].some((one) => isSameQuestion(one, question)),
  );
}

/** Returns the questions to ask, leaving out those that ask back. */
function listAskedOf(set: RuleSet, facts: Facts): AskedQuestion[] {
  let known: Facts = { ...facts, event: {}, people: facts.people.map(() => ({})) };
  let open: OpenFields | undefined;
  return listAllQuestions(set, facts.people.length).filter((asked) => {
    const { onlyWhen, field, askBack } = asked.question;
    if (askBack) return false;
    const answer = (asked.person === null ? facts.event : facts.people[asked.person])?.[field];
    const impliedAnswer = findImpliedAnswer(set, known, asked);
    if (impliedAnswer !== undefined && (isMissing(answer) || answer === impliedAnswer)) {
      known = setAnswer(known, asked, impliedAnswer);
      return false;
    }
    const subject = toSubject(known, asked.person);
    if (onlyWhen && evaluateTree(set, onlyWhen, subject) !== 'yes') return false;
    if (open?.facts !== known) open = findOpenFields(set, known);
    if (!onlyWhen && !canChangeResult(set, open, asked)) return false;
    if (!isMissing(answer)) known = setAnswer(known, asked, answer);
    return true;
  });
}

const isSameQuestion = (one: AskedQuestion, other: AskedQuestion) =>
  one.question.field === other.question.field && one.person === other.person;

/** Returns the answers to confirm, confirmed or not: those that could change the result. */
export function listAskBacks(set: RuleSet, givenFacts: Facts): Contradiction[] {
  const facts = withDoubts(set, givenFacts);
  const contradictions = listContradictions(set, givenFacts);
  return contradictions.filter(({ question, person, values }) => {
    const target = set.questions?.find(({ field }) => field === question.askBack.about[0]);
    if (!target) return false;
    // One contradiction that is not settled is enough to keep an answer open.
    const isOpenAnyway = contradictions.some(
      (other) =>
        !other.isConfirmed &&
        other.question.field !== question.field &&
        other.question.askBack.about[0] === target.field &&
        other.person === person &&
        other.values.some((value) => values.includes(value)) &&
        !isMissing(getAnswers(givenFacts, other)[other.question.field]),
    );
    if (isOpenAnyway) return false;
    const asked = { question: target, person };
    const givenAnswer = getAnswers(givenFacts, asked)[target.field];
    const answer = getAnswers(facts, asked)[target.field];
    const others = Array.isArray(answer)
      ? (answer as string[]).filter((one) => ![...values, unsure].includes(one))
      : [];
    return canBeMoreTrue(
      set,
      person,
      setAnswer(facts, asked, Array.isArray(givenAnswer) ? [...others, ...values] : givenAnswer),
      setAnswer(facts, asked, others.length > 0 ? others : undefined),
    );
  });
}

/** Whether a rule about the event or this person can be more true without an answer than with it. */
function canBeMoreTrue(set: RuleSet, person: number | null, withAnswer: Facts, withoutAnswer: Facts): boolean {
  const settledDuties = new Set(evaluateWithoutDoubts(set, withAnswer).settled.map(({ id }) => id));
  const subjects = person === null ? [null, ...withAnswer.people.keys()] : [person];
  return subjects.some((person) => {
    return (person === null ? set.event : set.people).some(
      (rule) =>
        !settledDuties.has(person === null ? rule.id : `${rule.id}#${person + 1}`) &&
        getRange(set, rule.when, toSubject(withoutAnswer, person)).highest >
          getRange(set, rule.when, toSubject(withAnswer, person)).highest,
    );
  });
}

/**
 * Keeps only the answers to questions that are asked, those that follow from them, and those that
 * contradict an answer that is not confirmed, so that only these are saved.
 */
export function keepAskedAnswers(set: RuleSet, facts: Facts): Facts {
  const asked = listAskedQuestions(set, facts);
  const contradicting = listAskBacks(set, facts)
    .filter(({ isConfirmed }) => !isConfirmed)
    .map((one) => ({ ...one, fields: listContradictingFields(set, facts, one) }));
  const pick = (answers: Answers, person: number | null): Answers =>
    Object.fromEntries(
      Object.entries(answers).filter(
        ([field, answer]) =>
          answer !== undefined &&
          (asked.some((one) => one.person === person && one.question.field === field) ||
            contradicting.some(
              (one) => one.fields.includes(field) && (person === null || one.person === null || one.person === person),
            )),
      ),
    );
  return withImpliedAnswers(set, {
    ...facts,
    event: pick(facts.event, null),
    people: facts.people.map((answers, index) => pick(answers, index)),
  });
}

const isMissing = (answer: Answer | undefined) => answer === undefined || answer === null || answer === '';

/** Returns the answer that follows from others, so that the question is not asked. */
function findImpliedAnswer(set: RuleSet, facts: Facts, asked: AskedQuestion): string | undefined {
  const { implied } = asked.question;
  const subject = toSubject(facts, asked.person);
  return implied && evaluateTree(set, implied.when, subject) === 'yes' ? implied.answer : undefined;
}

/** Changes the answers to questions that follow from others; `change` gets the implied one. */
function mapImpliedAnswers(
  set: RuleSet,
  facts: Facts,
  change: (answer: Answer | undefined, implied: string) => Answer | undefined,
): Facts {
  return listAllQuestions(set, facts.people.length).reduce((facts, asked) => {
    if (!asked.question.implied) return facts;
    const implied = findImpliedAnswer(set, withDoubts(set, facts), asked);
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
    const { field, askBack } = asked.question;
    const values = set.values[field];
    if (askBack) return answers[field] !== 'right';
    if (values === 'day') return !getDay({ ...facts, answers }, field);
    if (Array.isArray(values) && typeof values[0] === 'object') {
      const spells = answers[field];
      return !Array.isArray(spells) || !hasAllDays(spells as AbsenceSpell[]);
    }
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
