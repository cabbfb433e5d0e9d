// State of the checklist editor. Each section has a key that stays with it when it moves.
import { type Checklist, checklistLimits, type NewChecklist, type Section } from '#shared/checklists.ts';
import { newUuid } from '../../newUuid.ts';

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

export type EditedSection = Section & { key: string };
/** A section that was removed from this index, or whose type was changed, as it was before. */
type Undo = { what: 'Remove' | 'Type'; index: number; section: EditedSection };
type EditorState = { title: string; sections: EditedSection[]; undo?: Undo };

export type EditorAction =
  | { do: 'title'; title: string }
  /** `at` is the index of the new section: a copy of the one above, or with its type and rules only. */
  | { do: 'add'; at: number; newKey: string; isCopy?: boolean }
  | { do: 'change'; key: string; to: Partial<Section> }
  | { do: 'remove'; key: string }
  | { do: 'undo' }
  /** `to` is the section's index after the move. */
  | { do: 'move'; key: string; to: number }
  | { do: 'replace'; with: NewChecklist };

const withKey = (section: Section): EditedSection => ({ ...section, key: newUuid() });
const blankCommonFields = { title: '', heading: undefined, required: false };
/** The fields that stay when the type of a section changes; the rules for its answers depend on the type. */
const pickCommonFields = ({ key, title, heading, required }: EditedSection) => ({ key, title, heading, required });
const emptySection: Section = { title: '', type: 'text', required: false };

export const emptyChecklist: NewChecklist = { title: '', sections: [emptySection] };

export const toEditorState = ({ title, sections }: NewChecklist): EditorState => ({
  title,
  sections: sections.map(withKey),
});

export const toChecklist = ({ title, sections }: EditorState): NewChecklist => ({
  title,
  sections: sections.map(({ key: _, ...section }) => section),
});

export function editorReducer(edited: EditorState, action: EditorAction): EditorState {
  const { sections } = edited;
  switch (action.do) {
    case 'title':
      return { ...edited, title: action.title };
    case 'add': {
      const above = sections[action.at - 1] ?? emptySection;
      const section = { ...above, ...(!action.isCopy && blankCommonFields), key: action.newKey };
      return { ...edited, sections: sections.toSpliced(action.at, 0, section) };
    }
    case 'change':
      return {
        ...edited,
        sections: sections.map((section) => {
          if (section.key !== action.key) return section;
          return { ...(action.to.type ? pickCommonFields(section) : section), type: section.type, ...action.to };
        }),
        ...(action.to.type && keepForUndo('Type', sections, action.key)),
      };
    case 'remove':
      return {
        ...edited,
        sections: sections.filter(({ key }) => key !== action.key),
        ...keepForUndo('Remove', sections, action.key),
      };
    case 'undo': {
      const { undo, ...state } = edited;
      if (!undo) return edited;
      if (undo.what === 'Remove') return { ...state, sections: sections.toSpliced(undo.index, 0, undo.section) };
      return {
        ...state,
        sections: sections.map((section) =>
          section.key === undo.section.key ? { ...undo.section, ...pickCommonFields(section) } : section,
        ),
      };
    }
    case 'move': {
      const moved = sections.find(({ key }) => key === action.key);
      if (!moved || action.to < 0 || action.to >= sections.length) return edited;
      return { ...edited, sections: sections.filter((section) => section !== moved).toSpliced(action.to, 0, moved) };
    }
    case 'replace':
      return toEditorState(action.with);
  }
}

function keepForUndo(what: Undo['what'], sections: EditedSection[], sectionKey: string): Pick<EditorState, 'undo'> {
  const index = sections.findIndex(({ key }) => key === sectionKey);
  const section = sections[index];
  return section ? { undo: { what, index, section } } : {};
}

const copySuffix = ' (Copy)';

/** Returns a copy whose title ends with “(Copy)”. */
export const copyChecklist = ({ title, sections }: NewChecklist): NewChecklist => ({
  title: [...title].slice(0, checklistLimits.title - copySuffix.length).join('') + copySuffix,
  sections,
});
