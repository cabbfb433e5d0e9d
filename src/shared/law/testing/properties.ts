// Property tests for any rule set with random facts: a worse fact never gives a weaker result or a
// later day.
import { addDays } from '../../calendar.ts';
import { listContradictions, withDoubts } from '../ask-backs.ts';
import { evaluate, outcomes, type Result } from '../evaluate.ts';
import { type Answer, type Answers, type Facts, listAnswers } from '../facts.ts';
import { listAskedQuestions, withImpliedAnswers } from '../questions.ts';
import type { RuleSet } from '../rule-set.ts';
import { listOpenAnswers } from '../tree.ts';
import { createRandom, type Random } from './random.ts';

const pick = <T>(random: Random, items: readonly T[]): T => items[random(items.length)] as T;

const numbers = [0, 4.9, 5, 5.1, 9.9, 10, 24, 25, 99, 100, 499, 500, 1000];
const listFields = new Set(['specified', 'occurrence', 'roadException', 'exclusions']);

/** Fields about a person, for rule sets without questions. */
const personFields = new Set(
  'class ownPremises harm died diedOn specified absence spells hospital disease diagnosed workCause receivedOn forces'.split(
    ' ',
  ),
);
/** For each rule set, whether each of its fields is about a person. */
const cache = new WeakMap<RuleSet, Map<string, boolean>>();
function isAboutPerson(set: RuleSet, field: string): boolean {
  const known = cache.get(set) ?? new Map(set.questions?.map(({ field, about }) => [field, about === 'person']));
  cache.set(set, known);
  return known.get(field) ?? personFields.has(field);
}

/** Answers with which few other rules can apply, so that the rule under test decides the result. */
const harmlessAnswers: Record<string, Answer> = {
  workHow: 'yes',
  workKit: 'no',
  workPlace: 'no',
  workViolence: 'no',
  harm: 'accident',
  died: 'no',
  specified: ['none'],
  absence: 'none',
  hospital: 'no',
  occurrence: ['none'],
  gas: 'no',
  gasFitting: 'no',
  road: 'no',
  exclusions: ['none'],
  forces: 'no',
  control: 'us',
  hospitalPremises: 'no',
};

type AnswerOptions = { random: Random; harmlessTenths: number };

function randomAnswer(
  set: RuleSet,
  field: string,
  accidentOn: string,
  { random, harmlessTenths }: AnswerOptions,
): Answer | undefined {
  const values = set.values[field];
  if (harmlessAnswers[field] !== undefined && random(10) < harmlessTenths) return harmlessAnswers[field];
  if (random(12) === 0) return undefined;
  if (values === 'day') return addDays(accidentOn, random(500));
  if (values === 'number or unsure') return random(4) === 0 ? 'unsure' : pick(random, numbers);
  if (!Array.isArray(values) || typeof values[0] !== 'string') return undefined;
  const words = values as string[];
  if (!listFields.has(field)) return pick(random, words);
  if (random(2) === 0) return ['none'];
  const chosenValues = words.filter((word) => word !== 'none' && random(4) === 0);
  return chosenValues.length > 0 ? chosenValues : ['none'];
}

export function randomFacts(set: RuleSet, random: Random): Facts {
  const accidentOn = addDays('2026-01-01', random(2500));
  const randomOptions = { random, harmlessTenths: pick(random, [0, 5, 8, 9]) };
  const createAnswers = (isWanted: (field: string) => boolean): Answers =>
    Object.fromEntries(
      Object.keys(set.values)
        .filter(isWanted)
        .map((field) => [field, randomAnswer(set, field, accidentOn, randomOptions)]),
    );
  const people = Array.from({ length: pick(random, [0, 1, 1, 1, 2]) }, () => {
    const answers = createAnswers((field) => isAboutPerson(set, field));
    const from = addDays(accidentOn, random(4));
    const spells = [{ from, back: random(3) === 0 ? null : addDays(from, random(14)) }];
    // As in the form, the day of death is asked only if someone died later.
    return {
      ...answers,
      ...(answers.absence === 'spells' && { spells }),
      ...(answers.died !== 'later' && { diedOn: undefined }),
    };
  });
  return {
    accidentOn,
    asOf: addDays(accidentOn, random(12)),
    event: createAnswers((field) => !isAboutPerson(set, field)),
    people,
  };
}

/** Answers from best to worst: each one is worse than the one before, whatever else is known. */
const severityOrders: Record<string, string[][]> = {
  ...Object.fromEntries(
    'workHow workKit workPlace workViolence workCause deathPossible deathRisk scaffoldSlung scaffoldOverWater constructionWork collapseFloorOrWall releaseHarm gas gasHarm gasFitting'
      .split(' ')
      .map((field) => [field, [['no', 'unsure', 'yes']]]),
  ),
  ownPremises: [['yes', 'unsure', 'no']],
  harm: [
    ['none', 'unsure'],
    ['none', 'accident'],
    ['none', 'disease'],
    ['natural', 'accident'],
  ],
  died: [['no', 'unsure', 'soon']],
  hospital: [
    ['no', 'unsure', 'treatment'],
    ['precaution', 'unsure'],
    ['later', 'unsure'],
  ],
  disease: [
    ['none', 'unsure'],
    ['none', 'dermatitis'],
    ['none', 'biological'],
  ],
  diagnosed: [
    ['no', 'unsure', 'written'],
    ['no', 'spoken', 'written'],
  ],
  liftingPart: [['accessory', 'unsure', 'overturn']],
  releaseWhere: [['unsure', 'inside']],
  gasRole: [['neither', 'unsure', 'conveyor']],
  road: [['publicRoad', 'unsure', 'no']],
  forces: [['yes', 'unsure', 'no']],
  absence: [['none', 'unsure']],
};

/** Questions with several answers: each further one makes the accident worse, `none` and `unsure` make it less bad. */
const fieldsWhereMoreIsWorse = new Set(['specified', 'occurrence', 'roadException']);

function makeAnswerWorse(set: RuleSet, field: string, answer: Answer | undefined, random: Random): Answer | undefined {
  const values = set.values[field];
  if (values === 'number or unsure') return typeof answer === 'number' ? answer + pick(random, numbers) : 1e6;
  const words = (values as string[]).filter((value) => value !== 'none' && value !== 'unsure');
  if (fieldsWhereMoreIsWorse.has(field)) {
    const givenAnswers = Array.isArray(answer) ? (answer as string[]).filter((value) => value !== 'none') : ['unsure'];
    return givenAnswers.length === 0 && random(2) === 0
      ? ['unsure']
      : [...new Set([...givenAnswers, pick(random, words)])];
  }
  const severityOrder = pick(
    random,
    (severityOrders[field] ?? []).filter((one) => one.includes(`${answer ?? 'unsure'}`)),
  );
  return severityOrder?.[severityOrder.indexOf(`${answer ?? 'unsure'}`) + 1];
}

/**
 * Returns the facts with one of them made worse, or undefined if the chosen one cannot be worse.
 */
function makeFactsWorse(set: RuleSet, facts: Facts, random: Random): Facts | undefined {
  if (random(12) === 0) return { ...facts, people: [...facts.people, randomFacts(set, random).people[0] ?? {}] };
  const index = random(facts.people.length + 1) - 1;
  const person = facts.people[index];
  const replace = (answers: Answers): Facts =>
    person
      ? { ...facts, people: facts.people.map((one, at) => (at === index ? answers : one)) }
      : { ...facts, event: answers };
  if (person?.absence === 'spells' && Array.isArray(person.spells) && random(3) === 0) {
    const longerAbsence = (person.spells as { from: string; back: string | null }[]).map(({ from, back }) => ({
      from,
      back: back && addDays(back, 1 + random(6)),
    }));
    return replace({ ...person, spells: longerAbsence });
  }
  const answers = person ?? facts.event;
  const fields = Object.keys(set.values).filter(
    (field) =>
      isAboutPerson(set, field) === Boolean(person) &&
      (severityOrders[field] ||
        fieldsWhereMoreIsWorse.has(field) ||
        field === 'exclusions' ||
        set.values[field] === 'number or unsure'),
  );
  const field = pick(random, fields);
  if (!field) return undefined;
  // An answer that is contradicted counts as "not sure" too, so another one may be better.
  const doubtedFacts = withDoubts(set, facts);
  const doubtedAnswers = person ? doubtedFacts.people[index] : doubtedFacts.event;
  if (doubtedAnswers?.[field] !== answers[field]) return undefined;
  if (field === 'exclusions') return answers.exclusions ? replace({ ...answers, exclusions: ['none'] }) : undefined;
  const worseAnswer = makeAnswerWorse(set, field, answers[field], random);
  return worseAnswer === undefined ? undefined : replace({ ...answers, [field]: worseAnswer });
}

/** Whether an answer that was doubted is not doubted any more: a doubt may count for more than a worse answer. */
function settlesDoubt(set: RuleSet, before: Facts, after: Facts): boolean {
  const left = listDoubts(set, after);
  return listDoubts(set, before).some((doubt) => !left.includes(doubt));
}

const listDoubts = (set: RuleSet, facts: Facts) =>
  listContradictions(set, facts)
    .filter(({ isConfirmed }) => !isConfirmed)
    .map(({ question, person }) => `${question.field} ${person}`);

const rank = (result: Result) => outcomes.indexOf(result.outcome);

/** Returns which part of the result a worse fact improved; undefined if none. */
function findImprovement(before: Result, after: Result): string | undefined {
  if (rank(after) < rank(before)) return `${before.outcome} became ${after.outcome}`;
  if (before.record && !after.record) return 'the record was dropped';
  const [day, later] = [before.deadline?.dueOn, after.deadline?.dueOn];
  if (day && (!later || later > day)) return `the day moved from ${day} to ${later ?? 'none'}`;
  return undefined;
}

/** Returns the parts of a result that a user sees, in a fixed order, for comparison. */
const summarise = ({ outcome, regulation, open, deadline, responsible, record }: Result) =>
  JSON.stringify([outcome, regulation.toSorted(), open.toSorted(), deadline, responsible.toSorted(), record]);

function shuffle<T>(items: T[], random: Random): T[] {
  return items
    .map((item) => ({ item, order: random(1e9) }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ item }) => item);
}

const shuffleAnswers = (answers: Answers, random: Random): Answers =>
  Object.fromEntries(
    shuffle(Object.entries(answers), random).map(([field, answer]) => [
      field,
      Array.isArray(answer) ? (shuffle<unknown>(answer, random) as Answer) : answer,
    ]),
  );

/** Returns the same facts in random order. */
const shuffleFacts = (facts: Facts, random: Random): Facts => ({
  ...facts,
  event: shuffleAnswers(facts.event, random),
  people: shuffle(
    facts.people.map((person) => shuffleAnswers(person, random)),
    random,
  ),
});

/** Returns the facts with a random answer wherever one is missing or leaves its question open. */
function completeFacts(set: RuleSet, facts: Facts, random: Random): Facts {
  const complete = (answers: Answers, isPerson: boolean): Answers =>
    Object.fromEntries(
      Object.entries(set.values).flatMap(([field, values]) => {
        if (isAboutPerson(set, field) !== isPerson) return [];
        const answer = answers[field];
        const givenAnswers = listAnswers(answers, field);
        const openAnswers = listOpenAnswers(set, field);
        if (givenAnswers.length > 0 && !givenAnswers.some((value) => openAnswers.includes(value)))
          return [[field, answer]];
        if (values === 'day') return [[field, addDays(facts.accidentOn, random(500))]];
        if (values === 'number or unsure') return [[field, pick(random, numbers)]];
        if (!Array.isArray(values) || typeof values[0] !== 'string') return [[field, answer]];
        const word = pick(
          random,
          (values as string[]).filter((value) => !openAnswers.includes(value)),
        );
        if (!listFields.has(field)) return [[field, word]];
        const decidedValues = givenAnswers.filter((value) => !openAnswers.includes(value) && value !== 'none');
        return [
          [field, word === 'none' && decidedValues.length > 0 ? decidedValues : [...new Set([...decidedValues, word])]],
        ];
      }),
    );
  return {
    ...facts,
    event: complete(facts.event, false),
    people: facts.people.map((person) => complete(person, true)),
  };
}

/**
 * Returns the facts twice: `asked` with only the asked questions answered, `other` also with random
 * answers to the other questions.
 */
function changeUnaskedAnswers(set: RuleSet, facts: Facts, random: Random): { asked: Facts; other: Facts } {
  const asked = listAskedQuestions(set, facts);
  const conditionalFields = new Set(
    (set.questions ?? [])
      .filter(({ onlyWhen, implied, askBack }) => onlyWhen || implied || askBack)
      .map(({ field }) => field),
  );
  const change = (answers: Answers, person: number | null, isFilled: boolean): Answers =>
    Object.fromEntries(
      Object.keys(set.values)
        .filter((field) => isAboutPerson(set, field) === (person !== null))
        .map((field) => {
          const isAsked = asked.some((one) => one.question.field === field && one.person === person);
          if (isAsked) return [field, answers[field]];
          if (!isFilled || conditionalFields.has(field)) return [field, undefined];
          return [field, randomAnswer(set, field, facts.accidentOn, { random, harmlessTenths: 0 })];
        }),
    );
  const createFacts = (isFilled: boolean): Facts =>
    withImpliedAnswers(set, {
      ...facts,
      event: change(facts.event, null, isFilled),
      people: facts.people.map((person, index) => change(person, index, isFilled)),
    });
  return { asked: createFacts(false), other: createFacts(true) };
}

/**
 * Checks the properties with one random accident. Returns a sentence about the first one that does
 * not hold.
 */
export function checkProperties(set: RuleSet, seed: number): string | undefined {
  const random = createRandom(seed);
  const facts = randomFacts(set, random);
  const result = evaluate(set, facts);
  for (let attempt = 0; attempt < 6; attempt += 1) {
    const worseFacts = makeFactsWorse(set, facts, random);
    const improvement = worseFacts && findImprovement(result, evaluate(set, worseFacts));
    if (improvement && !settlesDoubt(set, facts, worseFacts))
      return `A worse fact gives a better result, ${improvement}: ${JSON.stringify({ facts, worse: worseFacts })}`;
  }
  if (rank(result) < outcomes.indexOf('undecided')) {
    const complete = completeFacts(set, facts, random);
    const { outcome } = evaluate(set, complete);
    const isAskedBack = listContradictions(set, complete).some(({ isConfirmed }) => !isConfirmed);
    if (!isAskedBack && outcomes.indexOf(outcome) > rank(result))
      return `Not sure ended in ${result.outcome}, but could be ${outcome}: ${JSON.stringify({ facts, complete })}`;
  }
  if (summarise(evaluate(set, shuffleFacts(facts, random))) !== summarise(result))
    return `The order of the answers changed the result: ${JSON.stringify(facts)}`;
  if (set.questions && seed % 100 === 0) {
    const { asked, other } = changeUnaskedAnswers(set, facts, random);
    // An answer to a question that was not asked may contradict another one.
    // So may one that was given before, and then other questions were asked because of it.
    const isSameDoubt = new Set([facts, asked, other].map((facts) => `${listDoubts(set, facts)}`)).size === 1;
    if (isSameDoubt && summarise(evaluate(set, other)) !== summarise(evaluate(set, asked)))
      return `A question that was not asked changed the result: ${JSON.stringify({ asked, other })}`;
  }
  return undefined;
}

/**
 * Tests a rule set with this many random accidents. Returns the first problem found, or undefined.
 */
export function runProperties(set: RuleSet, runs: number, firstSeed = 1): string | undefined {
  for (let seed = firstSeed; seed < firstSeed + runs; seed += 1) {
    const problem = checkProperties(set, seed);
    if (problem) return problem;
  }
  return undefined;
}
