import { expect, test } from 'vitest';
import type { UnsavedChecklist } from './builder/editorState.ts';
import { listOpenEditors, withEditor, withoutEditor } from './unsavedEditors.ts';

const edit = (key: string, title?: string): UnsavedChecklist => ({
  key,
  start: { title: '', sections: [] },
  ...(title !== undefined && { typed: { title, sections: [] } }),
});

test('an editor that was opened shows what was typed into it, in its place', () => {
  const [first, second] = [edit('1'), edit('2')];
  const typed = edit('1', 'Pool');
  expect(listOpenEditors([typed], [second, first])).toEqual({ broughtBack: [], openEditors: [second, typed] });
});

test('editors with input from an earlier visit are open above those of this visit', () => {
  const [kept, opened] = [edit('1', 'Pool'), edit('2')];
  expect(listOpenEditors([kept], [opened])).toEqual({ broughtBack: [kept], openEditors: [kept, opened] });
});

test('a changed editor stays in its place, and a new one is added at the top', () => {
  const editors = [edit('1', 'Pool'), edit('2', 'Slide')];
  expect(withEditor(editors, edit('2', 'Slides'))).toEqual([edit('1', 'Pool'), edit('2', 'Slides')]);
  expect(withEditor(editors, edit('3', 'Gym'))).toEqual([edit('3', 'Gym'), ...editors]);
  expect(withoutEditor(editors, edit('1'))).toEqual([edit('2', 'Slide')]);
});
