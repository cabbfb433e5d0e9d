import { expect, test } from 'vitest';
import type { Section } from '#shared/checklists.ts';
import { isShownAsFailing, withPassedBoxes } from './failures.ts';

const box = (title: string): Section => ({
  title,
  type: 'checkbox',
  required: false,
  onFail: { when: 'notTicked', photo: 'optional' },
});
const sections: Section[] = [box('Gate'), { ...box('Rope'), onFail: undefined }, box('Buoy'), box('Sign')];

test('unticked boxes above the reached question ask for their notes if that fails, and others do not', () => {
  const answers = withPassedBoxes(sections, { 2: true }, 3);
  expect(answers).toEqual({ 0: false, 2: true });
  expect(sections.map((section, index) => isShownAsFailing(section, answers[index], false))).toEqual([
    true,
    false,
    false,
    false,
  ]);
  expect(withPassedBoxes(sections, answers, 3)).toBe(answers);
});
