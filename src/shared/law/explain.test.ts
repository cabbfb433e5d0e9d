import { expect, test } from 'vitest';
import { evaluate } from './evaluate.ts';
import { describeDeadlineReason, listReasons, startingDays } from './explain.ts';
import type { Answers, Facts } from './facts.ts';
import { listRules } from './rule-set.ts';
import { riddor2013v1, riddor2013v2 as set } from './rules/shipped.ts';

const event: Answers = {
  ...{ workHow: 'no', workKit: 'yes', workPlace: 'no', hospitalPremises: 'no', occurrence: ['none'] },
  ...{ gas: 'no', gasFitting: 'no' },
};
const guest: Answers = { class: 'public', harm: 'accident', died: 'no', hospital: 'treatment' };
const ill: Answers = {
  ...{ class: 'employee', harm: 'disease', died: 'no', disease: 'biological', workCause: 'yes' },
  ...{ diagnosed: 'written', receivedOn: '2026-11-26' },
};
const describe = (event: Answers, person: Answers) => {
  const facts: Facts = { accidentOn: '2026-11-20', asOf: '2026-11-28', event, people: [person] };
  return describeDeadlineReason(set, facts, evaluate(set, facts));
};

test.each([
  [{}, {}, '10 days after the accident, the shortest time that can still apply'],
  [event, guest, '10 days after the accident, if this applies: taken to hospital'],
  [
    { ...event, gas: undefined },
    { ...guest, hospital: 'no' },
    '14 days after the accident, if this applies: gas incident',
  ],
  [event, ill, 'the day the diagnosis arrived, if this applies: cancer or disease from germs'],
  [
    { ...event, gas: 'yes', gasHarm: 'no', gasFitting: 'yes', gasEngineer: 'unsure', learntOn: '2026-11-27' },
    { ...guest, harm: 'none' },
    '',
  ],
])(
  'the day of a result that is not decided says from what it is counted, and does not say what happened: %#',
  (event, person, text) => expect(describe(event as Answers, person as Answers)).toBe(text),
);

test('an absence that is not over yet is no answer that someone is not sure of', () => {
  const absence = { absence: 'spells', spells: [{ from: '2026-11-26', back: null }] };
  const person = { class: 'employee', harm: 'accident', died: 'no', specified: ['none'], forces: 'no', ...absence };
  const others = { exclusions: ['none'], road: 'no', control: 'us', workHow: 'yes' };
  const facts: Facts = {
    accidentOn: '2026-11-25',
    asOf: '2026-11-28',
    event: { ...event, ...others },
    people: [person],
  };
  const { mayApply } = listReasons(set, facts, evaluate(set, facts));
  expect(mayApply.map(({ open }) => open)).toEqual([['It depends on the day they are back.']]);
});

test('every day from which a deadline is counted has words', () => {
  const deadlines = [riddor2013v1, set]
    .flatMap(listRules)
    .flatMap(({ rule }) => [rule.deadline, rule.deadlineIfSelfAtOwnPremises]);
  for (const { from } of deadlines.filter((deadline) => deadline !== undefined && deadline !== null))
    expect(Object.keys(startingDays)).toContain(from);
});
