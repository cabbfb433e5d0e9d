// State of the checklist editor. Each section has a key that stays with it when it moves.
import {
  type Checklist,
  checklistLimits,
  type NewChecklist,
  naAnswers,
  type Section,
  setRequired,
} from '#shared/checklists.ts';
import { hasLimits } from '#shared/failing-answers.ts';
import { hasChoices, listLines } from '#shared/shown-questions.ts';
import { newUuid } from '../../newUuid.ts';
import type { PastedQuestion } from './pastedQuestions.ts';

/** A new or existing checklist that is open in an editor. */
export type UnsavedChecklist = {
  /** Identifies the editor, and is the Idempotency-Key of a new checklist, so that it is created once. */
  key: string;
  /** The checklist when editing began, so that a save in between is detected as a conflict. */
  checklist?: Checklist;
  start: NewChecklist;
  /** The checklist as typed; undefined if nothing was changed. */
  typed?: NewChecklist | undefined;
};

/** The key stays with the choice while its text is typed. */
export type EditedChoice = { key: string; text: string; fails: boolean };
/**
 * The key of the question that decides whether this one is shown, and the answers with which it is: keys of its choices,
 * else their texts.
 */
export type Dependence = { key: string; answers: string[] };
export type EditedSection = Omit<Section, 'showIf' | 'choices'> & {
  key: string;
  choices?: EditedChoice[] | undefined;
  showIf?: Dependence | undefined;
};
export type SectionEdit = Partial<Omit<EditedSection, 'key'>>;
/** A section that was removed from this index, or whose type was changed, as it was before; or the keys of pasted ones. */
type Undo =
  | { what: 'Remove' | 'Type'; index: number; section: EditedSection }
  | { what: 'Paste'; section: EditedSection; pastedKeys: string[] };
export type EditorState = { title: string; sections: EditedSection[]; notes?: NewChecklist['notes']; undo?: Undo };

export type EditorAction =
  | { do: 'title'; title: string }
  | { do: 'notes'; notes: NewChecklist['notes'] }
  /** `at` is the index of the new section: a copy of the one above, or with its type and rules only. */
  | { do: 'add'; at: number; newKey: string; isCopy?: boolean }
  /** Adds questions below this one, with its type and rules. The first replaces its title if it has none. */
  | { do: 'paste'; key: string; questions: PastedQuestion[] }
  | { do: 'change'; key: string; to: SectionEdit }
  | { do: 'remove'; key: string }
  | { do: 'undo' }
  /** `to` is the section's index after the move. */
  | { do: 'move'; key: string; to: number }
  | { do: 'replace'; with: NewChecklist };

const blankCommonFields = { title: '', heading: undefined, help: undefined, showIf: undefined, required: false };
/** The fields that stay when the type of a section changes; the rules for its answers depend on the type. */
const pickCommonFields = ({ key, title, heading, help, required, showIf }: EditedSection) => ({
  ...{ key, title, required },
  ...(heading !== undefined && { heading }),
  ...(help !== undefined && { help }),
  ...(showIf && { showIf }),
});
const emptySection: Pick<Section, 'title' | 'type' | 'required'> = { title: '', type: 'text', required: false };

export const emptyChecklist: NewChecklist = { title: '', sections: [emptySection] };

export function toEditorState({ title, sections, notes }: NewChecklist): EditorState {
  const edited = sections.map(
    ({ showIf: _, choices, ...section }): EditedSection => ({
      ...section,
      key: newUuid(),
      ...(choices && { choices: choices.map((choice) => ({ ...choice, key: newUuid() })) }),
    }),
  );
  for (const [index, { showIf }] of sections.entries()) {
    const source = showIf && edited[showIf.section];
    const toKey = (answer: string) => source?.choices?.find(({ text }) => text === answer)?.key ?? answer;
    if (source)
      Object.assign(edited[index] as EditedSection, {
        showIf: { key: source.key, answers: showIf.answers.map(toKey) },
      });
  }
  return { title, ...(notes && { notes }), sections: edited };
}

/** The checklist as it would be stored: with an answer required where one that can fail depends on it. */
export function toChecklist({ title, sections, notes }: EditorState): NewChecklist {
  const indexes = new Map(sections.map(({ key }, index) => [key, index]));
  return {
    title,
    sections: setRequired(
      sections.map(({ key: _, choices, showIf, ...section }) => {
        const on = showIf && indexes.get(showIf.key);
        const source = on === undefined ? undefined : sections[on];
        const toText = (answer: string) => source?.choices?.find(({ key }) => key === answer)?.text ?? answer;
        return {
          ...section,
          ...(choices && { choices: choices.map(({ text, fails }) => ({ text, fails })) }),
          ...(showIf && on !== undefined && { showIf: { section: on, answers: showIf.answers.map(toText) } }),
        };
      }),
    ),
    ...(notes && { notes }),
  };
}

/** Reads choices, one per line. Each keeps its key and whether it fails by its text, or by its line while it is typed. */
export function readChoices(text: string, before: EditedChoice[]): EditedChoice[] {
  const texts = listLines(text);
  const isTyped = texts.length === before.length && texts.filter((line, at) => line !== before[at]?.text).length <= 1;
  const left = [...before];
  return texts.map((line, at) => {
    const known = isTyped ? before[at] : left.find((choice) => choice.text === line);
    if (known) left.splice(left.indexOf(known), 1);
    return { key: newUuid(), fails: false, ...known, text: line };
  });
}

/** The answers on which others can depend, by what names them: the key of a choice, or the answer. */
export const listAnswerKeys = (
  section: Pick<EditedSection, 'type' | 'choices'>,
): { value: string; label: string }[] => {
  const { type, choices = [] } = section;
  if (hasChoices(section)) return choices.map(({ key, text }) => ({ value: key, label: text }));
  if (type === 'na') return naAnswers.map((answer) => ({ value: answer, label: answer }));
  if (type !== 'checkbox') return [];
  return [
    { value: 'Yes', label: 'Ticked' },
    { value: 'No', label: 'Not ticked' },
  ];
};

export function editorReducer(edited: EditorState, action: EditorAction): EditorState {
  const { sections } = edited;
  switch (action.do) {
    case 'title':
      return { ...edited, title: action.title };
    case 'notes':
      return { ...edited, notes: action.notes };
    case 'add': {
      const above = sections[action.at - 1] ?? emptySection;
      const section: EditedSection = { ...above, ...(!action.isCopy && blankCommonFields), key: action.newKey };
      return { ...edited, sections: sections.toSpliced(action.at, 0, section) };
    }
    case 'paste':
      return paste(edited, action.key, action.questions);
    case 'change':
      return change(edited, action.key, action.to);
    case 'remove':
      return {
        ...edited,
        sections: sections.filter(({ key }) => key !== action.key),
        ...keepForUndo('Remove', sections, action.key),
      };
    case 'undo':
      return undo(edited);
    case 'move': {
      const moved = sections.find(({ key }) => key === action.key);
      if (!moved || action.to < 0 || action.to >= sections.length) return edited;
      return { ...edited, sections: sections.filter((section) => section !== moved).toSpliced(action.to, 0, moved) };
    }
    case 'replace':
      return toEditorState(action.with);
  }
}

function change(edited: EditorState, key: string, to: SectionEdit): EditorState {
  const before = edited.sections.find((section) => section.key === key);
  if (!before) return edited;
  const after: EditedSection = { ...(to.type ? pickCommonFields(before) : before), type: before.type, ...to };
  if (hasChoices(after)) {
    after.choices ??= before.choices ?? [];
    if (hasChoices(before) && !('onFail' in to) && before.onFail) after.onFail = before.onFail;
  }
  // A removed choice is named by its text, so that saving says which question still depends on it.
  const removed = before.choices?.filter((choice) => !after.choices?.some((other) => other.key === choice.key)) ?? [];
  const toAnswer = (answer: string) => removed.find((choice) => choice.key === answer)?.text ?? answer;
  return {
    ...edited,
    sections: edited.sections.map((section) => {
      if (section.key === key) return withRules(before, after);
      const { showIf } = section;
      if (showIf?.key !== key || removed.length === 0) return section;
      return { ...section, showIf: { key, answers: showIf.answers.map(toAnswer) } };
    }),
    ...(to.type && keepForUndo('Type', edited.sections, key)),
  };
}

/** A number that gets its first limit fails outside it and creates an audit; without a failing choice there is no rule. */
function withRules(before: EditedSection, after: EditedSection): EditedSection {
  if (after.type === 'text' && hasLimits(after) && !hasLimits(before) && !after.onFail)
    return {
      ...after,
      onFail: { when: 'outOfRange', photo: 'optional', audit: { urgent: false, days: 1, assignees: {} } },
    };
  if (hasChoices(after) && after.onFail && !after.choices?.some(({ fails }) => fails)) {
    const { onFail: _, ...rest } = after;
    return rest;
  }
  return after;
}

function paste(edited: EditorState, key: string, questions: PastedQuestion[]): EditorState {
  const index = edited.sections.findIndex((section) => section.key === key);
  const section = edited.sections[index];
  if (!section) return edited;
  const isReplaced = section.title.trim() === '';
  const [first, ...others] = questions;
  if (!first) return edited;
  const create = ({ title, heading, help }: PastedQuestion): EditedSection => ({
    ...section,
    ...blankCommonFields,
    ...{ title, heading, help, required: section.required, key: newUuid() },
  });
  const { title, heading = section.heading, help = section.help } = first;
  const replaced = { ...section, title, heading, help };
  const pasted = (isReplaced ? others : questions).map(create);
  return {
    ...edited,
    sections: edited.sections.toSpliced(index, 1, isReplaced ? replaced : section, ...pasted),
    undo: { what: 'Paste', section, pastedKeys: pasted.map(({ key }) => key) },
  };
}

function undo({ undo, ...state }: EditorState): EditorState {
  if (!undo) return state;
  const { sections } = state;
  const { section } = undo;
  if (undo.what === 'Paste') {
    // Those on which others were made to depend since stay.
    const isKept = ({ key }: EditedSection) =>
      !undo.pastedKeys.includes(key) ||
      sections.some((other) => other.showIf?.key === key && !undo.pastedKeys.includes(other.key));
    return {
      ...state,
      sections: sections
        .filter(isKept)
        .map((one) =>
          one.key === section.key
            ? { ...one, title: section.title, heading: section.heading, help: section.help }
            : one,
        ),
    };
  }
  if (undo.what === 'Remove') {
    // The question on which it depends may have moved below its place.
    const source = sections.findIndex(({ key }) => key === section.showIf?.key);
    return { ...state, sections: sections.toSpliced(Math.max(undo.index, source + 1), 0, section) };
  }
  return {
    ...state,
    sections: sections.map((one) => (one.key === section.key ? { ...section, ...pickCommonFields(one) } : one)),
  };
}

function keepForUndo(
  what: 'Remove' | 'Type',
  sections: EditedSection[],
  sectionKey: string,
): Pick<EditorState, 'undo'> {
  const index = sections.findIndex(({ key }) => key === sectionKey);
  const section = sections[index];
  return section ? { undo: { what, index, section } } : {};
}

/**
 * Returns why a section cannot be moved to this index, removed (`to` is undefined), or given another type: another
 * question would no longer be shown as it was meant to be. Names both.
 */
export function findRefusal(
  sections: EditedSection[],
  sectionKey: string,
  to: { index?: number; type?: Section['type'] },
): string | undefined {
  const from = sections.findIndex(({ key }) => key === sectionKey);
  const section = sections[from];
  if (!section) return undefined;
  const quote = (one: EditedSection) => `“${one.title || `Section ${sections.indexOf(one) + 1}`}”`;
  const dependants = sections.filter(({ showIf }) => showIf?.key === sectionKey);
  if (to.type !== undefined) {
    const possible = listAnswerKeys({ ...section, type: to.type });
    const dependant = dependants.find(
      ({ showIf }) => !showIf?.answers.every((answer) => possible.some(({ value }) => value === answer)),
    );
    return (
      dependant &&
      `${quote(section)} keeps its type, because ${quote(dependant)} is shown only with some of its answers.`
    );
  }
  if (to.index === undefined) {
    const [dependant] = dependants;
    return dependant && `${quote(section)} stays, because ${quote(dependant)} is shown only with some of its answers.`;
  }
  const { index } = to;
  const source = sections.findIndex(({ key }) => key === section.showIf?.key);
  if (source >= 0 && index <= source && from > source)
    return `${quote(section)} stays below ${quote(sections[source] as EditedSection)}, whose answer decides whether it is shown.`;
  const dependant = dependants.find((one) => sections.indexOf(one) <= index);
  return (
    dependant && `${quote(section)} stays above ${quote(dependant)}, which is shown only with some of its answers.`
  );
}

const copySuffix = ' (Copy)';

/** Returns a copy whose title ends with “(Copy)”. */
export const copyChecklist = ({ title, sections, notes }: NewChecklist): NewChecklist => ({
  title: [...title].slice(0, checklistLimits.title - copySuffix.length).join('') + copySuffix,
  sections,
  ...(notes && { notes }),
});
