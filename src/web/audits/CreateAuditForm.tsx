import { Button, Checkbox, Group, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { api } from '#shared/api.ts';
import { NewAudit } from '#shared/audits.ts';
import { limits } from '#shared/choices.ts';
import { callApiWithRetry } from '../client/api.ts';
import { useUser } from '../client/session.ts';
import { newUuid } from '../newUuid.ts';
import { PhotoField, PROCESSING_IMAGES } from '../photos/PhotoField.tsx';
import { uploadPhotos } from '../photos/uploadPhotos.ts';
import { type Status, StatusLine } from '../ui/feedback/StatusLine.tsx';
import { joinSentences } from '../ui/feedback/sentences.ts';
import { DateField, TimeField } from '../ui/forms/DateField.tsx';
import { type FieldErrors, focusFirstError, getFieldErrors, withoutFaults } from '../ui/forms/fieldErrors.ts';
import { AssigneeField } from './AssigneeField.tsx';
import { type AuditDraft, toNewAudit } from './auditDraft.ts';
import styles from './CreateAuditForm.module.css';
import { getUploadError, isClientError } from './messages.ts';

type CreateAuditFormProps = {
  folderId: string;
  found: AuditDraft;
  saveDraft: (draft: AuditDraft) => void;
  discardDraft: () => void;
};

export function CreateAuditForm({ folderId, found, saveDraft, discardDraft }: CreateAuditFormProps) {
  const { username } = useUser();
  const navigate = useNavigate();
  const [draft, setDraft] = useState(found);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [status, setStatus] = useState<Status>();
  const [isPreparing, setPreparing] = useState(false);
  const [isSending, setSending] = useState(false);
  const isDone = status?.kind === 'success';
  const folder = `/audit-folders/${folderId}`;

  const set = (change: Partial<AuditDraft>) => setDraft((draft) => ({ ...draft, ...change }));
  const edit = (change: Partial<AuditDraft>) => {
    set(change);
    setErrors((errors) => withoutFaults(errors, ...Object.keys(change)));
  };

  // Input survives a reload.
  useEffect(() => {
    if (draft !== found && !isDone) saveDraft(draft);
  }, [draft, found, isDone, saveDraft]);

  useEffect(() => {
    if (!isDone) return;
    const timer = setTimeout(() => navigate(folder, { replace: true }), limits.feedbackMs);
    return () => clearTimeout(timer);
  }, [isDone, navigate, folder]);

  const fail = (text: string) => {
    setStatus({ kind: 'error', text });
    setSending(false);
  };

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    if (isSending || isPreparing || isDone) return;
    const wrong = getFieldErrors(NewAudit, toNewAudit(folderId, draft, {}));
    setErrors(wrong);
    const [first] = Object.values(wrong);
    if (first) {
      focusFirstError(form);
      return fail(first);
    }

    setSending(true);
    setStatus({ kind: 'progress', text: PROCESSING_IMAGES });
    const { paths, failures } = await uploadPhotos(draft.photos, draft.uploaded);
    set({ uploaded: paths });
    if (failures.length > 0) return fail(getUploadError(failures, Object.keys(paths).length));

    setStatus({ kind: 'progress', text: 'Creating the audit...' });
    try {
      await callApiWithRetry(api.createAudit, { body: toNewAudit(folderId, draft, paths), key: draft.key });
      discardDraft();
      setStatus({ kind: 'success', text: 'Audit created successfully! Redirecting...' });
    } catch (error) {
      if (!isClientError(error)) return fail('Failed to create audit. Please try again.');
      // The unattached uploads were deleted; the next attempt uploads the photos again.
      if (error.code === 'FILE_USED') set({ uploaded: {} });
      setErrors(error.fields);
      if (error.code !== 'KEY_REUSED') return fail(error.message);
      // The first attempt succeeded, and the input was changed since.
      set({ key: newUuid() });
      fail(joinSentences(error.message, 'Only create it again if you want a second audit.'));
    }
  };

  return (
    <form onSubmit={submit} noValidate className={styles.form}>
      <TextInput
        label="Title"
        required
        maxLength={200}
        value={draft.title}
        onChange={(event) => edit({ title: event.currentTarget.value })}
        error={errors.title}
      />
      <TextInput
        label="Location"
        maxLength={200}
        value={draft.location}
        onChange={(event) => edit({ location: event.currentTarget.value })}
        error={errors.location}
      />
      <div className={styles.pair}>
        <DateField label="Date" value={draft.date} onChange={(date) => edit({ date })} error={errors.date} />
        <TimeField label="Time" value={draft.time} onChange={(time) => edit({ time })} error={errors.time} />
      </div>
      <div className={styles.ticks}>
        <Checkbox
          label="Urgent?"
          checked={draft.is_urgent}
          onChange={(event) => edit({ is_urgent: event.currentTarget.checked })}
        />
        <Checkbox
          label="Mark as already completed"
          description={`It will be recorded as completed by ${username}.`}
          checked={draft.completed}
          onChange={(event) => edit({ completed: event.currentTarget.checked })}
        />
      </div>
      <AssigneeField
        label="Person who should complete this job"
        folderId={folderId}
        value={draft.assignee}
        onChange={(assignee) => edit({ assignee })}
        error={errors.assignee}
      />
      <Textarea
        label="Description"
        rows={4}
        maxLength={5000}
        value={draft.description}
        onChange={(event) => edit({ description: event.currentTarget.value })}
        error={errors.description}
      />
      <PhotoField
        label="Upload Files"
        use="audit"
        photos={draft.photos}
        onChange={(photos) => edit({ photos })}
        onBusyChange={setPreparing}
        disabled={isSending}
      />
      <StatusLine hasErrorColour status={isPreparing ? { kind: 'progress', text: PROCESSING_IMAGES } : status} />
      <Group>
        <Button type="submit" loading={isSending && !isDone} disabled={isPreparing || isDone}>
          Create Audit
        </Button>
        <Button variant="default" component={Link} to={folder} onClick={discardDraft}>
          Cancel
        </Button>
      </Group>
    </form>
  );
}
