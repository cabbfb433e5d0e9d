import { expect, test } from 'vitest';
import { copyChecklist, type EditorAction, editorReducer, toChecklist, toEditorState } from './editorState.ts';

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
