import { Button, Checkbox, Group, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { type AuditTextName, auditTextNames, auditTexts } from '#shared/audit-fields.ts';
import { type Folder, NewAudit } from '#shared/audits.ts';
import { limits, textLimits } from '#shared/choices.ts';
import { useNames } from '../client/names.ts';
import { useUser } from '../client/session.ts';
import { createDraft } from '../drafts/draftStore.ts';
import { submit } from '../outbox/outbox.ts';
import { useEarlierSubmission } from '../outbox/useEarlierSubmission.ts';
import { getFormState, type useSubmission } from '../outbox/useSubmission.ts';
import { PhotoField } from '../photos/PhotoField.tsx';
import { cancelPreparation, PROCESSING_IMAGES, useIsPreparing } from '../photos/preparing.ts';
import { type Status, StatusLine } from '../ui/feedback/StatusLine.tsx';
import { DateField, TimeField } from '../ui/forms/DateField.tsx';
import { type FieldErrors, focusFirstError, getFieldErrors, removeErrors } from '../ui/forms/fieldErrors.ts';
import { AuditTextField } from './AuditTextField.tsx';
import { type AuditDraft, createAuditDraft, createSubmission, toNewAudit } from './auditDraft.ts';
import { getAuditStatus, getPhotoError } from './auditStatus.ts';
import styles from './CreateAuditForm.module.css';

type CreateAuditFormProps = {
  folder: Folder;
  initialValues: AuditDraft;
  /** The outbox item with these values, if they were submitted. */
  submittedItemId: string | undefined;
  draftName: string;
  outboxState: ReturnType<typeof useSubmission>;
  onReload: () => void;
};

export function CreateAuditForm(props: CreateAuditFormProps) {
  const { folder, initialValues, submittedItemId, draftName, outboxState, onReload } = props;
  const user = useUser();
  const showName = useNames();
  const [, navigate] = useLocation();
  const stored = useMemo(() => createDraft<AuditDraft>(user.id, draftName), [user.id, draftName]);
  const [draft, setDraft] = useState(initialValues);
  const [itemId, setItemId] = useState(submittedItemId);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [notice, setNotice] = useState<Status>();
  const isPreparing = useIsPreparing([stored.key]);
  const [isStoring, setStoring] = useState(false);
  const [resetCount, setResetCount] = useState(0);
  const form = useRef<HTMLFormElement>(null);
  const { submission } = outboxState;
  const { phase } = submission;
  const { isFromThisForm, isSending, isFrozen, isDone, isChangeable, refused } = getFormState(
    submission,
    itemId,
    isStoring,
  );
  const isCreated = isDone && phase === 'sent';
  const { isEarlier, top } = useEarlierSubmission(submission);
  const folderPath = `/audit-folders/${folder.id}`;

  const edit = (change: Partial<AuditDraft>, ...names: string[]) => {
    // The server stores an audit only once per id, even if an earlier attempt succeeded.
    const next = { ...draft, ...change, ...(isChangeable && { key: submission.item?.id }) };
    setDraft(next);
    // Input survives a reload.
    stored.save(next);
    setErrors((errors) => removeErrors(errors, ...Object.keys(change), ...names));
    setNotice(undefined);
    if (isChangeable) outboxState.withdraw();
    if (!isFromThisForm && phase !== 'none' && !isEarlier) outboxState.leave();
  };

  const leavePage = useEffectEvent(() => {
    outboxState.leave();
    navigate(folderPath, { replace: true });
  });
  useEffect(() => {
    if (!isCreated) return;
    const timer = setTimeout(leavePage, limits.feedbackMs);
    return () => clearTimeout(timer);
  }, [isCreated]);

  // When the audit waits for a connection, the fields are cleared for the next one.
  const clear = useEffectEvent(() => {
    setDraft(createAuditDraft());
    setErrors({});
    setItemId(undefined);
    setResetCount(resetCount + 1);
  });
  useEffect(() => {
    if (isDone && phase === 'saved') clear();
  }, [isDone, phase]);

  const showError = useEffectEvent(() => {
    if (phase !== 'refused' && phase !== 'retrying') return;
    // The audit had waited on the device, so its values are no longer in the fields: load them
    // again.
    if (!isFromThisForm) return phase === 'refused' ? onReload() : undefined;
    const { item, error } = submission;
    const photos = getPhotoError(item, error);
    setErrors({ ...error.fields, ...(photos && { media_files: photos }) });
    if (Object.keys(error.fields).length > 0 && form.current) focusFirstError(form.current);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the state of the submission changes
  useEffect(() => showError(), [phase, isFromThisForm]);

  const send = async () => {
    if (!isFromThisForm && phase !== 'none') outboxState.leave();
    setStoring(true);
    setNotice(undefined);
    stored.stop();
    const submitted = createSubmission(folder, draft, user, refused?.id);
    try {
      const { isStored } = await submit(submitted, { drafts: stored.keys, replaces: refused?.id });
      // The draft is kept until the server has received it; the server stores an audit only once
      // per id.
      if (!isStored) stored.save({ ...draft, key: submitted.id });
      setItemId(submitted.id);
    } catch {
      stored.save(draft);
      setNotice({
        kind: 'error',
        text: 'This audit could not be saved: there is no room on this device.',
        hint: 'Everything you entered is still here. Create it again when you are back online.',
      });
    }
    setStoring(false);
  };

  const discard = () => {
    cancelPreparation(stored.key);
    void stored.delete();
  };

  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isSending || isPreparing || isDone) return;
    if (isFrozen) return outboxState.retry();
    const foundErrors = getFieldErrors(NewAudit, toNewAudit(folder.id, draft));
    setErrors(foundErrors);
    const [first] = Object.values(foundErrors);
    if (!first) return void send();
    focusFirstError(event.currentTarget);
    setNotice({ kind: 'error', text: first });
  };

  const outcome = getAuditStatus(submission, isFromThisForm);
  const status = isPreparing ? processing : (notice ?? (isEarlier ? undefined : outcome));

  const renderTexts = (names: AuditTextName[]) =>
    names.map((name) => (
      <AuditTextField
        key={name}
        name={name}
        {...(name === 'assignee' && { label: 'Person who should complete this job' })}
        park={folder.park}
        rows={4}
        value={draft[name]}
        onChange={(text) => edit({ [name]: text })}
        error={errors[name]}
      />
    ));

  return (
    <form ref={form} onSubmit={onSubmit} noValidate className={styles.form}>
      <section ref={top} tabIndex={-1} aria-label="Last audit" className={styles.earlier} hidden={!isEarlier}>
        <StatusLine status={isEarlier ? outcome : undefined} />
      </section>
      <fieldset className={styles.fields} disabled={isFrozen || isCreated}>
        <TextInput
          label="Title"
          required
          maxLength={textLimits.line}
          value={draft.title}
          onChange={(event) => edit({ title: event.currentTarget.value })}
          error={errors.title}
        />
        {renderTexts(lineNames)}
        <div className={styles.pair}>
          <DateField label="Date" value={draft.date} onChange={(date) => edit({ date })} error={errors.date} />
          <TimeField label="Time" value={draft.time} onChange={(time) => edit({ time })} error={errors.time} />
        </div>
        <div className={styles.checkboxes}>
          <Checkbox
            label="Urgent?"
            checked={draft.is_urgent}
            onChange={(event) => edit({ is_urgent: event.currentTarget.checked })}
          />
          <Checkbox
            label="Mark as already completed"
            description={`It will be recorded as completed by ${showName(user.username)}.`}
            checked={draft.completed}
            onChange={(event) => edit({ completed: event.currentTarget.checked })}
          />
        </div>
        {renderTexts(otherNames)}
        <PhotoField
          // A new key also clears the messages about the photos.
          key={resetCount}
          label="Upload Files"
          use="audit"
          photos={draft.photos}
          onChange={(photos) => edit({ photos }, 'media_files')}
          form={stored.key}
          error={errors.media_files}
          disabled={isFrozen || isCreated}
        />
      </fieldset>
      <StatusLine status={status} />
      <Group>
        <Button type="submit" loading={isSending} disabled={isPreparing || isCreated}>
          Create Audit
        </Button>
        <Button variant="default" component={Link} to={folderPath} onClick={discard}>
          Cancel
        </Button>
      </Group>
    </form>
  );
}

const processing: Status = { kind: 'progress', text: PROCESSING_IMAGES };
const lineNames = auditTextNames.filter((name) => auditTexts[name].kind === 'line');
const otherNames = auditTextNames.filter((name) => !lineNames.includes(name));
