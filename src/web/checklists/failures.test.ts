import { expect, test } from 'vitest';
import type { Section } from '#shared/checklists.ts';
import { isShownAsFailing, needsPark, readNotes, selectNotes, withSkippedBoxes } from './failures.ts';

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

test('what is sent beside the answers is of questions that are shown, and a form reads it again', () => {
  const question = (changes: object) => ({ title: 'x', type: 'text', required: false, ...changes }) as Section;
  const audit = { urgent: false, days: 3, assignees: {} };
  const sections = [
    question({ type: 'na', onFail: { when: 'No', photo: 'optional', audit } }),
    question({ type: 'na', onFail: { when: 'No', photo: 'optional' } }),
    question({ type: 'person' }),
    question({ type: 'photo' }),
    question({ type: 'text' }),
    question({ type: 'photo', showIf: { section: 0, answers: ['Yes'] } }),
  ];
  const answers = { 0: 'No', 1: 'No', 2: 'Mair Tudor', 4: 'Fine' };
  const note = (text: string, more = {}) => ({ note: text, mediaFiles: [], ...more });
  const chosen = { assigneeId: 'mair', date: '2026-11-30' };
  const entered = {
    0: note('Broken', { audit: chosen }),
    1: note('Wet'),
    2: note('', { userId: 'mair' }),
    3: note('', { mediaFiles: [{ id: 'a', name: 'a.jpg' }] }),
    4: note('As always'),
    5: note('Not shown'),
  };
  const { 0: broken, 1: wet, 3: photo, 4: always } = entered;
  const sent = { failures: { 1: wet }, notes: { 0: broken, 3: photo }, people: { 2: 'mair' } };
  expect(selectNotes({ sections, notes: 'failing' }, answers, entered)).toEqual(sent);
  const all = selectNotes({ sections, notes: 'any' }, answers, entered);
  expect(all).toEqual({ ...sent, notes: { ...sent.notes, 4: always } });
  const { 5: _, ...shown } = entered;
  expect(readNotes(all)).toEqual(shown);
  // Without types and notes of today, the request is that of earlier versions.
  expect(selectNotes({ sections: sections.slice(0, 2) }, { 0: 'Yes', 1: 'No' }, { 1: wet })).toEqual({
    failures: { 1: wet },
  });
  expect(selectNotes({ sections }, {}, {})).toEqual({});
});
