import { Button, Checkbox, Group, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { api } from '#shared/api.ts';
import { NewAudit } from '#shared/audits.ts';
import { limits } from '#shared/choices.ts';
import { callApiWithRetry } from '../client/api.ts';
import { useUser } from '../client/session.ts';
import { PhotoField, PROCESSING_IMAGES } from '../photos/PhotoField.tsx';
import { uploadPhotos } from '../photos/uploadPhotos.ts';
import { DateField, TimeField } from '../ui/DateField.tsx';
import { type Faults, faultsOf, focusFirstFault, withoutFaults } from '../ui/faults.ts';
import { newKey } from '../ui/newKey.ts';
import { type Status, StatusLine } from '../ui/StatusLine.tsx';
import { AssigneeField } from './AssigneeField.tsx';
import { type AuditDraft, toNewAudit } from './auditDraft.ts';
import styles from './CreateAuditForm.module.css';
import { isRefusal, uploadFault } from './messages.ts';

type CreateAuditFormProps = {
  folderId: string;
  found: AuditDraft;
  keep: (draft: AuditDraft) => void;
  wipe: () => void;
};

export function CreateAuditForm({ folderId, found, keep, wipe }: CreateAuditFormProps) {
  const { username } = useUser();
  const navigate = useNavigate();
  const [draft, setDraft] = useState(found);
  const [faults, setFaults] = useState<Faults>({});
  const [status, setStatus] = useState<Status>();
  const [isPreparing, setPreparing] = useState(false);
  const [isSending, setSending] = useState(false);
  const isDone = status?.kind === 'success';
  const folder = `/audit-folders/${folderId}`;

  const set = (change: Partial<AuditDraft>) => setDraft((draft) => ({ ...draft, ...change }));
  const edit = (change: Partial<AuditDraft>) => {
    set(change);
    setFaults((faults) => withoutFaults(faults, ...Object.keys(change)));
  };

  // What is typed survives a reload.
  useEffect(() => {
    if (draft !== found && !isDone) keep(draft);
  }, [draft, found, isDone, keep]);

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
    const wrong = faultsOf(NewAudit, toNewAudit(folderId, draft, {}));
    setFaults(wrong);
    const [first] = Object.values(wrong);
    if (first) {
      focusFirstFault(form);
      return fail(first);
    }

    setSending(true);
    setStatus({ kind: 'progress', text: PROCESSING_IMAGES });
    const { paths, failures } = await uploadPhotos(draft.photos, draft.uploaded);
    set({ uploaded: paths });
    if (failures.length > 0) return fail(uploadFault(failures, Object.keys(paths).length));

    setStatus({ kind: 'progress', text: 'Creating the audit...' });
    try {
      await callApiWithRetry(api.createAudit, { body: toNewAudit(folderId, draft, paths), key: draft.key });
      wipe();
      setStatus({ kind: 'success', text: 'Audit created successfully! Redirecting...' });
    } catch (error) {
      if (!isRefusal(error)) return fail('Failed to create audit. Please try again.');
      // They waited too long and were cleared away; the next try uploads them anew.
      if (error.code === 'FILE_USED') set({ uploaded: {} });
      setFaults(error.fields);
      if (error.code !== 'KEY_REUSED') return fail(error.message);
      // It got through the first time, and was changed since.
      set({ key: newKey() });
      fail(`${error.message} Create it again only if what you have changed since is to be an audit of its own.`);
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
        error={faults.title}
      />
      <TextInput
        label="Location"
        maxLength={200}
        value={draft.location}
        onChange={(event) => edit({ location: event.currentTarget.value })}
        error={faults.location}
      />
      <div className={styles.pair}>
        <DateField label="Date" value={draft.date} onChange={(date) => edit({ date })} error={faults.date} />
        <TimeField label="Time" value={draft.time} onChange={(time) => edit({ time })} error={faults.time} />
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
        error={faults.assignee}
      />
      <Textarea
        label="Description"
        rows={4}
        maxLength={5000}
        value={draft.description}
        onChange={(event) => edit({ description: event.currentTarget.value })}
        error={faults.description}
      />
      <PhotoField
        label="Upload Files"
        use="audit"
        photos={draft.photos}
        onChange={(photos) => edit({ photos })}
        onBusyChange={setPreparing}
        disabled={isSending}
      />
      <StatusLine status={isPreparing ? { kind: 'progress', text: PROCESSING_IMAGES } : status} />
      <Group>
        <Button type="submit" loading={isSending && !isDone} disabled={isPreparing || isDone}>
          Create Audit
        </Button>
        <Button variant="default" component={Link} to={folder} onClick={wipe}>
          Cancel
        </Button>
      </Group>
    </form>
  );
}
