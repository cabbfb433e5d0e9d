import { expect, test } from 'vitest';
import { createEraser, createRepeatedEraser } from './name-marks.ts';

const now = new Date('2026-11-22T10:00:00Z');
const erasedText = 'erased 22/11/2026';
const target = { names: ['Ann Lee', 'Siân Ŵyn', "Rhys O'Brien", 'Will', 'May.', 'A', '.'], telephone: '07700 900555' };

test.each([
  ['Ann Lee fell', `${erasedText} fell`],
  ['ANN\n  lee and sian wyn', `${erasedText} and ${erasedText}`],
  ['Joann Leeds', 'Joann Leeds'],
  ['Mary-Ann Lee-Jones', `Mary-${erasedText}-Jones`],
  ['Call 07700900555 or (07700) 900-555', `Call ${erasedText} or (${erasedText}`],
  ['Rang 0\u202a7700/900\u00ad555\u202c', `Rang ${erasedText}\u202c`],
  ['０７７００　９００５５５ and ＋４４（０）７７００９００５５５', `${erasedText} and ${erasedText}`],
  ['Number 107700900555', 'Number 107700900555'],
  ['+44 (0)7700 900555, 0044 7700900555', `${erasedText}, ${erasedText}`],
  ['Ann_Lee.jpg and Ann‑Lee.jpg', `${erasedText}.jpg and ${erasedText}.jpg`],
  ['Rhys O’Brien', erasedText],
  ['Will will fix it. A ladder.', `${erasedText} will fix it. A ladder.`],
  ['May may come', `${erasedText} may come`],
  ['😀 ﬁne Ann Lee ﬁne', `😀 ﬁne ${erasedText} ﬁne`],
])('erasing names turns "%s" into "%s"', (text, expected) => {
  expect(createEraser(target, now).replace('details', text)).toBe(expected);
});

test('the contact number is erased with the name of its person', () => {
  const { replace } = createEraser(target, now);
  expect(replace('contactNumber', '01758 111222')).toBe('01758 111222');
  replace('name', 'Ann Lee');
  expect(replace('contactNumber', '01758 111222')).toBe(erasedText);
});

test('names in a restored text are erased at the same places, or the whole text if it has changed', () => {
  const { replace, marks } = createEraser(target, now);
  const text = 'Ann Lee told Huw';
  const erasedOnce = replace('details', text);
  expect(JSON.stringify(marks)).not.toMatch(/Ann|Lee/);
  const repeat = (isSameVersion: boolean, input: string) =>
    createRepeatedEraser(marks, isSameVersion, now)('details', input);
  expect(repeat(true, text)).toBe(erasedOnce);
  expect(repeat(true, 'Then Ann Lee told Huw')).toBe(erasedText);
  expect(repeat(false, text)).toBe(erasedText);
  expect(repeat(true, '')).toBe('');
  expect(createRepeatedEraser(marks, true, now)('data location', 'Ann Lee')).toBe('Ann Lee');
  expect(createRepeatedEraser(marks, false, now)('data location', 'By the hut')).toBe(erasedText);
  expect(createRepeatedEraser(marks, false, now)('note 1', 'By the hut')).toBe('By the hut');
});
