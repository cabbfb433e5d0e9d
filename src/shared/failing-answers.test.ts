import { describe, expect, test } from 'vitest';
import { formatAnswer } from './answers.ts';
import type { Section } from './checklists.ts';
import {
  canFail,
  describeConsequence,
  describePlannedAudit,
  formatRange,
  isFailing,
  listFailingIndexes,
  parseNumber,
} from './failing-answers.ts';

const section = (changes: Partial<Section>): Section => ({ title: 'x', type: 'na', required: false, ...changes });
const phSection = section({ type: 'text', number: { unit: 'pH', min: 7.2, max: 7.6 } });

describe('numbers in answers', () => {
  test.each([
    ['7.4', 7.4],
    [' 7,4 ', 7.4],
    ['-2', -2],
    ['+3', 3],
    ['7.', undefined],
    ['1e3', undefined],
    ['7.4 pH', undefined],
    ['', undefined],
  ])('the answer %j is parsed as the number %j', (text, number) => expect(parseNumber(text)).toBe(number));

  test.each([
    ['7.19', true],
    ['7.2', false],
    ['7,6', false],
    ['7.61', true],
    ['seven', false],
    [undefined, false],
  ])('with the limits pH 7.2 to 7.6, the answer %j is failing: %j', (answer, failing) =>
    expect(isFailing(phSection, answer)).toBe(failing),
  );

  test('a range of allowed numbers is formatted in words', () => {
    expect(formatRange({ unit: 'pH', min: 7.2, max: 7.6 })).toBe('7.2 to 7.6 pH');
    expect(formatRange({ unit: '°C', min: 2, max: null })).toBe('at least 2 °C');
    expect(formatRange({ unit: '', min: null, max: 5 })).toBe('at most 5');
    expect(formatRange({ unit: 'm', min: null, max: null })).toBe('');
  });
});

test("only answers that the section's rules name are failing", () => {
  const sections = [
    section({}),
    section({ onFail: { when: 'No', photo: 'optional' } }),
    section({ onFail: { when: 'Yes', photo: 'optional' } }),
    section({ type: 'checkbox', onFail: { when: 'notTicked', photo: 'optional' } }),
    section({ type: 'checkbox' }),
    phSection,
  ];
  expect(listFailingIndexes(sections, { 0: 'No', 1: 'No', 2: 'No', 3: false, 4: false, 5: '9' })).toEqual([1, 3, 5]);
  expect(listFailingIndexes(sections, { 0: 'Yes', 1: 'N/A', 2: 'Yes', 3: true, 5: '7.3' })).toEqual([2]);
  expect(listFailingIndexes(sections, {})).toEqual([3]);
});

/** For each member of a section, one with an answer that fails by that member alone; null if none can. */
const failingByMember: Record<keyof Section, [Partial<Section>, string | false] | null> = {
  title: null,
  heading: null,
  type: null,
  required: null,
  number: [{ type: 'text', number: { unit: '', min: null, max: 5 } }, '6'],
  help: null,
  choices: [{ type: 'choice', choices: [...['Good', 'Bad'].map((text) => ({ text, fails: text === 'Bad' }))] }, 'Bad'],
  showIf: null,
  onFail: [{ type: 'na', onFail: { when: 'No', photo: 'optional' } }, 'No'],
};

test.each(
  Object.entries(failingByMember).flatMap(([member, failing]) => (failing ? [[member, ...failing] as const] : [])),
)('an answer that fails by "%s" has a column in exports that says so', (_, changes, answer) => {
  expect([isFailing(section(changes), answer), canFail(section(changes))]).toEqual([true, true]);
});

test('an unticked box that fails reads No, whether it was touched or not; an untouched box that cannot fail has no answer', () => {
  const box = section({ type: 'checkbox', onFail: { when: 'notTicked', photo: 'optional' } });
  expect([formatAnswer(box, undefined), formatAnswer(box, false), formatAnswer(box, true)]).toEqual([
    'No',
    'No',
    'Yes',
  ]);
  const plain = section({ type: 'checkbox' });
  expect([formatAnswer(plain, undefined), formatAnswer(plain, false)]).toEqual(['', 'No']);
});

test.each([
  [0, false, 'An audit will be created: due today'],
  [1, false, 'An audit will be created: due tomorrow'],
  [3, true, 'An audit will be created: urgent, due in 3 days'],
])('a planned audit that is due in %j days (urgent: %j) is described in words', (days, urgent, text) => {
  const audit = { days, urgent, assignees: {} };
  expect(describePlannedAudit(section({ onFail: { when: 'No', photo: 'optional', audit } }))).toBe(text);
});

const rule = (when: 'No' | 'chosen' | 'notTicked' | 'outOfRange', audit?: object) =>
  ({
    when,
    photo: 'optional',
    ...(audit && { audit: { urgent: false, days: 1, assignees: {}, ...audit } }),
  }) as Section['onFail'];
const choices = ['Good', 'Poor', 'Bad'].map((text) => ({ text, fails: text !== 'Good' }));

test.each([
  ['na', { onFail: rule('No') }, 'Fails if: No. No audit is created.'],
  ['na', { onFail: rule('No', { urgent: true }) }, 'Fails if: No. Creates an audit: urgent, due tomorrow.'],
  ['checkbox', { onFail: rule('notTicked', { days: 3 }) }, 'Fails if: not ticked. Creates an audit: due in 3 days.'],
  ['text', { number: { unit: '', min: 1, max: null } }, 'Fails if: out of range. No audit is created.'],
  ['choice', { choices }, 'Fails if: Poor or Bad. No audit is created.'],
  ['na', {}, ''],
  ['text', { number: { unit: '', min: null, max: null } }, ''],
] as const)('a question of type %s with %j says what its answer does: %j', (type, changes, text) =>
  expect(describeConsequence(section({ type, ...(changes as object) }))).toBe(text),
);
