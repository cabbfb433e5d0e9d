import { describe, expect, test } from 'vitest';
import type { NewChecklist, Section } from '#shared/checklists.ts';
import {
  copyChecklist,
  type EditorAction,
  type EditorState,
  editorReducer,
  findRefusal,
  readChoices,
  toChecklist,
  toEditorState,
} from './editorState.ts';

const section = (title: string) => ({ title, type: 'text' as const, required: false });
const checklist = { title: 'Pool', sections: ['A', 'B', 'C', 'D'].map(section) };

/** Returns the titles of the sections after these actions; an action names its section by title. */
function getTitlesAfter(...actions: ((getKey: (title: string) => string) => EditorAction)[]) {
  const endState = actions.reduce((state, action) => {
    const getKey = (title: string) => state.sections.find((section) => section.title === title)?.key ?? 'none';
    return editorReducer(state, action(getKey));
  }, toEditorState(checklist));
  return toChecklist(endState).sections.map(({ title }) => title);
}

test('a checklist without changes leaves the editor as it was opened', () => {
  expect(toChecklist(toEditorState(checklist))).toEqual(checklist);
});

test('a new section is added at the end or inserted at a given position', () => {
  const add = (at: number, isCopy = false) => getTitlesAfter(() => ({ do: 'add', at, newKey: 'new', isCopy }));
  expect(add(4)).toEqual(['A', 'B', 'C', 'D', '']);
  expect(add(2)).toEqual(['A', 'B', '', 'C', 'D']);
  expect(add(0)).toEqual(['', 'A', 'B', 'C', 'D']);
  expect(add(2, true)).toEqual(['A', 'B', 'B', 'C', 'D']);
});

test('a new section has the type and the rules of the one above', () => {
  const onFail = { when: 'No', photo: 'required' } as const;
  const state = toEditorState({ title: 'Pool', sections: [{ title: 'A', type: 'na', required: true, onFail }] });
  const added = editorReducer(state, { do: 'add', at: 1, newKey: 'new' });
  expect(added.sections[1]).toEqual({ key: 'new', title: '', type: 'na', required: false, onFail });
});

test('Undo restores a removed section or a changed type, and keeps what was changed since', () => {
  expect(
    getTitlesAfter(
      (getKey) => ({ do: 'remove', key: getKey('B') }),
      (getKey) => ({ do: 'change', key: getKey('C'), to: { title: 'Last' } }),
      () => ({ do: 'undo' }),
    ),
  ).toEqual(['A', 'B', 'Last', 'D']);
  const number = { unit: 'm', min: 1, max: null };
  const state = toEditorState({ title: 'Pool', sections: [{ ...section('Depth'), number }] });
  const key = state.sections[0]?.key ?? '';
  const actions: EditorAction[] = [
    { do: 'change', key, to: { type: 'na' } },
    { do: 'change', key, to: { title: 'How deep' } },
    { do: 'undo' },
  ];
  expect(toChecklist(actions.reduce(editorReducer, state)).sections).toEqual([{ ...section('How deep'), number }]);
});

test('a section moves to a given position, but never outside the list', () => {
  const move = (title: string, to: number) => getTitlesAfter((getKey) => ({ do: 'move', key: getKey(title), to }));
  expect(move('A', 2)).toEqual(['B', 'C', 'A', 'D']);
  expect(move('D', 0)).toEqual(['D', 'A', 'B', 'C']);
  expect(move('B', 1)).toEqual(['A', 'B', 'C', 'D']);
  for (const to of [-1, 4]) expect(move('A', to)).toEqual(['A', 'B', 'C', 'D']);
  expect(move('none', 1)).toEqual(['A', 'B', 'C', 'D']);
});

test('a section can be changed or removed by its key after sections have moved', () => {
  expect(
    getTitlesAfter(
      (getKey) => ({ do: 'move', key: getKey('A'), to: 3 }),
      (getKey) => ({ do: 'change', key: getKey('A'), to: { title: 'Last' } }),
      (getKey) => ({ do: 'remove', key: getKey('C') }),
    ),
  ).toEqual(['B', 'D', 'Last']);
});

test("loading another user's version of the checklist replaces everything in the editor", () => {
  const state = editorReducer(toEditorState(checklist), {
    do: 'replace',
    with: { title: 'X', sections: [section('Y')] },
  });
  expect(toChecklist(state)).toEqual({ title: 'X', sections: [section('Y')] });
});

test('the title of a copied checklist ends in (Copy) and is cut to the maximum length', () => {
  expect(copyChecklist(checklist)).toEqual({ ...checklist, title: 'Pool (Copy)' });
  const long = copyChecklist({ ...checklist, title: '🏊'.repeat(200) }).title;
  expect([...long]).toHaveLength(200);
  expect(long).toMatch(/🏊 \(Copy\)$/u);
});

describe('a question that is shown only with some answers of another', () => {
  const onFail = { when: 'No', photo: 'optional' } as const;
  const choices = ['Chlorine', 'Bromine'].map((text) => ({ text, fails: false }));
  const pool: NewChecklist = {
    title: 'Pool',
    notes: 'any',
    sections: [
      { title: 'Note', type: 'text', required: false },
      { title: 'Used', type: 'choice', required: true, choices },
      { title: 'Dosing works', type: 'na', required: false, onFail, showIf: { section: 1, answers: ['Bromine'] } },
      { title: 'Open', type: 'na', required: false },
      { title: 'Why not', type: 'text', required: false, showIf: { section: 3, answers: ['No', 'N/A'] } },
    ],
  };
  const getKey = (state: EditorState, title: string) =>
    state.sections.find((section) => section.title === title)?.key ?? 'none';
  const start = toEditorState(pool);
  const run = (...actions: ((state: EditorState) => EditorAction)[]) =>
    actions.reduce((state, action) => editorReducer(state, action(state)), start);
  const getDependence = (state: EditorState, title: string) => {
    const { sections } = toChecklist(state);
    const { showIf } = sections.find((section) => section.title === title) as Section;
    return showIf && [sections[showIf.section]?.title, ...showIf.answers];
  };

  test('leaves the editor as it was opened', () => expect(toChecklist(start)).toEqual(pool));

  test('still depends on the same one when sections move, are added and are removed', () => {
    const state = run(
      (now) => ({ do: 'move', key: getKey(now, 'Open'), to: 0 }),
      () => ({ do: 'add', at: 0, newKey: 'new' }),
      (now) => ({ do: 'remove', key: getKey(now, 'Note') }),
    );
    expect(getDependence(state, 'Why not')).toEqual(['Open', 'No', 'N/A']);
    expect(getDependence(state, 'Dosing works')).toEqual(['Used', 'Bromine']);
  });

  test('still depends on a choice while its text is typed, also if it is that of another for a moment', () => {
    const type =
      (text: string) =>
      (now: EditorState): EditorAction => {
        const before = now.sections.find(({ title }) => title === 'Used')?.choices ?? [];
        return { do: 'change', key: getKey(now, 'Used'), to: { choices: readChoices(text, before) } };
      };
    const typed = ['C', 'Ch', 'Chlorine', 'Chlorine dioxide'].map((text) => type(`Chlorine\n${text}`));
    expect(getDependence(run(...typed), 'Dosing works')).toEqual(['Used', 'Chlorine dioxide']);
    expect(getDependence(run(type('Salt\nBromine\nChlorine')), 'Dosing works')).toEqual(['Used', 'Bromine']);
    // One that is gone is named, so that saving is refused with both titles.
    expect(getDependence(run(type('Chlorine\nSalt\nNone')), 'Dosing works')).toEqual(['Used', 'Bromine']);
  });

  test.each([
    ['Used', { index: 2 }, '“Used” stays above “Dosing works”, which is shown only with some of its answers.'],
    ['Dosing works', { index: 0 }, '“Dosing works” stays below “Used”, whose answer decides whether it is shown.'],
    ['Dosing works', { index: 1 }, '“Dosing works” stays below “Used”, whose answer decides whether it is shown.'],
    ['Open', {}, '“Open” stays, because “Why not” is shown only with some of its answers.'],
    ['Open', { type: 'date' }, '“Open” keeps its type, because “Why not” is shown only with some of its answers.'],
    ['Used', { type: 'na' }, '“Used” keeps its type, because “Dosing works” is shown only with some of its answers.'],
    ['Used', { type: 'choices' }, undefined],
    ['Used', { index: 0 }, undefined],
    ['Used', { index: 1 }, undefined],
    ['Dosing works', { index: 4 }, undefined],
    ['Why not', {}, undefined],
    ['Note', { index: 4 }, undefined],
  ] as const)('is not changed without notice: %s to %j', (title, to, message) => {
    expect(findRefusal(start.sections, getKey(start, title), to)).toBe(message);
  });

  test('makes an answer to the other required if it can fail', () => {
    const required = (state: EditorState) =>
      toChecklist(state).sections.flatMap(({ title, required }) => (required ? [title] : []));
    const failing = run((now) => ({ do: 'change', key: getKey(now, 'Why not'), to: { type: 'na', onFail } }));
    expect(required(failing)).toEqual(['Used', 'Open']);
    expect(required(start)).toEqual(['Used']);
  });

  test('is restored below the other, wherever that has moved since', () => {
    const state = run(
      (now) => ({ do: 'remove', key: getKey(now, 'Dosing works') }),
      (now) => ({ do: 'move', key: getKey(now, 'Used'), to: 3 }),
      () => ({ do: 'undo' }),
    );
    expect(toChecklist(state).sections.map(({ title }) => title)).toEqual([
      ...['Note', 'Open', 'Why not', 'Used', 'Dosing works'],
    ]);
    expect(getDependence(state, 'Dosing works')).toEqual(['Used', 'Bromine']);
  });
});

describe('a number', () => {
  const start = toEditorState({ title: 'Pool', sections: [section('pH')] });
  const key = start.sections[0]?.key ?? '';
  const change = (to: object): EditorAction => ({ do: 'change', key, to });
  const getRule = (...actions: EditorAction[]) => actions.reduce(editorReducer, start).sections[0]?.onFail;
  const any = change({ number: { unit: '', min: null, max: null } });
  const limited = change({ number: { unit: '', min: 7, max: null } });

  test('with limits starts with a failing answer that creates an audit', () => {
    const audit = { urgent: false, days: 1, assignees: {} };
    expect(getRule(any)).toBeUndefined();
    expect(getRule(any, limited)).toEqual({ when: 'outOfRange', photo: 'optional', audit });
  });

  test('keeps what was chosen instead', () => {
    const none = change({ onFail: undefined });
    expect(getRule(any, limited, none, change({ number: { unit: '', min: 7, max: 8 } }))).toBeUndefined();
  });
});

test('a choice keeps whether it fails while it is typed, moved, or another is added', () => {
  const start = readChoices('Good\nPoor', []).map((choice) => ({ ...choice, fails: choice.text === 'Poor' }));
  const failing = (...texts: string[]) =>
    texts
      .reduce((choices, text) => readChoices(text, choices), start)
      .flatMap(({ text, fails }) => (fails ? [text] : []));
  expect(failing('Good\nPoor ')).toEqual(['Poor']);
  expect(failing('Good\nVery poor')).toEqual(['Very poor']);
  expect(failing('Poor\nGood')).toEqual(['Poor']);
  expect(failing('Good\n\nPoor', 'Good\nFair\nPoor')).toEqual(['Poor']);
  expect(failing('Good')).toEqual([]);
});

test('a rule for failing choices goes with the last of them, and stays when several may be chosen', () => {
  const choices = readChoices('Good\nPoor', []).map((choice) => ({ ...choice, fails: choice.text === 'Poor' }));
  const onFail = { when: 'chosen', photo: 'optional' } as const;
  const start = toEditorState({
    title: 'Pool',
    sections: [{ title: 'A', type: 'choice', required: true, choices, onFail }],
  });
  const key = start.sections[0]?.key ?? '';
  const several = editorReducer(start, { do: 'change', key, to: { type: 'choices' } });
  expect(toChecklist(several).sections[0]).toMatchObject({ type: 'choices', onFail });
  const none = { choices: choices.map((choice) => ({ ...choice, fails: false })) };
  expect(editorReducer(start, { do: 'change', key, to: none }).sections[0]?.onFail).toBeUndefined();
});

test('pasted questions stand below, have the type and rules of the one above, and go with Undo', () => {
  const onFail = { when: 'No', photo: 'optional' } as const;
  const start = toEditorState({
    title: 'Pool',
    sections: [
      { title: ' ', type: 'na', required: true, onFail },
      { title: 'Last', type: 'date', required: false },
    ],
  });
  const key = start.sections[0]?.key ?? '';
  const questions = [{ title: 'One', heading: 'Outside', help: 'Look' }, { title: 'Two' }];
  const pasted = editorReducer(start, { do: 'paste', key, questions });
  expect(toChecklist(pasted).sections).toEqual([
    { title: 'One', heading: 'Outside', help: 'Look', type: 'na', required: true, onFail },
    { title: 'Two', type: 'na', required: true, onFail },
    { title: 'Last', type: 'date', required: false },
  ]);
  expect(toChecklist(editorReducer(pasted, { do: 'undo' }))).toEqual(toChecklist(start));
  // A title that is there stays.
  const below = editorReducer(pasted, { do: 'paste', key, questions });
  expect(below.sections.map(({ title }) => title)).toEqual(['One', 'One', 'Two', 'Two', 'Last']);
});
