import { Button, NativeSelect, Text, TextInput, VisuallyHidden } from '@mantine/core';
import { Eye, Plus, Undo2 } from 'lucide-react';
import { type FormEvent, useEffect, useEffectEvent, useLayoutEffect, useReducer, useRef, useState } from 'react';
import { api } from '#shared/api.ts';
import {
  type Checklist,
  checklistLimits,
  findRequiredBy,
  NewChecklist,
  type NotesRule,
  type SectionType,
} from '#shared/checklists.ts';
import type { ApiError } from '#shared/client.ts';
import { pluralise } from '#shared/pluralise.ts';
import { callApi, refreshScreen } from '../../client/api.ts';
import { readError, unreachable } from '../../client/errors.ts';
import { sendChange } from '../../client/sendChange.ts';
import { useSave } from '../../client/useSave.ts';
import { newUuid } from '../../newUuid.ts';
import { refuseName } from '../../people/refuseName.ts';
import { ConflictDialog } from '../../ui/dialogs/ConflictDialog.tsx';
import { useConfirmDiscard } from '../../ui/dialogs/useConfirmDiscard.tsx';
import { ErrorBox } from '../../ui/feedback/ErrorBox.tsx';
import type { useFeedback } from '../../ui/feedback/useFeedback.ts';
import { type FieldErrors, getFieldErrors } from '../../ui/forms/fieldErrors.ts';
import { IconButton } from '../../ui/forms/IconButton.tsx';
import styles from './ChecklistEditor.module.css';
import { ChecklistPreview } from './ChecklistPreview.tsx';
import {
  copyChecklist,
  editorReducer,
  findRefusal,
  toChecklist,
  toEditorState,
  type UnsavedChecklist,
} from './editorState.ts';
import type { PastedQuestion } from './pastedQuestions.ts';
import { SectionRow } from './SectionRow.tsx';
import { listChecklistDifferences, notesNames } from './sectionNames.ts';
import { useRowDrag } from './useRowDrag.ts';

type ChecklistEditorProps = {
  unsaved: UnsavedChecklist;
  /** Whether someone else deleted the checklist; saving creates a new one. */
  isGone?: boolean;
  feedback: ReturnType<typeof useFeedback>;
  onEdited: (unsaved: UnsavedChecklist) => void;
  onDone: () => void;
};

/** A new checklist, with the key of its draft if it has one, or a change of `base`. */
type ChecklistVariables = { body: NewChecklist; base?: { id: string; version: number }; draftKey?: string };

async function sendChecklist({ body, base, draftKey }: ChecklistVariables, key: string): Promise<unknown> {
  const update = ({ id, version }: { id: string; version: number }) =>
    sendChange(api.updateChecklist, { params: { id }, body: { ...body, version } });
  if (base) return update(base);
  try {
    return await callApi(api.createChecklist, { body, key: draftKey ?? key });
  } catch (error) {
    // It was created with other content although the response was lost.
    const received = readError(error).body.received as { id: string } | undefined;
    if (!received) throw error;
    return update({ id: received.id, version: 1 });
  }
}

/** Missing notes would leave those of the stored checklist as they are. */
const toChange = (values: NewChecklist, { id, version, notes }: Checklist): ChecklistVariables => ({
  body: notes && !values.notes ? { ...values, notes: 'failing' } : values,
  base: { id, version },
});

/** The errors of a checklist, also of assignees who are no users; by field. */
function check(values: NewChecklist): FieldErrors {
  const errors = getFieldErrors(NewChecklist, values);
  for (const [index, { onFail }] of values.sections.entries())
    for (const [park, name] of Object.entries(onFail?.audit?.assignees ?? {})) {
      const refusal = refuseName(name, park);
      if (refusal) errors[`sections.${index}.onFail.audit.assignees`] ??= refusal;
    }
  return errors;
}

const toComparable = ({ title, sections, notes = 'failing' }: NewChecklist) => JSON.stringify([title, sections, notes]);

/** The messages of one section, by field. */
function pickSectionErrors(errors: FieldErrors, index: number) {
  const start = `sections.${index}.`;
  const found: { title?: string; choices?: string; showIf?: string; other?: string } = {};
  for (const [name, message] of Object.entries(errors)) {
    if (!name.startsWith(start)) continue;
    const [field] = name.slice(start.length).split('.');
    found[field === 'title' || field === 'choices' || field === 'showIf' ? field : 'other'] ??= message;
  }
  return found;
}

const createErrors = { rejected: 'Failed to create checklist', unreachable: 'Error creating checklist' };
const updateErrors = { rejected: 'Failed to update checklist', unreachable: 'Error updating checklist' };

export function ChecklistEditor({ unsaved, isGone = false, feedback, onEdited, onDone }: ChecklistEditorProps) {
  const { start } = unsaved;
  const checklist = isGone ? undefined : unsaved.checklist;
  const [editorState, dispatch] = useReducer(editorReducer, unsaved.typed ?? start, toEditorState);
  /** The section that is open, if any. */
  const [openKey, setOpenKey] = useState(editorState.sections.length === 1 ? editorState.sections[0]?.key : undefined);
  // After the first check, an error disappears as soon as it is corrected.
  const [isValidated, setValidated] = useState(false);
  const [reason, setReason] = useState('');
  const [announcement, setAnnouncement] = useState('');
  const [refusal, setRefusal] = useState<{ key: string; text: string; isType: boolean }>();
  const [isPreviewing, setPreviewing] = useState(false);
  const titleField = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const name = `checklist/${unsaved.key}`;
  const saving = useSave<ChecklistVariables, unknown>(name, {
    send: sendChecklist,
    onSaved(_, { base }) {
      feedback.showSuccess(base ? 'Checklist updated successfully' : 'Checklist created successfully');
      onDone();
    },
    onFailed(error, { base }, newer) {
      if (!newer) explain(error, base ? updateErrors : createErrors);
    },
  });

  const { title, sections, undo } = editorState;
  const values = toChecklist(editorState);
  const errors: FieldErrors = { ...saving.errors, ...(isValidated && check(values)) };
  // Written the same way, whatever the order of its fields was.
  const isEdited = toComparable(values) !== toComparable(toChecklist(toEditorState(start)));

  const discard = useConfirmDiscard(isEdited, onDone);

  // ChecklistsTab stores the input, so that it survives a visit to another page.
  const saveDraft = useEffectEvent(() => onEdited({ ...unsaved, typed: isEdited ? values : undefined }));
  // A layout effect, so that input is saved before the page can be left.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs whenever an entered value changes
  useLayoutEffect(() => saveDraft(), [editorState]);

  // A restored editor does not take the focus.
  const focusTitle = useEffectEvent(() => unsaved.typed || titleField.current?.focus());
  useEffect(() => void focusTitle(), []);

  /** Whether it would change when another question is shown; says so. */
  function isRefused(sectionKey: string, to: Parameters<typeof findRefusal>[2]) {
    const text = findRefusal(sections, sectionKey, to);
    setRefusal(text === undefined ? undefined : { key: sectionKey, text, isType: to.type !== undefined });
    return text !== undefined;
  }
  function move(sectionKey: string, to: number) {
    if (to < 0 || to >= sections.length || isRefused(sectionKey, { index: to })) return;
    dispatch({ do: 'move', key: sectionKey, to });
    setAnnouncement(`Section moved to position ${to + 1} of ${sections.length}`);
  }
  function changeType(sectionKey: string, type: SectionType) {
    if (!isRefused(sectionKey, { type })) dispatch({ do: 'change', key: sectionKey, to: { type } });
  }
  function paste(sectionKey: string, questions: PastedQuestion[]) {
    const pasted = questions.slice(0, checklistLimits.sections - sections.length);
    setValidated(false);
    dispatch({ do: 'paste', key: sectionKey, questions: pasted });
    const left = questions.length - pasted.length;
    setAnnouncement(`${pluralise(pasted.length, 'line')} pasted as questions`);
    setRefusal(
      left > 0
        ? {
            key: sectionKey,
            isType: false,
            text: `A checklist has at most ${checklistLimits.sections} questions: ${pluralise(left, 'line')} left out.`,
          }
        : undefined,
    );
  }
  /** Focuses part of a row that React has not drawn yet. */
  const focusRow = (index: number, part: '[data-title]' | '[data-toggle]') =>
    requestAnimationFrame(() => {
      const field = list.current?.children[index]?.querySelector<HTMLElement>(part);
      (field ?? titleField.current)?.focus();
    });
  function add(at: number, isCopy = false) {
    setValidated(false);
    setRefusal(undefined);
    const newKey = newUuid();
    dispatch({ do: 'add', at, newKey, isCopy });
    setOpenKey(newKey);
    focusRow(at, '[data-title]');
  }
  function toggle(sectionKey: string) {
    setOpenKey(openKey === sectionKey ? undefined : sectionKey);
    // A section that closes above moves this one, so its row is focused again.
    focusRow(
      sections.findIndex(({ key }) => key === sectionKey),
      '[data-toggle]',
    );
  }
  /** The focused button disappears with its section, so focus the row in its place. */
  function remove(sectionKey: string) {
    if (isRefused(sectionKey, {})) return;
    const index = sections.findIndex(({ key }) => key === sectionKey);
    dispatch({ do: 'remove', key: sectionKey });
    setAnnouncement(`Section ${index + 1} removed`);
    focusRow(Math.min(index, sections.length - 2), '[data-toggle]');
  }
  function restore(undone: NonNullable<typeof undo>) {
    dispatch({ do: 'undo' });
    setRefusal(undefined);
    const at = sections.findIndex(({ key }) => key === undone.section.key);
    focusRow(at < 0 && undone.what !== 'Paste' ? undone.index : at, '[data-toggle]');
  }

  const drag = useRowDrag(() => [...(list.current?.children ?? [])] as HTMLElement[], move);

  function submit(event: FormEvent) {
    event.preventDefault();
    setValidated(true);
    setReason('');
    const found = check(values);
    const [, invalidIndex] = /\bsections\.(\d+)\./.exec(Object.keys(found).join()) ?? [];
    if (invalidIndex !== undefined) setOpenKey(sections[Number(invalidIndex)]?.key);
    if (saving.showErrors(found)) return;
    saving.save(checklist ? toChange(values, checklist) : { body: values, draftKey: unsaved.key });
  }

  function explain({ status, message }: ApiError, texts: typeof createErrors) {
    if (status === 0) {
      setReason(`${unreachable} What you entered is still here.`);
      return feedback.showError(texts.unreachable);
    }
    if (status === 404) void refreshScreen();
    feedback.showError(texts.rejected);
    setReason(message);
  }

  function acceptOtherVersion(current: Checklist) {
    onEdited({ key: unsaved.key, checklist: current, start: current });
    dispatch({ do: 'replace', with: current });
    saving.dismiss();
  }

  const requiredBy = findRequiredBy(values.sections);
  const getTitle = (index: number | undefined) =>
    index === undefined ? undefined : values.sections[index]?.title || `Section ${index + 1}`;
  const showNumber = (sectionKey: string | undefined) =>
    sectionKey === undefined ? undefined : sections.findIndex(({ key }) => key === sectionKey) + 1;
  const isBusy = saving.isSaving;
  const newer = saving.newer as Checklist | undefined;
  return (
    <form
      name={name}
      noValidate
      className={styles.editor}
      onSubmit={submit}
      aria-label={checklist ? `Edit ${checklist.title}` : 'New Checklist'}
    >
      {/* The editor closes after the save, so a change made during it would be lost. */}
      <fieldset className={styles.fields} disabled={isBusy}>
        <TextInput
          ref={titleField}
          label="Checklist title"
          required
          value={title}
          maxLength={checklistLimits.title}
          error={errors.title}
          onChange={(event) => dispatch({ do: 'title', title: event.currentTarget.value })}
        />
        <NativeSelect
          label="Notes and photos"
          value={values.notes ?? 'failing'}
          data={Object.entries(notesNames).map(([value, label]) => ({ value, label }))}
          onChange={(event) => dispatch({ do: 'notes', notes: event.currentTarget.value as NotesRule })}
        />
        <ul ref={list} className="stack tight list">
          {sections.map((section, index) => (
            <SectionRow
              key={section.key}
              section={section}
              index={index}
              count={sections.length}
              errors={pickSectionErrors(errors, index)}
              refusal={refusal?.key === section.key ? refusal : undefined}
              above={section.key === openKey ? sections.slice(0, index) : undefined}
              dependsOn={showNumber(section.showIf?.key)}
              requiredBy={getTitle(requiredBy.get(index))}
              dispatch={dispatch}
              onMove={move}
              onType={changeType}
              onPaste={paste}
              isOpen={section.key === openKey}
              onAdd={add}
              onToggle={toggle}
              onRemove={remove}
              handleProps={drag.getHandleProps(section.key, index)}
              isDragged={drag.draggedKey === section.key}
              isDropTarget={drag.isDropTarget(index)}
            />
          ))}
        </ul>
        {errors.sections && (
          <Text c="var(--mantine-color-error)" role="alert">
            {errors.sections}
          </Text>
        )}
        <VisuallyHidden role="status">{announcement}</VisuallyHidden>
        <ErrorBox message={reason} />
        <div className={styles.actions}>
          <IconButton
            icon={Plus}
            disabled={sections.length >= checklistLimits.sections}
            onClick={() => add(sections.length)}
          >
            Add Section
          </IconButton>
          <IconButton icon={Eye} onClick={() => setPreviewing(true)}>
            Preview
          </IconButton>
        </div>
      </fieldset>
      <div className={styles.save} data-form-bar>
        {undo && (
          <IconButton icon={Undo2} className={styles.undo ?? ''} onClick={() => restore(undo)}>
            Undo {undo.what}
          </IconButton>
        )}
        <Button variant="default" onClick={discard.close}>
          Cancel
        </Button>
        <Button type="submit" loading={isBusy}>
          {checklist ? 'Save Checklist' : 'Create Checklist'}
        </Button>
      </div>
      {discard.question}
      <ChecklistPreview checklist={values} isOpen={isPreviewing} onClose={() => setPreviewing(false)} />
      {newer && (
        <ConflictDialog
          title="Someone else has changed this checklist"
          text="Your changes are not lost. Choose which version to keep. This is what differs:"
          differences={listChecklistDifferences(values, newer)}
          isBusy={isBusy}
          onKeepMine={() => saving.save(toChange(values, newer))}
          onKeepTheirs={() => acceptOtherVersion(newer)}
          extraButton={
            <Button variant="default" disabled={isBusy} onClick={() => saving.save({ body: copyChecklist(values) })}>
              Save Mine as a Copy
            </Button>
          }
          onClose={saving.dismiss}
        />
      )}
    </form>
  );
}
