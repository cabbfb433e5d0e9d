import { ActionIcon, Checkbox, NativeSelect, Text, Textarea, TextInput, UnstyledButton } from '@mantine/core';
import { ArrowDown, ArrowUp, ChevronDown, Copy, GripVertical, Plus, Trash2 } from 'lucide-react';
import { type ClipboardEvent, type Dispatch, type KeyboardEvent, memo, type PointerEvent, useState } from 'react';
import { checklistLimits, type SectionType } from '#shared/checklists.ts';
import { describeFailingAnswer } from '#shared/failing-answers.ts';
import { IconButton } from '../../ui/forms/IconButton.tsx';
import { DependenceFields } from './DependenceFields.tsx';
import type { EditedSection, EditorAction, SectionEdit } from './editorState.ts';
import { PositionField } from './PositionField.tsx';
import { type PastedQuestion, toQuestions } from './pastedQuestions.ts';
import styles from './SectionRow.module.css';
import { SectionRules } from './SectionRules.tsx';
import { typeNames } from './sectionNames.ts';

const types = [
  ...Object.entries(typeNames).map(([value, label]) => ({ value, label })),
  { value: '', label: 'For each place: choose the places in its schedule', disabled: true },
];

type Handlers = Record<
  'onPointerDown' | 'onPointerMove' | 'onPointerUp',
  (event: PointerEvent<HTMLElement>) => void
> & { onPointerCancel: () => void };

type SectionRowProps = {
  section: EditedSection;
  index: number;
  count: number;
  /** Messages by field of the section. */
  errors: { title?: string; choices?: string; showIf?: string; other?: string };
  /** Why the last move, removal or change of type was not done. */
  refusal: { text: string; isType: boolean } | undefined;
  /** The sections above, if the section is open. */
  above: EditedSection[] | undefined;
  /** The number of the section on which it depends. */
  dependsOn: number | undefined;
  /** The title of a section that can fail and depends on this one, which therefore needs an answer. */
  requiredBy: string | undefined;
  isOpen: boolean;
  dispatch: Dispatch<EditorAction>;
  onMove: (key: string, to: number) => void;
  onType: (key: string, type: SectionType) => void;
  onAdd: (at: number, isCopy?: boolean) => void;
  onPaste: (key: string, questions: PastedQuestion[]) => void;
  onToggle: (key: string) => void;
  onRemove: (key: string) => void;
  handleProps: Handlers;
  isDragged: boolean;
  /** Whether the dragged section would be dropped before this one. */
  isDropTarget: boolean;
};

/** One section in the checklist editor: one line, or open with its fields. */
export const SectionRow = memo(function SectionRow(props: SectionRowProps) {
  const { section, index, count, errors, isOpen, dispatch, onMove, onType, onAdd, onPaste, onToggle, onRemove } = props;
  const { refusal, above, dependsOn, requiredBy, handleProps, isDragged, isDropTarget } = props;
  const { key, title, type, required } = section;
  const name = `section ${index + 1}`;
  const isFirst = index === 0;
  const isLast = index === count - 1;
  const isFull = count >= checklistLimits.sections;
  // Below what was pressed, so that it is in view.
  const message = refusal && !refusal.isType ? refusal.text : isOpen ? errors.other : undefined;
  const anyError = Object.values(errors).find((error) => error !== undefined);
  const failing = describeFailingAnswer(section);
  const isRequired = required || requiredBy !== undefined;
  const change = (to: SectionEdit) => dispatch({ do: 'change', key, to });

  const moveByKey = (event: KeyboardEvent) => {
    const to = { ArrowUp: index - 1, ArrowDown: index + 1, Home: 0, End: count - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    onMove(key, to);
  };

  /** Enter goes on to the limits of a number, which the next question gets too, and then to the next question. */
  const onEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    // It would save the checklist.
    event.preventDefault();
    const row = event.currentTarget.closest('li');
    const fields = [...(row?.querySelectorAll<HTMLInputElement>('[data-title], [data-limit]') ?? [])];
    const next = fields[fields.indexOf(event.currentTarget as HTMLInputElement) + 1];
    if (next && fields.includes(event.currentTarget as HTMLInputElement)) {
      next.focus();
      next.select();
    } else if (!isFull) onAdd(index + 1);
  };
  const pasteLines = (event: ClipboardEvent) => {
    const questions = toQuestions(event.clipboardData.getData('text/plain'));
    if (!questions) return;
    event.preventDefault();
    onPaste(key, questions);
  };

  return (
    <li className={styles.row} data-dragged={isDragged || undefined} data-gap={isDropTarget || undefined}>
      {section.heading && !isOpen && <p className={styles.heading}>{section.heading}</p>}
      <div className={styles.header}>
        <UnstyledButton
          className={styles.handle}
          aria-label={`Move ${name}: drag, or press the up and down arrows`}
          onKeyDown={moveByKey}
          {...handleProps}
        >
          <GripVertical aria-hidden size={20} />
        </UnstyledButton>
        <UnstyledButton className={styles.toggle} aria-expanded={isOpen} data-toggle onClick={() => onToggle(key)}>
          <span className={styles.title}>
            {index + 1}. {title || 'No title yet'}
          </span>
          <span className="quiet">
            {typeNames[type]}
            {isRequired && ', required'}
            {dependsOn !== undefined && `, depends on ${dependsOn}`}
            {failing && `, fails if ${failing}`}
            {section.onFail?.audit && ', creates an audit'}
          </span>
          {anyError && !isOpen && <span className={styles.error}>{anyError}</span>}
          <ChevronDown aria-hidden className={styles.chevron} />
        </UnstyledButton>
      </div>
      {isOpen && (
        <>
          <div className={styles.fields}>
            <TextInput
              label="Section title"
              description={title === '' && 'Several pasted lines become a question each; a second column is its help.'}
              data-title
              value={title}
              maxLength={checklistLimits.sectionTitle}
              error={errors.title}
              onKeyDown={onEnter}
              onPaste={pasteLines}
              onChange={(event) => change({ title: event.currentTarget.value })}
            />
            <NativeSelect
              label="Type"
              value={type}
              data={types}
              error={refusal?.isType && refusal.text}
              onChange={(event) => onType(key, event.currentTarget.value as SectionType)}
            />
            {type !== 'info' && (
              <Checkbox
                label="Required"
                className={styles.required ?? ''}
                checked={isRequired}
                disabled={requiredBy !== undefined}
                onChange={(event) => change({ required: event.currentTarget.checked })}
              />
            )}
          </div>
          {requiredBy !== undefined && (
            <p className={styles.note}>
              An answer is required, because it decides whether “{requiredBy}” is shown, which can fail.
            </p>
          )}
          <TextInput
            label="Heading above it (optional)"
            mt="sm"
            value={section.heading ?? ''}
            maxLength={checklistLimits.sectionTitle}
            onKeyDown={onEnter}
            onChange={(event) => change({ heading: event.currentTarget.value || undefined })}
          />
          <SectionRules
            section={section}
            name={name}
            choicesError={errors.choices}
            onChange={change}
            onKeyDown={onEnter}
          />
          <MoreFields key={String(type === 'info')} {...{ section, above, error: errors.showIf, onChange: change }} />
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
            <IconButton
              icon={Plus}
              aria-label={`Insert Below ${name}`}
              disabled={isFull}
              onClick={() => onAdd(index + 1)}
            >
              Insert Below
            </IconButton>
            <IconButton
              icon={Copy}
              aria-label={`Duplicate ${name}`}
              disabled={isFull}
              onClick={() => onAdd(index + 1, true)}
            >
              Duplicate
            </IconButton>
            <IconButton icon={Trash2} aria-label={`Remove ${name}`} onClick={() => onRemove(key)}>
              Remove
            </IconButton>
          </div>
        </>
      )}
      {message && (
        <Text c="var(--mantine-color-error)" role="alert">
          {message}
        </Text>
      )}
    </li>
  );
});

type MoreFieldsProps = {
  section: EditedSection;
  above: EditedSection[] | undefined;
  error: string | undefined;
  onChange: (to: SectionEdit) => void;
};

/** What few sections have; open if this one has it. */
function MoreFields({ section: { type, help, showIf }, above = [], error, onChange }: MoreFieldsProps) {
  const [isOpenAtFirst] = useState(type === 'info' || help !== undefined || showIf !== undefined);
  return (
    <details className={styles.more} open={isOpenAtFirst}>
      <summary>Help, and when it is shown</summary>
      <div className="stack">
        <Textarea
          label="Help (optional)"
          rows={2}
          maxLength={checklistLimits.help}
          value={help ?? ''}
          onChange={(event) => onChange({ help: event.currentTarget.value || undefined })}
        />
        <DependenceFields {...{ above, showIf, error }} onChange={(showIf) => onChange({ showIf })} />
      </div>
    </details>
  );
}
