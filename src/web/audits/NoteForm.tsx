// The forms for a note on an audit and for its verification, both with photos.
import { Textarea } from '@mantine/core';
import { api } from '#shared/api.ts';
import { type Audit, outcomeLabels, type VerificationOutcome } from '#shared/audits.ts';
import { textLimits } from '#shared/choices.ts';
import { callApiWithRetry } from '../client/api.ts';
import { useUser } from '../client/session.ts';
import { formNames } from '../formNames.ts';
import { InlineForm } from '../forms/InlineForm.tsx';
import { useForm } from '../forms/useForm.ts';
import { PhotoField } from '../photos/PhotoField.tsx';
import type { PreparedPhoto } from '../photos/preparePhoto.ts';
import { useIsPreparing } from '../photos/preparing.ts';
import { uploadForSave } from '../photos/uploadForSave.ts';
import styles from './AuditFollowUp.module.css';
import { AuditSection } from './AuditSections.tsx';
import { OutcomeChoice } from './OutcomeChoice.tsx';

type Values = { outcome: VerificationOutcome | ''; text: string; photos: PreparedPhoto[] };

const empty: Values = { outcome: '', text: '', photos: [] };
const kinds = {
  note: {
    label: 'Note',
    description: 'Notes cannot be changed or deleted.',
    photos: 'Photos of the note',
    submit: 'Add Note',
    failed: 'The note could not be added. What you entered is still here.',
  },
  verification: {
    label: 'What you saw',
    description: 'A note or a photo is needed. The verification cannot be changed later.',
    photos: 'Photos of what you saw',
    submit: 'Save Verification',
    failed: 'The verification could not be saved. What you entered is still here.',
  },
};

/** The form to verify a completed audit. Those who did the work see that someone else verifies it. */
export function VerificationForm({ audit: { id, data } }: { audit: Audit }) {
  const user = useUser();
  if (!data.verification?.by) return null;
  const isOwnWork = data.completed_by === user.username || data.assignee_id === user.id;
  return (
    <AuditSection title="Was It Put Right?">
      {isOwnWork ? (
        <p className={styles.text}>Someone else verifies it, because you completed it or it was assigned to you.</p>
      ) : (
        <NoteForm kind="verification" auditId={id} />
      )}
    </AuditSection>
  );
}

const names = { note: formNames.auditNote, verification: formNames.verification };
export const getNoteFormName = names.note;

type NoteFormProps = { auditId: string; kind?: keyof typeof kinds; onSaved?: () => void };

export function NoteForm({ auditId, kind = 'note', onSaved }: NoteFormProps) {
  const formName = names[kind](auditId);
  const { name } = formName;
  const form = useForm<Values>(formName, {
    start: empty,
    check: ({ outcome, text, photos }) => ({
      ...(kind === 'verification' && outcome === '' && { outcome: 'Choose Works or Does Not Work' }),
      ...(text.trim() === '' && photos.length === 0 && { text: 'Write a note or add a photo' }),
    }),
    async send({ outcome, text, photos }, key) {
      const paths = await uploadForSave(photos);
      const note = { text, media_files: photos.map(({ id, name }) => ({ path: paths[id] ?? '', name })) };
      const params = { id: auditId };
      if (outcome) return callApiWithRetry(api.verifyAudit, { params, body: { ...note, outcome }, key });
      return callApiWithRetry(api.addAuditNote, { params, body: note, key });
    },
    onSaved,
  });
  const isPreparing = useIsPreparing([name]);
  const { label, description, photos, submit, failed } = kinds[kind];
  return (
    <InlineForm form={form} submit={submit} failed={failed} isDisabled={isPreparing}>
      {kind === 'verification' && (
        <OutcomeChoice
          labels={outcomeLabels}
          description="“Does Not Work” creates a follow-up audit."
          {...form.field('outcome')}
        />
      )}
      <Textarea
        {...form.field('text')}
        label={label}
        description={description}
        data-autofocus={kind === 'note' || undefined}
        rows={3}
        maxLength={textLimits.description}
      />
      <PhotoField label={photos} use="audit" {...form.field('photos')} form={name} />
    </InlineForm>
  );
}
