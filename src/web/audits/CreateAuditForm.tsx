import { Button, Checkbox, Group, TextInput } from '@mantine/core';
import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { type AuditTextName, auditTextNames, auditTexts } from '#shared/audit-fields.ts';
import { type Folder, NewAudit } from '#shared/audits.ts';
import { limits, textLimits } from '#shared/choices.ts';
import { useNames } from '../client/names.ts';
import { useUser } from '../client/session.ts';
import { createDraft } from '../drafts/draftStore.ts';
import { EarlierOutcome, Outcome } from '../outbox/Outcome.tsx';
import { submit } from '../outbox/outbox.ts';
import { useOutboxForm } from '../outbox/useOutboxForm.ts';
import type { useSubmission } from '../outbox/useSubmission.ts';
import { PeoplePicker } from '../people/PeoplePicker.tsx';
import { PhotoField } from '../photos/PhotoField.tsx';
import { cancelPreparation } from '../photos/preparing.ts';
import type { Status } from '../ui/feedback/StatusLine.tsx';
import { bindFields } from '../ui/forms/bindFields.ts';
import { DateField, TimeField } from '../ui/forms/DateField.tsx';
import { getFieldErrors } from '../ui/forms/fieldErrors.ts';
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
  const { submission } = outboxState;
  const { phase } = submission;
  const form = useOutboxForm({
    name: stored.key,
    outboxState,
    startItemId: submittedItemId,
    describe: (isFromThisForm) => getAuditStatus(submission, isFromThisForm),
    keepsEarlier: true,
    photoNames: [stored.key],
    check: () => getFieldErrors(NewAudit, toNewAudit(folder.id, draft)),
    isAboutPhotos: (field) => field === 'photos',
    describeErrors: (errors) => ({ kind: 'error', text: Object.values(errors)[0] ?? '' }),
    async store(refused) {
      stored.stop();
      const submitted = createSubmission(folder, draft, user, refused?.id);
      const { isStored } = await submit(submitted, { drafts: stored.keys, replaces: refused?.id });
      // The draft is kept until the server has received it.
      if (!isStored) stored.save({ ...draft, key: submitted.id });
      return submitted.id;
    },
    describeFailure() {
      stored.save(draft);
      return storageFullStatus;
    },
    explain(item, error) {
      const { media_files = '', ...fields } = error.fields;
      const photos = getPhotoError(item, error) || media_files;
      return { errors: { ...fields, ...(photos && { photos }) } };
    },
    onDone() {
      // When the audit waits for a connection, the fields are cleared for the next one.
      if (phase !== 'saved') return;
      setDraft(createAuditDraft());
      form.startNext();
    },
    onReload,
  });
  const { isFrozen, isPreparing } = form;
  const isCreated = form.isDone && phase === 'sent';
  const folderPath = `/audit-folders/${folder.id}`;

  const edit = (change: Partial<AuditDraft>) => {
    const next = { ...draft, ...change, ...form.sentKey };
    setDraft(next);
    // Input survives a reload.
    stored.save(next);
    form.setNotice(undefined);
    form.touch(...Object.keys(change), ...('verifyDays' in change ? ['verification.days'] : []));
  };
  const { field, checkbox } = bindFields(draft, form.errors, edit);

  const leavePage = useEffectEvent(() => {
    outboxState.leave();
    navigate(folderPath, { replace: true });
  });
  useEffect(() => {
    if (!isCreated) return;
    const timer = setTimeout(leavePage, limits.feedbackMs);
    return () => clearTimeout(timer);
  }, [isCreated]);

  const discard = () => {
    cancelPreparation(stored.key);
    void stored.delete();
  };

  const renderTexts = (names: AuditTextName[]) =>
    names.map((name) => (
      <AuditTextField
        key={name}
        {...field(name)}
        name={name}
        {...(name === 'assignee' && { label: 'Person who should complete this job' })}
        park={folder.park}
        rows={4}
      />
    ));

  return (
    <form {...form.props} className={styles.form}>
      <EarlierOutcome form={form} label="Last audit" />
      <fieldset className={styles.fields} disabled={isFrozen || isCreated}>
        <TextInput {...field('title')} label="Title" required maxLength={textLimits.line} />
        {renderTexts(lineNames)}
        <div className={styles.pair}>
          <DateField {...field('date')} label="Date" />
          <TimeField {...field('time')} label="Time" />
        </div>
        <div className={styles.checkboxes}>
          <Checkbox {...checkbox('is_urgent')} label="Urgent?" />
          <Checkbox
            {...checkbox('completed')}
            label="Mark as already completed"
            description={`It will be recorded as completed by ${showName(user.username)}.`}
          />
          <Checkbox
            {...checkbox('isVerified')}
            label="Someone else verifies it"
            description="After it is completed, someone who did not do the work says whether it was put right."
          />
        </div>
        {draft.isVerified && (
          <div className={styles.pair}>
            <TextInput
              {...field('verifyDays')}
              label="Days until it is verified"
              description="From its completion"
              inputMode="numeric"
              error={form.errors['verification.days']}
            />
            <PeoplePicker
              {...field('verifier')}
              label="Person who should verify it"
              description="Leave it empty for anyone who did not do the work"
              park={folder.park}
            />
          </div>
        )}
        {renderTexts(otherNames)}
        <PhotoField
          {...field('photos')}
          // A new key also clears the messages about the photos.
          key={form.resetCount}
          label="Upload Files"
          use="audit"
          form={stored.key}
          disabled={isFrozen || isCreated}
        />
      </fieldset>
      <Outcome form={form} />
      <Group>
        <Button type="submit" loading={form.isSending} disabled={isPreparing || isCreated}>
          Create Audit
        </Button>
        <Button variant="default" component={Link} to={folderPath} onClick={discard}>
          Cancel
        </Button>
      </Group>
    </form>
  );
}

const lineNames = auditTextNames.filter((name) => auditTexts[name].kind === 'line');
const otherNames = auditTextNames.filter((name) => !lineNames.includes(name));

const storageFullStatus: Status = {
  kind: 'error',
  text: 'This audit could not be saved: there is no room on this device.',
  hint: 'Everything you entered is still here. Create it again when you are back online.',
};
