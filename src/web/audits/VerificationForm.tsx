// The verification of a completed audit, by someone who did not do the work.
import { Button, Textarea } from '@mantine/core';
import { useEffect, useState } from 'react';
import { api } from '#shared/api.ts';
import { type Audit, outcomeLabels, type VerificationOutcome } from '#shared/audits.ts';
import { textLimits } from '#shared/choices.ts';
import { callApiWithRetry } from '../client/api.ts';
import { useUser } from '../client/session.ts';
import { findUnsavedVariables } from '../client/useSave.ts';
import { createDraft } from '../drafts/draftStore.ts';
import { useForm } from '../forms/useForm.ts';
import { PhotoField } from '../photos/PhotoField.tsx';
import type { PreparedPhoto } from '../photos/preparePhoto.ts';
import { useIsPreparing } from '../photos/preparing.ts';
import { uploadForSave } from '../photos/uploadForSave.ts';
import type { UploadedPaths } from '../photos/uploadPhotos.ts';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import styles from './AuditFollowUp.module.css';
import { Section } from './AuditSections.tsx';
import { OutcomeChoice } from './OutcomeChoice.tsx';

type Values = { outcome: VerificationOutcome | ''; text: string; photos: PreparedPhoto[] };
type Variables = Values & { uploaded: UploadedPaths };

const empty: Values = { outcome: '', text: '', photos: [] };

/** The form for an audit that waits for its verification; for those who did the work, what it waits for. */
export function VerificationForm({ audit: { id, data } }: { audit: Audit }) {
  const user = useUser();
  const [draft] = useState(() => createDraft<Values>(user.id, `verification/${id}`));
  const [start, setStart] = useState<Values>();
  useEffect(() => {
    draft.find().then(
      (found) => setStart(found ?? empty),
      () => setStart(empty),
    );
  }, [draft]);

  if (!data.verification?.by) return null;
  const isWorker = data.completed_by === user.username || data.assignee_id === user.id;
  return (
    <Section title="Was It Put Right?">
      {isWorker ? (
        <p className={styles.text}>Someone else looks at it, because you completed it or it was assigned to you.</p>
      ) : (
        start && <Fields auditId={id} draft={draft} start={start} />
      )}
    </Section>
  );
}

type FieldsProps = { auditId: string; draft: ReturnType<typeof createDraft<Values>>; start: Values };

function Fields({ auditId, draft, start }: FieldsProps) {
  const name = `verification of ${auditId}`;
  const form = useForm<Values, unknown, Variables>(name, {
    start,
    check: ({ outcome, text, photos }) => ({
      ...(outcome === '' && { outcome: 'Choose Works or Does Not Work' }),
      ...(text.trim() === '' && photos.length === 0 && { text: 'Write a note or add a photo' }),
    }),
    toChanges(values, changes) {
      // Input survives a reload.
      draft.save({ ...values, ...changes });
      return changes;
    },
    toSent: (values): Variables => ({
      ...values,
      uploaded: findUnsavedVariables<Variables>(name)?.uploaded ?? {},
    }),
    async send({ outcome, text, photos, uploaded }, key) {
      const paths = await uploadForSave(photos, uploaded);
      const media_files = photos.map(({ id, name }) => ({ path: paths[id] ?? '', name }));
      const body = { outcome: outcome as VerificationOutcome, text, media_files };
      return callApiWithRetry(api.verifyAudit, { params: { id: auditId }, body, key });
    },
    onSaved: () => void draft.delete(),
  });
  const isPreparing = useIsPreparing([name]);

  return (
    <form {...form.props} className={styles.form}>
      <OutcomeChoice
        name={name}
        labels={outcomeLabels}
        description="“Does Not Work” creates a follow-up audit."
        {...form.field('outcome')}
      />
      <Textarea
        {...form.field('text')}
        label="What you saw"
        description="A note or a photo is needed. It cannot be changed later."
        rows={3}
        maxLength={textLimits.description}
      />
      <PhotoField label="Photos of what you saw" use="audit" {...form.field('photos')} form={name} />
      <ErrorBox
        message={form.failure ? 'The verification could not be saved. It is still here.' : ''}
        reason={form.failure?.message}
      />
      <Button type="submit" disabled={isPreparing} loading={form.isSaving}>
        Save Verification
      </Button>
    </form>
  );
}
