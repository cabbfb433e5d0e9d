import { Badge } from '@mantine/core';
import { ChevronDown } from 'lucide-react';
import type { Checklist } from '#shared/checklists.ts';
import { useUser } from '../client/session.ts';
import type { useFeedback } from '../ui/feedback/useFeedback.ts';
import { ChecklistForm } from './ChecklistForm.tsx';
import styles from './ChecklistPanel.module.css';
import { hasChecklistDraft } from './checklistDrafts.ts';

type ChecklistPanelProps = {
  checklist: Checklist;
  isOpen: boolean;
  onToggle: () => void;
  feedback: ReturnType<typeof useFeedback>;
  onSubmitted: () => void;
};

/** A checklist in the list, expanded in place to fill in. */
export function ChecklistPanel({ checklist, isOpen, onToggle, feedback, onSubmitted }: ChecklistPanelProps) {
  const user = useUser();
  const { id, title, sections } = checklist;
  const isBegun = !isOpen && hasChecklistDraft(user.id, id);
  return (
    <li className={styles.panel}>
      <h2 className={styles.heading}>
        <button
          type="button"
          id={`checklist-${id}`}
          className={styles.button}
          aria-expanded={isOpen}
          aria-controls={isOpen ? `checklist-${id}-form` : undefined}
          onClick={onToggle}
        >
          <span className={styles.text}>
            <span className={styles.title}>{title}</span>
            {isBegun && <Badge variant="light">In progress</Badge>}
            <span className={styles.count}>{sections.length === 1 ? '1 section' : `${sections.length} sections`}</span>
          </span>
          <ChevronDown aria-hidden className={styles.chevron} />
        </button>
      </h2>
      {isOpen && (
        <div id={`checklist-${id}-form`} className={styles.content}>
          <ChecklistForm checklist={checklist} feedback={feedback} onSubmitted={onSubmitted} />
        </div>
      )}
    </li>
  );
}
