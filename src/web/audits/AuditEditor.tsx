import { Button, Checkbox, Stack, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { auditTextNames, auditTexts } from '#shared/audit-fields.ts';
import { type Audit, maxDonePhotos } from '#shared/audits.ts';
import { limits, textLimits } from '#shared/choices.ts';
import { lessonAnswerLabels } from '#shared/lessons.ts';
import { useNames } from '../client/names.ts';
import { useUser } from '../client/session.ts';
import { listDifferences } from '../outbox/listDifferences.ts';
import type { useSubmission } from '../outbox/useSubmission.ts';
import { PhotoField } from '../photos/PhotoField.tsx';
import { processingImagesText, useIsPreparing, useLeftOut, withLeftOut } from '../photos/preparing.ts';
import { ConfirmDialog } from '../ui/dialogs/ConfirmDialog.tsx';
import { ConflictDialog } from '../ui/dialogs/ConflictDialog.tsx';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { Name } from '../ui/feedback/Name.tsx';
import { type Status, StatusLine } from '../ui/feedback/StatusLine.tsx';
import type { useFeedback } from '../ui/feedback/useFeedback.ts';
import { bindFields } from '../ui/forms/bindFields.ts';
import { DateField, TimeField } from '../ui/forms/DateField.tsx';
import { focusFirstError } from '../ui/forms/fieldErrors.ts';
import styles from './AuditDetail.module.css';
import { AuditHeading } from './AuditHeading.tsx';
import { Attachments, AuditColumns, AuditSection, AuditTextSections, CurrentDueDate } from './AuditSections.tsx';
import { AuditTag } from './AuditTag.tsx';
import { AuditTextField } from './AuditTextField.tsx';
import { getCompletionStatus, isCompletedBySubmission } from './auditStatus.ts';
import { CompletedAudit } from './CompletedAudit.tsx';
import { getEditsKey } from './completion.ts';
import { OutcomeChoice } from './OutcomeChoice.tsx';
import { useAuditActions } from './useAuditActions.ts';
import { type KeptEdits, useAuditEdits } from './useAuditEdits.ts';

type AuditEditorProps = {
  audit: Audit;
  /** The changes that this device has. */
  input: KeptEdits;
  outboxState: ReturnType<typeof useSubmission>;
  /** Shown when the audit is completed. */
  next: ReactNode;
  feedback: ReturnType<typeof useFeedback>;
  toast: ReturnType<typeof useFeedback>;
};

/** An audit that can be changed until it is completed. */
export function AuditEditor({ audit, input, outboxState, next, feedback, toast }: AuditEditorProps) {
  const { id: userId, username } = useUser();
  const showName = useNames();
  const edits = useAuditEdits(audit, input);
  const [isEditChosen, setEditChosen] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const reason = useRef<HTMLDivElement>(null);
  const showTexts = () => {
    // The input in which Enter was pressed will be gone.
    const hasFocus = form.current?.querySelector('fieldset')?.contains(document.activeElement);
    flushSync(() => setEditChosen(false));
    if (hasFocus) form.current?.querySelector<HTMLElement>('[data-edit]')?.focus();
  };
  const actions = useAuditActions(audit, edits, outboxState, { feedback, toast }, showTexts);
  const { submission } = outboxState;
  const { phase } = submission;
  const [isDismissed, setDismissed] = useState(false);
  const [isConfirming, setConfirming] = useState(false);
  const name = getEditsKey(userId, audit.id);
  const photoForms = [name, `${name} done`];
  const isPreparing = useIsPreparing(photoForms);
  const isPreparingAttachments = useIsPreparing([name]);
  /** Whether completing was confirmed and waits until all photos are prepared. */
  const [isWaitingForPhotos, setWaitingForPhotos] = useState(false);
  const { values, isChanged } = edits;
  const { busy, errors, conflict } = actions;
  const status = getCompletionStatus(submission);
  const leftOut = useLeftOut(photoForms);
  /** Whether the texts are inputs: once Edit was pressed, or one was changed or wrong, until they are saved. */
  const isEditing = isEditChosen || textNames.some((name) => name in edits.changes || errors[name]);
  if (isEditing && !isEditChosen) setEditChosen(true);
  const isFrozen = busy === 'complete' || status !== undefined;

  // The buttons stay in view on a phone, far below it.
  useEffect(() => {
    if (actions.reason) reason.current?.scrollIntoView({ block: 'center' });
  }, [actions.reason]);

  // Closes the confirmation once the completion was sent, waits on the device, or needs attention.
  useEffect(() => {
    if (phase !== 'none' && phase !== 'sending') setConfirming(false);
  }, [phase]);

  const { field, checkbox } = bindFields(values, errors, (changes) => {
    edits.set(changes);
    actions.clearErrors(...Object.keys(changes));
  });

  /** Whether the fields that the action saves are valid; if not, focuses the first error. */
  const isReady = (actionName: Parameters<typeof actions.check>[0]): boolean => {
    const isValid = actions.check(actionName);
    if (!isValid && form.current) focusFirstError(form.current);
    return isValid;
  };

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!busy && !isPreparing && isReady('save')) actions.runAction('save');
  };

  const edit = () => {
    flushSync(() => setEditChosen(true));
    form.current?.querySelector<HTMLElement>('[data-first]')?.focus();
  };

  const schedule = () => {
    if (isReady('schedule')) actions.runAction('schedule');
  };

  const askToComplete = () => {
    if (phase === 'retrying') outboxState.retry();
    else if (isReady('complete')) setConfirming(true);
  };

  const saveOwnVersion = ({ action, current }: NonNullable<typeof conflict>) =>
    action === 'complete' ? actions.complete(current) : actions.runAction(action, current);

  const complete = async () => {
    if (isPreparing) return setWaitingForPhotos(true);
    if (!(await actions.complete())) setConfirming(false);
  };

  const completeWhenPrepared = useEffectEvent(() => {
    if (!isWaitingForPhotos) return;
    setWaitingForPhotos(false);
    void complete();
  });
  useEffect(() => {
    if (!isPreparing) completeWhenPrepared();
  }, [isPreparing]);

  // The audit may be completed elsewhere at any time. What was typed is then shown, so it can be copied.
  if (audit.data.completed)
    return (
      <>
        <CompletedAudit audit={audit} next={next} />
        {(isChanged || values.done_note) && !isDismissed && !isCompletedBySubmission(submission) && (
          <ConflictDialog
            title={
              audit.data.completed_by === username
                ? 'You have already completed this audit'
                : 'Someone else has completed this audit'
            }
            text="It can no longer be changed. You can copy what you typed."
            differences={[
              ...listDifferences(edits.changes, audit),
              ...(values.done_note ? [{ label: 'What was done', mine: values.done_note, theirs: '' }] : []),
            ]}
            onKeepTheirs={() => actions.acceptOtherVersion(audit)}
            onClose={() => setDismissed(true)}
          />
        )}
      </>
    );

  const remainingPhotos = limits.photos - audit.data.media_files.length;
  return (
    <form ref={form} onSubmit={submit} noValidate onFocus={input.use} onClickCapture={input.use}>
      <AuditHeading audit={audit}>
        <Button
          type="submit"
          variant="default"
          className={styles.save}
          data-unsaved={isChanged || undefined}
          loading={busy === 'save'}
          disabled={isPreparing || isFrozen}
        >
          Save Changes
        </Button>
      </AuditHeading>
      <div ref={reason}>
        <ErrorBox message={actions.reason} />
      </div>

      <AuditColumns audit={audit}>
        <fieldset className={`${styles.column} ${styles.texts}`} disabled={isFrozen}>
          {isEditing ? (
            <AuditSection>
              <TextInput {...field('title')} label="Title" required maxLength={textLimits.line} data-first />
              {auditTextNames.map((name) => (
                <AuditTextField
                  key={name}
                  {...field(name)}
                  name={name}
                  park={audit.park}
                  rows={6}
                  description={values[name].trim() ? undefined : auditTexts[name].empty}
                />
              ))}
              <Checkbox {...checkbox('is_urgent')} label="Urgent?" />
            </AuditSection>
          ) : (
            <AuditTextSections audit={audit}>
              <Button variant="default" onClick={edit} disabled={isFrozen} data-edit>
                Edit
              </Button>
            </AuditTextSections>
          )}
        </fieldset>

        <AuditSection title="Status">
          <AuditTag state="pending" />
        </AuditSection>

        <AuditSection title="Date & Time">
          <DateField {...field('date')} label="Date" disabled={isFrozen} />
          <TimeField {...field('time')} label="Time" disabled={isFrozen} />
          <Button variant="default" loading={busy === 'schedule'} disabled={isFrozen} onClick={schedule}>
            Update
          </Button>
          <CurrentDueDate audit={audit} />
        </AuditSection>

        <fieldset className={`${styles.column} ${styles.attachments}`} disabled={isFrozen}>
          <Attachments audit={audit}>
            {remainingPhotos > 0 && (
              <PhotoField
                {...field('photos')}
                label="Add attachments"
                description="They are added when you save or complete the audit."
                use="audit"
                max={remainingPhotos}
                form={name}
                disabled={busy !== undefined || isFrozen}
              />
            )}
          </Attachments>
        </fieldset>

        <div className={styles.column}>
          <AuditSection title="Complete This Audit">
            <p className="quiet breakable">
              Completing cannot be undone. It is recorded under your name, <b translate="no">{showName(username)}</b>.
            </p>
            {audit.data.source?.thing === 'lesson' && (
              <>
                <OutcomeChoice
                  {...field('answer')}
                  labels={lessonAnswerLabels}
                  description="“Needs Work” creates a follow-up audit."
                  disabled={isFrozen}
                />
                <Textarea
                  {...field('answer_note')}
                  label="What you saw"
                  description="If everything is in order, you can add a photo under Attachments instead of a note."
                  rows={3}
                  maxLength={textLimits.note}
                  disabled={isFrozen}
                />
              </>
            )}
            <Checkbox
              label="Mark as completed"
              checked={isConfirming}
              onChange={askToComplete}
              disabled={isFrozen && phase !== 'retrying'}
            />
            <Button
              className={styles.complete}
              data-form-bar
              onClick={askToComplete}
              disabled={isFrozen && phase !== 'retrying'}
            >
              Complete Audit
            </Button>
            <StatusLine status={withLeftOut(status, leftOut)} />
            {phase === 'saved' && next}
          </AuditSection>
        </div>
      </AuditColumns>

      <ConfirmDialog
        isOpen={isConfirming}
        title="Confirm Completion"
        confirm="Confirm"
        isBusy={busy === 'complete' || isWaitingForPhotos}
        onConfirm={complete}
        onCancel={() => {
          setConfirming(false);
          setWaitingForPhotos(false);
        }}
      >
        Are you sure you want to mark this audit as completed? This cannot be undone and is recorded under{' '}
        <Name>{showName(username)}</Name>.{isChanged && ' Your unsaved changes will be saved too.'}
        {audit.data.source?.thing !== 'lesson' && (
          <Stack mt="md">
            <Textarea {...field('done_note')} label="What was done (optional)" rows={3} maxLength={textLimits.note} />
            <PhotoField
              {...field('done_photos')}
              label="Photos (optional)"
              emptyText={`No photos of what was done yet.${
                values.photos.length > 0 || isPreparingAttachments
                  ? ' Those that you added under Attachments are saved too.'
                  : ''
              }`}
              use="audit"
              max={maxDonePhotos}
              form={`${name} done`}
            />
          </Stack>
        )}
        <StatusLine status={isWaitingForPhotos ? processing : undefined} />
      </ConfirmDialog>
      {conflict && (
        <ConflictDialog
          title="Someone else has changed this audit"
          text="Your changes are not lost. Choose which version to keep."
          differences={listDifferences(edits.changes, conflict.current)}
          isBusy={busy !== undefined}
          onKeepMine={() => saveOwnVersion(conflict)}
          onKeepTheirs={() => actions.acceptOtherVersion(conflict.current)}
          onClose={actions.dismissConflict}
        />
      )}
    </form>
  );
}

const textNames = ['title', ...auditTextNames, 'is_urgent'] as const;

const processing: Status = {
  kind: 'progress',
  text: processingImagesText,
  hint: 'The audit is completed when they are ready. Stay on this screen.',
};
