import { Button, Checkbox, Textarea, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api } from '../../shared/api.ts';
import { type Audit, AuditChange } from '../../shared/audits.ts';
import { limits } from '../../shared/choices.ts';
import { CallFailed } from '../../shared/client.ts';
import { queryClient, read, send } from '../api.ts';
import { PhotoField } from '../photos/PhotoField.tsx';
import { uploadPhotos } from '../photos/uploadPhotos.ts';
import { useUser } from '../session.tsx';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import { ConflictDialog } from '../ui/ConflictDialog.tsx';
import { ErrorBox } from '../ui/ErrorBox.tsx';
import { type Faults, faultsOf, focusFirstFault } from '../ui/faults.ts';
import type { useFeedback } from '../ui/useFeedback.ts';
import { AssigneeField } from './AssigneeField.tsx';
import styles from './AuditDetail.module.css';
import { AuditHeading } from './AuditHeading.tsx';
import { AuditRecord } from './AuditRecord.tsx';
import { Attachments, CurrentlySet, Section } from './AuditSections.tsx';
import { changeOf, differencesOf } from './auditChange.ts';
import { mediaOf } from './auditDraft.ts';
import { isRefusal, uploadFault } from './messages.ts';
import { Tag } from './Tag.tsx';
import { type EditsDraft, type Fields, useAuditEdits } from './useAuditEdits.ts';

/** What is saved together, and what is said of it (§8). */
const acts: Record<'save' | 'schedule' | 'complete', { names: (keyof Fields)[]; done: string; failed: string }> = {
  save: {
    names: ['title', 'location', 'assignee', 'description', 'is_urgent', 'photos'],
    done: 'Audit updated successfully',
    failed: 'Failed to update audit',
  },
  schedule: {
    names: ['date', 'time'],
    done: 'Date and time updated successfully',
    failed: 'Failed to update date and time',
  },
  complete: {
    names: ['title', 'location', 'assignee', 'description', 'is_urgent', 'photos', 'date', 'time'],
    done: 'Audit marked as completed successfully',
    failed: 'Failed to mark audit as completed',
  },
};
type Act = keyof typeof acts;

const byField = (faults: Faults): Faults =>
  Object.fromEntries(Object.entries(faults).map(([name, text]) => [name.replace('data.', ''), text]));

type AuditEditorProps = {
  audit: Audit;
  draft: EditsDraft;
  said: ReturnType<typeof useFeedback>;
  toast: ReturnType<typeof useFeedback>;
};

/** An audit to be changed until it is completed, and to be read from then on. */
export function AuditEditor({ audit, draft, said, toast }: AuditEditorProps) {
  const { username } = useUser();
  const edits = useAuditEdits(audit, draft);
  const update = useMutation(send(api.updateAudit));
  const [faults, setFaults] = useState<Faults>({});
  const [reason, setReason] = useState('');
  const [conflict, setConflict] = useState<{ current: Audit; act: Act }>();
  const [isPutOff, setPutOff] = useState(false);
  const [isConfirming, setConfirming] = useState(false);
  const [isPreparing, setPreparing] = useState(false);
  const [busy, setBusy] = useState<Act>();
  const { values, set } = edits;
  const isChanged = Object.keys(edits.changes).length > 0;
  const params = { id: audit.id };
  const show = (audit: Audit) => queryClient.setQueryData(read(api.getAudit, { params }).queryKey, audit);

  /** Sends what was changed on top of the version the changes began with, or of `onto`, which a conflict showed. */
  const perform = async (act: Act, onto?: Audit) => {
    const { names, done, failed } = acts[act];
    const speak = act === 'save' ? toast : said;
    const sent = names.filter((name) => edits.changes[name] !== undefined);
    setBusy(act);
    setFaults({});
    setReason('');
    try {
      const photos = names.includes('photos') ? values.photos : [];
      const { paths, failures } = await uploadPhotos(photos, edits.uploaded);
      if (photos.length > 0) edits.setUploaded(paths);
      if (failures.length > 0) {
        setFaults({ photos: uploadFault(failures, Object.keys(paths).length) });
        throw new CallFailed(0, '');
      }
      const change = changeOf(sent, values, onto ?? audit, mediaOf(photos, paths));
      if (act === 'complete') change.data.completed = true;
      const version = onto?.version ?? edits.version;
      const saved = await update.mutateAsync({ params, body: { ...change, version } });
      edits.settle(sent, saved.version);
      show(saved);
      setConflict(undefined);
      speak.say(done);
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error;
      if (error.code === 'FILE_USED') edits.setUploaded({});
      const current = error.body.current as Audit | undefined;
      if (current && isChanged && !current.data.completed) return setConflict({ current, act });
      setConflict(undefined);
      if (current) show(current);
      speak.sayError(failed);
      if (!isRefusal(error)) return;
      setReason(error.message);
      setFaults(byField(error.fields));
    } finally {
      setBusy(undefined);
      setConfirming(false);
    }
  };

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy || isPreparing) return;
    const wrong = faultsOf(AuditChange, changeOf(acts.save.names, values, audit, []));
    setFaults(byField(wrong));
    if (Object.keys(wrong).length > 0) return focusFirstFault(event.currentTarget);
    void perform('save');
  };

  const keepTheirs = (current: Audit) => {
    edits.takeTheirs(current);
    show(current);
    setConflict(undefined);
  };

  // It may be completed by somebody else at any moment: what was typed here does not just vanish.
  if (audit.data.completed)
    return (
      <>
        <AuditRecord audit={audit} />
        {isChanged && !isPutOff && (
          <ConflictDialog
            title="This audit was completed meanwhile"
            text="Somebody else has completed this audit, so it can no longer be changed. You can copy what you typed."
            differences={differencesOf(edits.changes, audit)}
            onKeepTheirs={() => keepTheirs(audit)}
            onClose={() => setPutOff(true)}
          />
        )}
      </>
    );

  const emptyText = (text: string, otherwise: string) => (text.trim() ? undefined : otherwise);
  return (
    <form onSubmit={submit} noValidate>
      <AuditHeading audit={audit}>
        <Button
          type="submit"
          className={styles.save}
          data-unsaved={isChanged || undefined}
          loading={busy === 'save'}
          disabled={isPreparing}
        >
          Save Changes
        </Button>
      </AuditHeading>
      <ErrorBox message={reason} />

      <div className={styles.columns}>
        <div className={styles.column}>
          <Section>
            <TextInput
              label="Title"
              required
              maxLength={200}
              value={values.title}
              onChange={(event) => set('title', event.currentTarget.value)}
              error={faults.title}
            />
            <TextInput
              label="Location"
              maxLength={200}
              value={values.location}
              onChange={(event) => set('location', event.currentTarget.value)}
              description={emptyText(values.location, 'Not specified')}
              error={faults.location}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
            />
            <AssigneeField
              label="Assignee"
              folderId={audit.folder_id}
              value={values.assignee}
              onChange={(assignee) => set('assignee', assignee)}
              description={emptyText(values.assignee, 'Not assigned')}
              error={faults.assignee}
            />
            <Textarea
              label="Description"
              rows={6}
              maxLength={5000}
              value={values.description}
              onChange={(event) => set('description', event.currentTarget.value)}
              description={emptyText(values.description, 'No description provided')}
              error={faults.description}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
            />
            <Checkbox
              label="Urgent?"
              checked={values.is_urgent}
              onChange={(event) => set('is_urgent', event.currentTarget.checked)}
            />
          </Section>

          <Attachments audit={audit}>
            <PhotoField
              label="Add attachments"
              description="They become part of the audit when you save."
              use="audit"
              accept="image/*,video/*,.heic,.heif"
              notAnImage="Only image files are supported"
              max={limits.photos - audit.data.media_files.length}
              photos={values.photos}
              onChange={(photos) => set('photos', photos)}
              onBusyChange={setPreparing}
              error={faults.photos}
              disabled={busy !== undefined}
            />
          </Attachments>
        </div>

        <div className={styles.column}>
          <Section title="Status">
            <Tag of="pending" />
          </Section>

          <Section title="Date & Time">
            <TextInput
              label="Date"
              type="date"
              value={values.date}
              onChange={(event) => set('date', event.currentTarget.value)}
              error={faults.date}
            />
            <TextInput
              label="Time"
              type="time"
              value={values.time}
              onChange={(event) => set('time', event.currentTarget.value)}
              error={faults.time}
            />
            <Button variant="default" loading={busy === 'schedule'} onClick={() => perform('schedule')}>
              Update
            </Button>
            <CurrentlySet audit={audit} />
          </Section>

          <Section title="Complete this audit">
            <p className={styles.note}>
              Completing cannot be undone. It is recorded under your name, <b>{username}</b>.
            </p>
            <Checkbox
              label="Mark as completed"
              checked={isConfirming}
              onChange={() => setConfirming(true)}
              disabled={isPreparing}
            />
            <Button onClick={() => setConfirming(true)} disabled={isPreparing}>
              Complete Audit
            </Button>
          </Section>
        </div>
      </div>

      <ConfirmDialog
        isOpen={isConfirming}
        title="Confirm Completion"
        confirm="Confirm"
        isBusy={busy === 'complete'}
        onConfirm={() => perform('complete')}
        onCancel={() => setConfirming(false)}
      >
        Are you sure you want to mark this audit as completed? This cannot be undone and is recorded under {username}.
        {isChanged && ' Your unsaved changes are saved with it.'}
      </ConfirmDialog>
      {conflict && (
        <ConflictDialog
          title="This audit was changed meanwhile"
          text="Somebody else has changed this audit since you opened it. Nothing of yours is lost: choose what to keep."
          differences={differencesOf(edits.changes, conflict.current)}
          isBusy={busy !== undefined}
          onKeepMine={() => perform(conflict.act, conflict.current)}
          onKeepTheirs={() => keepTheirs(conflict.current)}
          onClose={() => setConflict(undefined)}
        />
      )}
    </form>
  );
}
