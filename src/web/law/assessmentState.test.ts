import { expect, test } from 'vitest';
import { employmentStatuses } from '#shared/choices.ts';
import { riddor2013v1, riddor2013v2 } from '#shared/law/rules/shipped.ts';
import type { Report } from '#shared/reports/reports.ts';
import {
  findNextQuestion,
  getFactsFor,
  getHintFromReport,
  getQuestionKey,
  isAnswered,
  listQuestions,
  suggestAnswer,
} from './assessmentState.ts';

const questions = riddor2013v2.questions ?? [];
const about = (field: string, person: number | null = 0) => {
  const question = questions.find((one) => one.field === field);
  if (!question) throw new Error(`${field} is no question`);
  return { question, person };
};
const createReport = (employmentStatus: string, emergencyService = 'None') =>
  ({ employmentStatus, emergencyService }) as Report;

test('every employment status suggests an answer or gives a hint, but only for the person in the report', () => {
  for (const status of employmentStatuses) {
    const report = createReport(status);
    const [answer, hint] = [suggestAnswer(report, about('class')), getHintFromReport(report, about('class'))];
    expect([status, Boolean(answer) !== Boolean(hint)]).toEqual([status, true]);
    expect([suggestAnswer(report, about('class', 1)), getHintFromReport(report, about('class', 1))]).toEqual([
      undefined,
      '',
    ]);
  }
  expect(getHintFromReport(createReport('Visitor'), about('class'))).toMatch(/here for work/);
  expect(getHintFromReport(createReport('Contractor'), about('class'))).toMatch(/self-employed/);
});

test('an ambulance gives a hint about the hospital question, but suggests no answer', () => {
  const report = createReport('Guest', 'Ambulance');
  expect(getHintFromReport(report, about('hospital'))).toMatch(/does not decide the answer/);
  expect(suggestAnswer(report, about('hospital'))).toBeUndefined();
  expect(getHintFromReport(createReport('Guest', 'Police'), about('hospital'))).toBe('');
});

test('the answer to a question that was corrected is not shown again, and all others are', () => {
  const event = { exclusions: ['medical'], road: 'no' };
  const facts = { accidentOn: '2026-03-01', asOf: '2026-03-01', event, people: [{ class: 'public' }] };
  const getFacts = (ruleSet: string) => getFactsFor(riddor2013v2, { version: 1, ruleSet, facts, particulars: {} });
  expect(getFacts(riddor2013v1.id)).toEqual({ ...facts, event: { road: 'no' } });
  expect(getFacts(riddor2013v2.id)).toEqual(facts);
});

test('after a question that asked back, Skip comes to an end and leaves out no question', () => {
  // Two contradicted answers of one person, and nothing else is answered.
  const event = { hospitalPremises: 'no', workHow: 'no', workKit: 'yes', gas: 'yes', gasHarm: 'yes' };
  const facts = {
    ...{ accidentOn: '2026-03-01', asOf: '2026-03-01', event },
    people: [{ class: 'public', harm: 'disease', disease: 'none' }],
  };
  const all = listQuestions(riddor2013v2, facts);
  const isOpen = (one: (typeof all)[number]) => !isAnswered(facts, one);
  const skipped = new Set<string>();
  let current = all.findLast((one) => one.question.askBack && isOpen(one));
  const shown: string[] = [];
  while (current && shown.length <= all.length) {
    shown.push(getQuestionKey(current));
    skipped.add(getQuestionKey(current));
    current = findNextQuestion(all, facts, { current, earlier: all, skipped, skips: true });
  }
  expect(shown.toSorted()).toEqual(all.filter(isOpen).map(getQuestionKey).toSorted());
  expect(all.filter((one) => one.question.askBack && isOpen(one)).length).toBe(2);
});
