import { expect, test } from 'vitest';
import { createMatcher } from './matching.ts';

const matcher = createMatcher({ name: "Rhys O'Brien-Lee", spellings: [], number: '07700 900555', username: '' });

test.each([
  ['Rhys O’Brien‑Lee fell', 'sure'],
  ['RHYS O`BRIEN', undefined],
  ['Call +44 (0)7700 900 555', 'sure'],
  ['Call 0044 7700900555', 'sure'],
  ['Call ０７７００/900\u200b555', 'sure'],
  ['Call 07700 900556', undefined],
])('the text "%s" names the person with the certainty "%s"', (text, expected) => {
  expect(matcher.findInText(text)).toBe(expected);
});

test.each(['Gwenda Lloyd-Price', 'Llwyd-Price, Gwenda', 'Gwenda Llwyd Price', 'Gwendda  Llwyd–Prise'])(
  'the text "%s" is a near spelling of a double-barrelled name',
  (text) => {
    const { findInText } = createMatcher({ name: 'Gwenda Llwyd-Price', spellings: [], number: '', username: '' });
    expect([findInText(text), findInText('Gwenda Price'), findInText('Llwyd-Price')]).toEqual([
      ...['possible', undefined, undefined],
    ]);
  },
);

test('a telephone number of less than six digits is not looked for', () => {
  const find = (number: string) =>
    createMatcher({ name: 'Rhys Lee', spellings: [], number, username: '' }).findInText(`Plot ${number}, 2026`);
  expect([find('12345'), find('123456')]).toEqual([undefined, 'sure']);
});

test('a telephone number written in another form counts as the same number', () => {
  expect(matcher.isOtherNumber('+44 7700 900555')).toBe(false);
  expect(matcher.isOtherNumber('07700 900556')).toBe(true);
  expect(matcher.isOtherNumber('')).toBe(false);
});
