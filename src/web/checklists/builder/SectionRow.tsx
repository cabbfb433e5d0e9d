import { ActionIcon, Button, Checkbox, NativeSelect, TextInput, UnstyledButton } from '@mantine/core';
import { ArrowDown, ArrowUp, ChevronDown, Copy, GripVertical, Plus, Trash2 } from 'lucide-react';
import { type Dispatch, type KeyboardEvent, memo, type PointerEvent } from 'react';
import { checklistLimits, type SectionType } from '#shared/checklists.ts';
import type { EditedSection, EditorAction } from './editorState.ts';
import { PositionField } from './PositionField.tsx';
import styles from './SectionRow.module.css';
import { SectionRules } from './SectionRules.tsx';
import { typeNames } from './sectionNames.ts';

const types = Object.entries(typeNames).map(([value, label]) => ({ value, label }));

type Handlers = Record<
  'onPointerDown' | 'onPointerMove' | 'onPointerUp',
  (event: PointerEvent<HTMLElement>) => void
> & { onPointerCancel: () => void };

type SectionRowProps = {
  section: EditedSection;
  index: number;
  count: number;
  error: string | undefined;
  isOpen: boolean;
  dispatch: Dispatch<EditorAction>;
  onMove: (key: string, to: number) => void;
  onAdd: (at: number, isCopy?: boolean) => void;
  onToggle: (key: string) => void;
  onRemove: (key: string) => void;
  handleProps: Handlers;
  isDragged: boolean;
  /** Whether the dragged section would be dropped before this one. */
  isDropTarget: boolean;
};

/** One section in the checklist editor: one line, or open with its fields. */
export const SectionRow = memo(function SectionRow(props: SectionRowProps) {
  const { section, index, count, error, isOpen, dispatch, onMove, onAdd, onToggle, onRemove } = props;
  const { handleProps, isDragged, isDropTarget } = props;
  const { key, title, type, required } = section;
  const name = `section ${index + 1}`;
  const isFirst = index === 0;
  const isLast = index === count - 1;
  const isFull = count >= checklistLimits.sections;

  const moveByKey = (event: KeyboardEvent) => {
    const to = { ArrowUp: index - 1, ArrowDown: index + 1, Home: 0, End: count - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    onMove(key, to);
  };

  return (
    <li className={styles.row} data-dragged={isDragged || undefined} data-gap={isDropTarget || undefined}>
      {section.heading && !isOpen && <p className={styles.heading}>{section.heading}</p>}
      <div className={styles.header}>
        <button
          type="button"
          className={styles.handle}
          aria-label={`Move ${name}: drag, or press the up and down arrows`}
          onKeyDown={moveByKey}
          {...handleProps}
        >
          <GripVertical aria-hidden size={20} />
        </button>
        <UnstyledButton className={styles.toggle} aria-expanded={isOpen} data-toggle onClick={() => onToggle(key)}>
          <span className={styles.title}>
            {index + 1}. {title || 'No title yet'}
          </span>
          <span className={styles.type}>
            {typeNames[type]}
            {required && ', required'}
          </span>
          {error && !isOpen && <span className={styles.error}>{error}</span>}
          <ChevronDown aria-hidden className={styles.chevron} />
        </UnstyledButton>
      </div>
      {isOpen && (
        <>
          <div className={styles.fields}>
            <TextInput
              label="Section title"
              data-title
              value={title}
              maxLength={checklistLimits.sectionTitle}
              error={error}
              onChange={(event) => dispatch({ do: 'change', key, to: { title: event.currentTarget.value } })}
            />
            <NativeSelect
              label="Type"
              value={type}
              data={types}
              onChange={(event) =>
                dispatch({ do: 'change', key, to: { type: event.currentTarget.value as SectionType } })
              }
            />
            <Checkbox
              label="Required"
              className={styles.required}
              checked={required}
              onChange={(event) => dispatch({ do: 'change', key, to: { required: event.currentTarget.checked } })}
            />
          </div>
          <TextInput
            label="Heading above it (optional)"
            mt="sm"
            value={section.heading ?? ''}
            maxLength={checklistLimits.sectionTitle}
            onChange={(event) =>
              dispatch({ do: 'change', key, to: { heading: event.currentTarget.value || undefined } })
            }
          />
          <SectionRules section={section} name={name} onChange={(to) => dispatch({ do: 'change', key, to })} />
          <div className={styles.actions}>
            <PositionField index={index} count={count} onMove={(to) => onMove(key, to)} />
            <ActionIcon
              variant="default"
              aria-label={`Move ${name} up`}
              aria-disabled={isFirst}
              onClick={() => onMove(key, index - 1)}
            >
              <ArrowUp aria-hidden size={18} />
            </ActionIcon>
            <ActionIcon
              variant="default"
              aria-label={`Move ${name} down`}
              aria-disabled={isLast}
              onClick={() => onMove(key, index + 1)}
            >
              <ArrowDown aria-hidden size={18} />
            </ActionIcon>
            <Button
              variant="default"
              leftSection={<Plus aria-hidden size={18} />}
              aria-label={`Insert Below ${name}`}
              disabled={isFull}
              onClick={() => onAdd(index + 1)}
            >
              Insert Below
            </Button>
            <Button
              variant="default"
              leftSection={<Copy aria-hidden size={18} />}
              aria-label={`Duplicate ${name}`}
              disabled={isFull}
              onClick={() => onAdd(index + 1, true)}
            >
              Duplicate
            </Button>
            <Button
              variant="default"
              leftSection={<Trash2 aria-hidden size={18} />}
              aria-label={`Remove ${name}`}
              onClick={() => onRemove(key)}
            >
              Remove
            </Button>
          </div>
        </>
      )}
    </li>
  );
});
