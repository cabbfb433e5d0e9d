import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays, addYears, countDays } from '../calendar.ts';
import { getToday } from '../dates.ts';
import { withDoubts } from './ask-backs.ts';
import { runCases } from './check.ts';
import { evaluate } from './evaluate.ts';
import type { Answers, Facts } from './facts.ts';
import {
  type AskedQuestion,
  describeOpenResult,
  listAskedQuestions,
  listUnsettled,
  setAnswer as setCheck,
  withImpliedAnswers,
  withoutImpliedAnswers,
} from './questions.ts';
import { maxDepth, parseRuleSet, pickRuleSet, type RuleSet, type Tree } from './rule-set.ts';
import shippedRules from './rules/riddor-2013-v1.json' with { type: 'json' };
import { riddor2013v1, riddor2013v2 } from './rules/shipped.ts';
import { riddor2013v2Cases } from './rules/shipped-cases.ts';
import { listMutants } from './testing/mutants.ts';
import { checkProperties, randomFacts, runProperties } from './testing/properties.ts';
import { createRandom } from './testing/random.ts';
import { findAnswerErrors, withoutErrors } from './validate.ts';

// biome-ignore lint/suspicious/noExplicitAny: the tests break the rules in ways that their type forbids
const json: any = shippedRules;
const set = riddor2013v2;
const cases = riddor2013v2Cases.vectors;

const eventWithoutDuty: Answers = {
  workHow: 'yes',
  workKit: 'no',
  workPlace: 'no',
  workViolence: 'no',
  exclusions: ['none'],
  road: 'no',
  control: 'us',
  hospitalPremises: 'no',
  occurrence: ['none'],
  gas: 'no',
  gasFitting: 'no',
};
const employee: Answers = { class: 'employee', harm: 'accident', forces: 'no', died: 'no', specified: ['none'] };
const createAbsenceFacts = (accidentOn: string, days: number): Facts => {
  const from = addDays(accidentOn, 1);
  const spells = [{ from, back: addDays(from, days) }];
  return {
    accidentOn,
    asOf: accidentOn,
    event: eventWithoutDuty,
    people: [{ ...employee, absence: 'spells', spells }],
  };
};

describe('the shipped rule set', () => {
  test.each(cases.map((one) => [one.id, one.title, one] as const))(
    'the RIDDOR rules give the expected result in the test case %s: %s',
    (_id, _title, one) => {
      expect(runCases(set, [one]).failures).toEqual([]);
    },
  );

  test.each([riddor2013v1, riddor2013v2])('the rules of $id are valid as they are in the release', (shipped) => {
    expect(parseRuleSet(shipped)).toEqual(shipped);
  });

  test('every small change to a RIDDOR rule makes a test case fail', () => {
    const mutants = listMutants(set);
    expect(mutants.length).toBeGreaterThanOrEqual(166);
    // The case that failed last comes first: similar changes fail the same case.
    let order = cases;
    const isFound = (changed: RuleSet) => {
      const failing = order.find((one) => runCases(changed, [one]).failures.length > 0);
      if (failing) order = [failing, ...order.filter((one) => one !== failing)];
      return failing !== undefined;
    };
    expect(mutants.filter((mutant) => !isFound(mutant.set)).map(({ name }) => name)).toEqual([]);
  });

  test('a worse fact never weakens the RIDDOR result, and "not sure" never ends in "not reportable"', {
    timeout: 240_000,
  }, () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        expect(checkProperties(set, seed)).toBeUndefined();
      }),
      { numRuns: 8_000 },
    );
  });

  test('tests with random facts detect a rule that treats "not sure" as "no"', () => {
    const broken = [
      { ...set, named: { ...set.named, noForces: { is: ['forces', 'yes'] } as Tree } },
      { ...set, named: { ...set.named, specifiedAny: { not: { has: ['specified', 'burn'] } } as Tree } },
      { ...set, named: { ...set.named, over7: { not: { longestSpell: ['>', 7] } } as Tree } },
    ];
    for (const wrong of broken) expect(runProperties(wrong, 4000)).toMatch(/worse fact/);
  });

  test('an absence needs a record after 3 days and a report after 7, on every day from 2026 to 2032', {
    timeout: 120_000,
  }, () => {
    for (let day = '2026-01-01'; day <= '2032-12-31'; day = addDays(day, 1))
      for (const daysOff of [0, 1, 3, 4, 7, 8, 20]) {
        const { record, outcome, deadline } = evaluate(set, createAbsenceFacts(day, daysOff));
        if (record !== daysOff > 3 || (outcome === 'reportable') !== daysOff > 7)
          throw new Error(`${day}, off ${daysOff} days`);
        if (daysOff > 7 && countDays(day, deadline?.dueOn ?? '') !== 15)
          throw new Error(`${day}: due ${deadline?.dueOn}`);
      }
  });

  test("the results and days of RIDDOR rules do not depend on the computer's time zone", () => {
    const zone = process.env.TZ;
    const seen = ['Europe/London', 'UTC', 'Pacific/Kiritimati', 'America/Los_Angeles', 'Asia/Kolkata'].map((name) => {
      process.env.TZ = name;
      const offset = new Date('2026-07-01T00:00:00Z').getTimezoneOffset();
      const days = Array.from({ length: 24 * 14 }, (_, hour) => [
        getToday(new Date(Date.UTC(2026, 2, 22, hour))),
        getToday(new Date(Date.UTC(2026, 9, 18, hour))),
        addDays('2026-03-20', hour),
        addYears('2024-02-29', hour % 9),
      ]);
      const results = cases.map(({ facts }) => evaluate(set, facts));
      return { offset, all: JSON.stringify([days, results]) };
    });
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
    expect(new Set(seen.map(({ offset }) => offset)).size).toBe(5);
    expect(new Set(seen.map(({ all }) => all)).size).toBe(1);
  });

  test('an ongoing absence stays undecided until it becomes reportable', () => {
    const facts = createAbsenceFacts('2026-03-01', 0);
    const spells = [{ from: '2026-03-02', back: null }];
    const open = { ...facts, people: [{ ...facts.people[0], spells }] };
    expect(evaluate(set, { ...open, asOf: '2026-03-04' })).toMatchObject({
      outcome: 'undecided',
      watchFrom: '2026-03-09',
    });
    expect(evaluate(set, { ...open, asOf: '2026-03-09' })).toMatchObject({ outcome: 'reportable', watchFrom: null });
    const unsure = { ...open, people: [{ ...open.people[0], specified: ['unsure'] }] };
    expect(evaluate(set, { ...unsure, asOf: '2026-03-04' }).watchFrom).toBeNull();
  });
});

describe('a rule file', () => {
  const broken = (change: (copy: typeof json) => void) => () => {
    const copy = structuredClone(json);
    change(copy);
    return parseRuleSet(copy);
  };
  const createDeepTree = (levels: number): Tree =>
    levels === 1 ? { use: 'noShip' } : { all: [createDeepTree(levels - 1)] };

  test('an invalid rule file is rejected with an error that says what is wrong and where', () => {
    expect(broken((copy) => delete copy.named)).toThrow(/named/);
    expect(broken((copy) => (copy.people[0].when = { code: 'yes' }))).toThrow(/people\.0\.when/);
    expect(broken((copy) => (copy.people[0].when = { is: ['class', 'king'] }))).toThrow(/DEATH: class cannot be king/);
    expect(broken((copy) => (copy.people[0].when = { use: 'nothing' }))).toThrow(/unknown name nothing/);
    expect(broken((copy) => (copy.named.public = { use: 'public' }))).toThrow(/uses itself/);
    expect(broken((copy) => (copy.people[0].covers = ['NOTHING']))).toThrow(/unknown rule NOTHING/);
    expect(broken((copy) => (copy.people[0].when = { num: ['class', '>', 3] }))).toThrow(/class is not a number/);
    expect(broken((copy) => (copy.people[0].deadline.from = 'class'))).toThrow(/class is not a day/);
    expect(broken((copy) => (copy.people[1].id = 'DEATH'))).toThrow(/two rules have this id/);
    expect(broken((copy) => (copy.people[0].when = createDeepTree(maxDepth)))).toThrow(/more than 12 levels deep/);
    expect(broken((copy) => (copy.people[0].when = createDeepTree(maxDepth - 3)))).not.toThrow();
    expect(broken((copy) => (copy.people[0].when = { longestSpell: ['>', 367] }))).toThrow(/people\.0\.when/);
    expect(broken((copy) => (copy.people[0].deadline.days = 367))).toThrow(/people\.0\.deadline\.days/);
    expect(broken((copy) => (copy.validTo = '2013-02-30'))).toThrow(/validTo/);
    expect(broken((copy) => (copy.validTo = '2013-02-28'))).toThrow(/validTo: is before validFrom/);
    expect(broken((copy) => (copy.id = '../riddor'))).toThrow(/id/);
    expect(broken((copy) => (copy.people[0].responsible = 'nobody'))).toThrow(/DEATH: unknown question nobody/);
    expect(broken((copy) => (copy.people[0].deadline = null))).toThrow(/DEATH: a reportable rule needs a deadline/);
    expect(broken((copy) => (copy.unknownWhen.nothing = []))).toThrow(/unknownWhen: nothing/);
    expect(broken((copy) => delete copy.named.ownPremisesSelf)).toThrow(/ownPremisesSelf is missing/);
    expect(broken((copy) => copy.questions.shift())).toThrow(/questions: none asks for/);
  });

  test('a rule file without questions and texts is accepted', () => {
    const { questions: _, contacts: __, title: ___, sources: ____, ...rulesWithoutTexts } = json;
    expect(parseRuleSet(rulesWithoutTexts).questions).toBeUndefined();
  });

  test('of rule files with the same first day, the one with the highest version applies', () => {
    const versions = ['v2', 'v10', 'v1'].map((version) => ({ ...set, id: `riddor-2013-${version}` }));
    for (const sets of [versions, versions.toReversed()])
      expect(pickRuleSet(sets, '2026-03-01')?.id).toBe('riddor-2013-v10');
  });

  test('a rule file for 2027 applies to accidents of 2027 only', () => {
    const next = structuredClone(json);
    next.id = 'riddor-2027-v1';
    next.validFrom = '2027-01-01';
    next.named.over7 = { longestSpell: ['>', 5] };
    const sets = [{ ...set, validTo: '2026-12-31' }, parseRuleSet(next)];
    const outcome = (day: string) => {
      const rulesInForce = pickRuleSet(sets, day);
      return rulesInForce && evaluate(rulesInForce, createAbsenceFacts(day, 6)).outcome;
    };
    expect([outcome('2026-12-31'), outcome('2027-01-01')]).toEqual(['record', 'reportable']);
  });
});

describe('the RIDDOR questions', () => {
  const listAskedFields = (facts: Facts) => listAskedQuestions(set, facts).map(({ question }) => question.field);
  const base: Facts = { accidentOn: '2026-03-01', asOf: '2026-03-02', event: {}, people: [{}] };

  test('a member of the public is not asked about absence, nor an employee about treatment in hospital', () => {
    const guest = listAskedFields({ ...base, people: [{ class: 'public', harm: 'accident' }] });
    expect(guest).toContain('hospital');
    expect(guest).not.toContain('absence');
    // At a park without hospital premises the kind of a guest's injury cannot change the result.
    const event = { hospitalPremises: 'no' };
    const fieldsIfNotHospital = listAskedFields({ ...base, event, people: [{ class: 'public', harm: 'accident' }] });
    expect(fieldsIfNotHospital).toContain('hospital');
    expect(fieldsIfNotHospital).not.toContain('specified');
    const hospitalFacts = {
      ...base,
      event: { hospitalPremises: 'yes' },
      people: [{ class: 'public', harm: 'accident' }],
    };
    expect(listAskedFields(hospitalFacts)).toContain('specified');
    const staff = listAskedFields({ ...base, people: [{ class: 'employee', harm: 'accident' }] });
    expect(staff).toContain('absence');
    expect(staff).not.toContain('hospital');
  });

  test('no further personal question is asked about someone who was taken ill', () => {
    const fields = listAskedFields({ ...base, people: [{ class: 'employee', harm: 'natural' }] });
    expect(fields).not.toContain('specified');
    expect(fields).toContain('occurrence');
  });

  test('a gas fitting is asked about only if gas may have played a part, and otherwise counts as not dangerous', () => {
    const person = { ...employee, absence: 'none' };
    const facts = (event: Answers): Facts => ({ ...base, event: { ...eventWithoutDuty, ...event }, people: [person] });
    const wetFloor = facts({ gasFitting: undefined });
    expect(listAskedFields(wetFloor)).not.toContain('gasFitting');
    expect(evaluate(set, wetFloor).outcome).toBe('undecided');
    expect(evaluate(set, withImpliedAnswers(set, wetFloor)).outcome).toBe('notReportable');
    expect(withoutImpliedAnswers(set, facts({})).event.gasFitting).toBeUndefined();
    for (const gas of ['yes', 'unsure', undefined]) {
      const possiblyGas = facts({ gas, gasHarm: 'no', gasFitting: undefined });
      expect(listAskedFields(possiblyGas)).toContain('gasFitting');
      expect(withImpliedAnswers(set, possiblyGas)).toEqual(possiblyGas);
    }
    // An answer that does not follow from the other one counts, and is shown.
    const dangerous = facts({ gasFitting: 'yes' });
    expect(listAskedFields(dangerous)).toContain('gasFitting');
    expect(evaluate(set, withImpliedAnswers(set, dangerous)).outcome).toBe('reportable');
  });

  test('a question is not asked if an answer of "not sure" leaves its duty open whatever is answered', () => {
    const facts = (event: Answers): Facts => ({ ...base, event: { ...eventWithoutDuty, ...event } });
    const perhapsScaffold = { occurrence: ['unsure'], scaffoldMetres: 'unsure' };
    expect(listAskedFields(facts(perhapsScaffold))).not.toContain('scaffoldSlung');
    expect(listAskedFields(facts({ ...perhapsScaffold, scaffoldMetres: 3 }))).toContain('scaffoldSlung');
    expect(listAskedFields(facts({ ...perhapsScaffold, occurrence: ['scaffold'] }))).toContain('scaffoldSlung');
  });

  test('a question is asked only if two answers to it can lead to different results', { timeout: 180_000 }, () => {
    const random = createRandom(1);
    const attempts = 3000;
    let count = 0;
    /** Facts with random answers wherever one of `known` is missing. */
    const complete = (known: Facts): Facts => {
      const { event, people } = randomFacts(set, random);
      const fill = (answers: Answers, given: Answers): Answers => ({
        ...answers,
        ...Object.fromEntries(Object.entries(given).filter(([, answer]) => answer !== undefined)),
      });
      return {
        ...known,
        event: fill(event, known.event),
        people: known.people.map((person, index) => fill(people[index] ?? {}, person)),
      };
    };
    const setAnswer = (facts: Facts, { question: { field }, person }: AskedQuestion, from: Facts): Facts => {
      const change = (answers: Answers, other?: Answers) => ({ ...answers, [field]: other?.[field] });
      if (person === null) return { ...facts, event: change(facts.event, from.event) };
      return { ...facts, people: facts.people.map((one, at) => (at === person ? change(one, from.people[at]) : one)) };
    };
    const getResult = (facts: Facts) => {
      const { watchFrom: _, settled: __, ...result } = evaluate(set, facts);
      return JSON.stringify(result);
    };
    for (let round = 0; round < 80; round += 1) {
      const facts = randomFacts(set, random);
      // Some questions are asked only while an earlier answer counts as not sure.
      const variants = [facts, withDoubts(set, facts)].map((answers) => ({
        answers,
        known: { ...facts, event: {}, people: facts.people.map(() => ({})) } as Facts,
      }));
      const canMatter = (asked: AskedQuestion, known: Facts) => {
        const { askBack } = asked.question;
        for (let attempt = 0; attempt < attempts; attempt += 1) {
          const one = complete(known);
          if (askBack) {
            // The answer that it is about is kept and confirmed, or replaced.
            const target = { ...asked, question: { ...asked.question, field: askBack.about[0] } };
            const confirmed = setCheck(one, asked, 'right');
            if (getResult(confirmed) !== getResult(setAnswer(confirmed, target, randomFacts(set, random)))) return true;
          } else if (getResult(one) !== getResult(setAnswer(one, asked, complete(known)))) return true;
        }
        return false;
      };
      for (const asked of listAskedQuestions(set, facts)) {
        count += 1;
        if (!variants.some(({ known }) => canMatter(asked, known)))
          throw new Error(`${asked.question.field} cannot matter: ${JSON.stringify(facts)}`);
        for (const variant of variants) variant.known = setAnswer(variant.known, asked, variant.answers);
      }
    }
    expect(count).toBeGreaterThan(800);
  });

  test('an undecided result says what is left to do', () => {
    const describeFacts = (event: Answers, person: Answers = {}) => {
      const people = [{ ...employee, absence: 'none', ...person }];
      const facts = { ...base, event: { ...eventWithoutDuty, ...event }, people };
      return describeOpenResult(set, facts, evaluate(set, facts));
    };
    expect(describeFacts({})).toBe('');
    const injured = { specified: ['fracture'] };
    expect(describeFacts({ road: 'parkRoad', roadException: ['none'] }, injured)).toBe(
      'The result depends on what is not sure yet: “Was a moving vehicle on a road part of it?”. Save, find it out, and change the answer here.',
    );
    const spells = [{ from: '2026-03-02', back: null }];
    expect(describeFacts({}, { absence: 'spells', spells })).toMatch(/^Someone is still off work/);
    const noDayBack = [{ from: '2026-03-02', back: '' }];
    expect(describeFacts({}, { absence: 'spells', spells: noDayBack })).toMatch(/“Which days could they not do/);
    expect(describeFacts({ occurrence: ['other'], occurrenceBy: 'us' })).toMatch(/ask an adviser, and decide\.$/);
  });

  test('an absence that begins tomorrow is rejected', () => {
    const tomorrow = createAbsenceFacts('2026-03-01', 1);
    expect(findAnswerErrors(set, tomorrow, '2026-03-01')).toMatchObject({
      'people.0.spells.0.from': 'A day cannot be in the future',
    });
    expect(findAnswerErrors(set, tomorrow, '2026-03-03')).toEqual({});
  });

  test.each([
    ['begins before the accident', { from: '2026-02-28', back: '2026-03-12' }],
    ['ends before it begins', { from: '2026-03-05', back: '2026-03-02' }],
  ])('an absence that %s is an error, and no result is based on it', (_, spell) => {
    const facts = createAbsenceFacts('2026-03-01', 0);
    const person = { ...facts.people[0], absence: 'spells', spells: [spell] };
    const wrong = { ...facts, people: [person] };
    expect(Object.values(findAnswerErrors(set, wrong, '2026-03-20'))).toEqual([expect.stringMatching(/is before/)]);
    const { spells: _spells, ...rest } = person;
    expect(withoutErrors(set, wrong, '2026-03-20').people).toEqual([rest]);
    const right = { ...facts, people: [{ ...person, spells: [{ from: '2026-03-02', back: '2026-03-12' }] }] };
    expect(withoutErrors(set, right, '2026-03-20')).toEqual(right);
  });

  test('every test case with an open duty has an unanswered question, unless it waits for a day or its rules leave it undecided', {
    timeout: 60_000,
  }, () => {
    for (const { id, facts } of cases) {
      const { openDuties, watchFrom } = evaluate(set, facts);
      const isOpenInEveryCase = openDuties.every(({ rule }) => {
        const found = [...set.people, ...set.event].find((one) => one.id === rule);
        return found?.gives === 'undecided';
      });
      if (!isOpenInEveryCase && !watchFrom) expect([id, listUnsettled(set, facts).length > 0]).toEqual([id, true]);
    }
  });
});
