import { expect, test } from 'vitest';
import type { Section } from '#shared/checklists.ts';
import { isShownAsFailing, needsPark, withSkippedBoxes } from './failures.ts';

const box = (title: string): Section => ({
  title,
  type: 'checkbox',
  required: false,
  onFail: { when: 'notTicked', photo: 'optional' },
});
const sections: Section[] = [box('Gate'), { ...box('Rope'), onFail: undefined }, box('Buoy'), box('Sign')];

test('a box left unticked above the reached question is shown as failing if it can fail, and a later one is not', () => {
  const answers = withSkippedBoxes(sections, { 2: true }, 3);
  expect(answers).toEqual({ 0: false, 2: true });
  expect(sections.map((section, index) => isShownAsFailing(section, answers[index], false))).toEqual([
    true,
    false,
    false,
    false,
  ]);
  expect(withSkippedBoxes(sections, answers, 3)).toBe(answers);
});

test('users of several parks choose one unless a question asks for it; users of all parks only for an audit', () => {
  const site: Section = { title: 'Park', type: 'site', required: false };
  const audit: Section = { ...box('Gate'), onFail: { when: 'notTicked', photo: 'optional', audit: {} as never } };
  const [one, two, all] = [['Mounds'], ['Mounds', 'Winkups'], null].map((parks) => ({ parks }));
  const whoChooses = (sections: Section[], answers = {}) =>
    [one, two, all].map((user) => needsPark(sections, answers, user as never));
  expect(whoChooses([box('Gate')])).toEqual([false, true, false]);
  expect(whoChooses([site])).toEqual([false, false, false]);
  expect(whoChooses([audit, site], { 0: false })).toEqual([false, true, true]);
  expect(whoChooses([audit, site], { 0: false, 1: 'Winkups' })).toEqual([false, false, false]);
});
