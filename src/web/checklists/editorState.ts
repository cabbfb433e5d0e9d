// State of the checklist editor. Each section has a key that stays with it when it moves.
import { type Checklist, checklistLimits, type NewChecklist, type Section } from '#shared/checklists.ts';
import { newUuid } from '../newUuid.ts';

/** A new or edited checklist with unsaved changes. */
export type UnsavedChecklist = {
  /** Identifies the editor. A new checklist is sent with it as Idempotency-Key, so only once. */
  key: string;
  /** The checklist when editing began, so that a save in between is detected as a conflict. */
  checklist?: Checklist;
  start: NewChecklist;
  /** The checklist as typed; undefined if nothing was changed. */
  typed?: NewChecklist | undefined;
};

export type EditedSection = Section & { key: string };
type EditorState = { title: string; sections: EditedSection[] };

export type EditorAction =
  | { do: 'title'; title: string }
  /** `at` is the index of the new section; at the end by default. */
  | { do: 'add'; at?: number }
  | { do: 'change'; key: string; to: Partial<Section> }
  | { do: 'remove'; key: string }
  /** `to` is the section's index after the move. */
  | { do: 'move'; key: string; to: number }
  | { do: 'replace'; with: NewChecklist };

const withKey = (section: Section): EditedSection => ({ ...section, key: newUuid() });
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
    case 'add':
      return { ...edited, sections: sections.toSpliced(action.at ?? sections.length, 0, withKey(emptySection)) };
    case 'change':
      return {
        ...edited,
        sections: sections.map((section) => (section.key === action.key ? { ...section, ...action.to } : section)),
      };
    case 'remove':
      return { ...edited, sections: sections.filter(({ key }) => key !== action.key) };
    case 'move': {
      const moved = sections.find(({ key }) => key === action.key);
      if (!moved || action.to < 0 || action.to >= sections.length) return edited;
      return { ...edited, sections: sections.filter((section) => section !== moved).toSpliced(action.to, 0, moved) };
    }
    case 'replace':
      return toEditorState(action.with);
  }
}

const copySuffix = ' (Copy)';

/** Returns a copy with a copy's title. */
export const copyChecklist = ({ title, sections }: NewChecklist): NewChecklist => ({
  title: [...title].slice(0, checklistLimits.title - copySuffix.length).join('') + copySuffix,
  sections,
});
