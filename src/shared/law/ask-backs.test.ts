import { expect, test } from 'vitest';
import { listContradictions, withdraw } from './ask-backs.ts';
import { evaluate, evaluateWithoutDoubts, outcomes } from './evaluate.ts';
import { type Answer, type Facts, unsure } from './facts.ts';
import {
  type AskedQuestion,
  answerQuestion,
  keepAskedAnswers,
  listAskBacks,
  listAskedQuestions,
  withImpliedAnswers,
} from './questions.ts';
import type { Question, RuleSet } from './rule-set.ts';
import { riddor2013v2 } from './rules/shipped.ts';
import { riddor2013v2Cases } from './rules/shipped-cases.ts';

const set = riddor2013v2;
const hasValues = (field: string): boolean =>
  Array.isArray(set.values[field]) && typeof set.values[field][0] === 'string';

/** Returns every answer to a question that can be tried: the choices, or the extremes of a number. */
function listOtherAnswers(set: RuleSet, { field, several }: Question): Answer[] {
  const values = set.values[field];
  const answers: Answer[] = values === 'number or unsure' ? [0, 1e9] : hasValues(field) ? (values as string[]) : [];
  return several ? answers.map((answer) => [answer as string]) : answers;
}

const getAnswer = (facts: Facts, { question, person }: AskedQuestion) =>
  (person === null ? facts.event : facts.people[person])?.[question.field];

/** Returns the facts with each other answer to each question, except those that ask back. */
function* changeEachAnswer(set: RuleSet, facts: Facts): Generator<{ change: string; facts: Facts }> {
  for (const question of set.questions?.filter(({ askBack }) => !askBack) ?? [])
    for (const person of question.about === 'event' ? [null] : facts.people.keys())
      for (const answer of listOtherAnswers(set, question))
        yield {
          change: `${question.field} ${answer}`,
          facts: answerQuestion(set, facts, { question, person }, answer),
        };
}

const reportableCases = riddor2013v2Cases.vectors.filter(({ expect }) => expect.outcome === 'reportable');

/**
 * The answers that are the fact itself on which a duty rests, so that another answer is another
 * fact. Those with a question that asks back do so if another answer contradicts them.
 */
const changedFacts = [
  ...['workHow no', 'workKit no', 'workPlace no', 'workViolence no', 'specified none', 'absence none', 'died no'],
  ...['hospital precaution', 'hospital later', 'hospital no', 'disease none', 'diagnosed no', 'workCause no'],
  ...['disease carpalTunnel', 'disease cramp', 'disease dermatitis', 'disease havs', 'disease asthma'],
  ...['disease tendonitis', 'disease cancer', 'occurrence none', 'occurrence fire', 'liftingPart accessory'],
  ...['liftingPart other', 'deathPossible no', 'stoppedHours 0', 'deathRisk no', 'scaffoldMetres 0'],
  ...['scaffoldOverWater no', 'constructionWork no', 'collapseTonnes 0', 'collapseFloorOrWall no'],
  ...['releaseOf flammableLiquid', 'releaseWhere outside', 'releaseKg 0', 'releaseHarm no', 'gasRole neither'],
  'gasFitting no',
];

test('no single answer makes a reportable case not reportable, unless it changes the fact itself or is confirmed', {
  timeout: 180_000,
}, () => {
  const seen = new Set<string>();
  for (const { id, facts } of reportableCases)
    for (const { change, facts: changed } of changeEachAnswer(set, facts)) {
      if (evaluate(set, changed).outcome === 'reportable') continue;
      // The result on the screen, and the one that is saved.
      const isAskedBack = listContradictions(set, changed).length > 0;
      const shownAndSaved = isAskedBack ? [changed, keepAskedAnswers(set, changed)] : [changed];
      for (const { outcome } of shownAndSaved.map((facts) => evaluate(set, facts))) {
        if (outcome === 'reportable' || outcome === 'undecided') continue;
        if (!changedFacts.includes(change)) throw new Error(`${id}: ${change} makes it ${outcome}`);
        const open = listAskBacks(set, changed).filter(({ isConfirmed }) => !isConfirmed);
        expect([id, change, open]).toEqual([id, change, []]);
        seen.add(change);
      }
    }
  expect(changedFacts.filter((change) => !seen.has(change))).toEqual([]);
});

/**
 * Returns the facts after the questions that are newly asked were answered too, each with the answer that makes the
 * result weakest.
 */
function answerNewQuestions(set: RuleSet, changed: Facts, alreadyAsked: AskedQuestion[]): Facts {
  let facts = changed;
  while (evaluate(set, facts).outcome !== 'reportable') {
    const next = listAskedQuestions(set, facts).find(
      ({ question, person }) =>
        !question.askBack &&
        getAnswer(facts, { question, person }) === undefined &&
        alreadyAsked.every((other) => other.question.field !== question.field || other.person !== person),
    );
    const [weakest] = (next ? listOtherAnswers(set, next.question) : [])
      .filter((answer) => answer !== unsure)
      .map((answer) => answerQuestion(set, facts, next as AskedQuestion, answer))
      .map((facts) => ({ facts, rank: outcomes.indexOf(evaluateWithoutDoubts(set, facts).outcome) }))
      .toSorted((a, b) => a.rank - b.rank);
    if (!weakest) break;
    facts = weakest.facts;
  }
  return facts;
}

/** The questions of which another answer is another fact, about which more is asked. */
const factsWithQuestions = ['class', 'occurrence', 'releaseOf', 'hospitalPremises'];

test('nor does it together with the answers to what is newly asked because of it', { timeout: 180_000 }, () => {
  for (const { id, facts } of reportableCases) {
    let alreadyAsked: AskedQuestion[] | undefined;
    for (const { change, facts: changed } of changeEachAnswer(set, facts)) {
      if (factsWithQuestions.includes(change.split(' ')[0] ?? '')) continue;
      if (evaluate(set, changed).outcome !== 'undecided') continue;
      if (listContradictions(set, changed).some(({ isConfirmed }) => !isConfirmed)) continue;
      alreadyAsked ??= listAskedQuestions(set, facts);
      const answered = answerNewQuestions(set, changed, alreadyAsked);
      if (['reportable', 'undecided'].includes(evaluate(set, answered).outcome)) continue;
      const open = listAskBacks(set, answered).filter(({ isConfirmed }) => !isConfirmed);
      if (open.length === 0) throw new Error(`${id}: ${change} ends the duty with ${JSON.stringify(answered)}`);
    }
  }
});

test('without questions that ask back, single answers of every exemption would do so', () => {
  const endings = new Set(
    reportableCases.flatMap(({ facts }) =>
      [...changeEachAnswer(set, facts)]
        .filter(({ facts }) => ['notReportable', 'record'].includes(evaluateWithoutDoubts(set, facts).outcome))
        .map(({ change }) => change),
    ),
  );
  for (const change of [
    'exclusions medical',
    'exclusions ship',
    'forces yes',
    'harm none',
    'class public',
    'gasHarm no',
  ])
    expect(endings).toContain(change);
});

/**
 * A story, what a manager who reads it answers, in the order of the screen, and the result. A second
 * answer to a question follows after it asked back.
 */
type Story = [story: string, answers: string, outcome: string, regulation?: string];
const stories: Story[] = [
  [
    'A guest slips on wet decking. A friend drives her to hospital, where she gets stitches.',
    `class public, harm accident, workHow no, workKit no, workPlace yes, died no, hospital treatment, occurrence none,
    gas no, road no, exclusions none, control us`,
    'reportable',
    '5(a)',
  ],
  [
    'The same. The manager thinks of the stitches, chooses treatment, and is asked back.',
    `class public, harm accident, workHow no, workKit no, workPlace yes, died no, hospital treatment, occurrence none,
    gas no, road no, exclusions medical, treatmentCheck change, control us`,
    'reportable',
    '5(a)',
  ],
  [
    'A cook breaks a wrist on the kitchen floor. The manager chooses treatment, and is not sure when asked back.',
    `class employee, harm accident, workHow no, workKit no, workPlace yes, died no, specified fracture, absence none,
    occurrence none, gas no, road no, forces no, exclusions medical, treatmentCheck unsure`,
    'undecided',
    '4(1)',
  ],
  [
    'The doctor on the park gives a guest an injection in the wrong place. The guest is taken to hospital.',
    `class public, harm accident, workHow yes, died no, hospital treatment, occurrence none, gas no, road no,
    exclusions medical, treatmentCheck right`,
    'notReportable',
  ],
  [
    'A child jumps off a sound swing and breaks an arm. Nothing was wrong with the swing or the ground.',
    'class public, harm accident, workHow no, workKit no, workPlace no, gas no',
    'notReportable',
  ],
  [
    'A guest feels ill in a caravan whose heater the park looks after. The hospital says: carbon monoxide.',
    `class public, harm natural, workHow no, workKit yes, harmCheck change, harm accident, died no, hospital treatment,
    occurrence none, gas yes, gasHarm yes, gasRole conveyor, gasFitting no, road no, exclusions none, control us`,
    'reportable',
    '5(a)',
  ],
  [
    'Fumes from a heater that the park looks after put a guest in hospital. The manager calls it an illness.',
    `class public, harm disease, workHow no, workKit yes, died no, disease none, harmCheck change, harm accident,
    hospital treatment, occurrence none, gas yes, gasHarm yes, gasRole conveyor, gasFitting no, road no,
    exclusions none, control us`,
    'reportable',
    '5(a)',
  ],
  [
    'A bottle of gas leaks and puts a guest in hospital. The manager writes about her husband, who was not hurt.',
    `class public, harm none, workHow no, workKit yes, occurrence none, gas yes, gasHarm yes, gasHurtCheck right,
    gasRole neither, gasFitting no`,
    'notReportable',
  ],
  [
    'A gardener loses a finger in a mower. The manager ticks the armed forces, because he is a reservist.',
    `class employee, harm accident, workHow no, workKit yes, died no, specified amputation, absence none,
    occurrence none, gas no, road no, forces yes, forcesCheck change, exclusions none`,
    'reportable',
    '4(1)',
  ],
  [
    'A buggy knocks a guest down in the car park. The manager first calls it a public road.',
    `class public, harm accident, workHow yes, died no, hospital treatment, occurrence none, gas no, road publicRoad,
    roadException none, roadCheck change, road carPark, exclusions none, control us`,
    'reportable',
    '5(a)',
  ],
  [
    'A guest hurts a knee on a loose step and goes to hospital. The police were told: is that another law?',
    `class public, harm accident, workHow no, workKit no, workPlace yes, died no, hospital treatment, occurrence none,
    gas no, road no, exclusions ship, otherLawCheck change, control us`,
    'reportable',
    '5(a)',
  ],
  [
    "Fumes from the park's boiler make a cleaner pass out; she is well after an hour. The manager sees no injury.",
    `class employee, harm none, workHow no, workKit yes, occurrence none, gas yes, gasHarm yes, gasHurtCheck change,
    harm accident, died no, specified none, gasInjuryCheck change, absence none, gasRole conveyor, gasFitting no,
    road no, forces no, exclusions none`,
    'reportable',
    '4(1)',
  ],
  [
    'A forklift tips over. Nobody is hurt.',
    `class employee, harm none, workHow no, workKit yes, occurrence lifting, liftingPart overturn, gas no,
    exclusions none, occurrenceBy us`,
    'reportable',
    '7, Sch 2 para 1',
  ],
];

test.each(stories)('a manager who reads a story gets its result: %s', (_, answers, outcome, regulation) => {
  const left = answers.split(/,\s+/);
  let facts: Facts = { accidentOn: '2026-03-01', asOf: '2026-03-02', event: { hospitalPremises: 'no' }, people: [{}] };
  for (;;) {
    const open = listAskedQuestions(set, facts).filter((asked) => getAnswer(facts, asked) === undefined);
    const asked = open.find(({ question }) => question.askBack) ?? open[0];
    if (!asked) break;
    const [field, answer = ''] = left.shift()?.split(' ') ?? [];
    expect([asked.question.field, ...left]).toEqual([field, ...left]);
    const contradiction = listContradictions(set, facts).find(({ question }) => question.field === field);
    facts =
      contradiction && answer === 'change'
        ? withdraw(facts, contradiction)
        : answerQuestion(set, facts, asked, asked.question.several ? [answer] : answer);
  }
  expect(left).toEqual([]);
  const result = evaluate(set, withImpliedAnswers(set, keepAskedAnswers(set, facts)));
  expect([result.outcome, result.regulation[0]]).toEqual([outcome, regulation]);
});
