// The open editors of checklists: those with input, which is kept, and those without.
import type { UnsavedChecklist } from './builder/editorState.ts';

const isSame = (editor: UnsavedChecklist) => (other: UnsavedChecklist) => other.key === editor.key;

export const withoutEditor = (editors: UnsavedChecklist[], editor: UnsavedChecklist) =>
  editors.filter((other) => !isSame(editor)(other));

/** Replaces an editor in its place, or adds it at the top. */
export const withEditor = (editors: UnsavedChecklist[], editor: UnsavedChecklist) =>
  editors.some(isSame(editor))
    ? editors.map((other) => (isSame(editor)(other) ? editor : other))
    : [editor, ...editors];

/**
 * Returns all open editors. `opened`: those that were opened on this visit, some of which have no input. `broughtBack`:
 * those with input from an earlier visit.
 */
export function listOpenEditors(kept: UnsavedChecklist[], opened: UnsavedChecklist[]) {
  const broughtBack = kept.filter((unsaved) => !opened.some(isSame(unsaved)));
  const onThisVisit = opened.map((editor) => kept.find(isSame(editor)) ?? editor);
  return { broughtBack, openEditors: [...broughtBack, ...onThisVisit] };
}
