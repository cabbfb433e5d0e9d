// A form that creates an audit from a report or from a message of a guest, with some of its photos.
import { Checkbox, NativeSelect, Text, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api } from '#shared/api.ts';
import { textLimits } from '#shared/choices.ts';
import { cutOffText } from '#shared/cut-off.ts';
import { needsReasonMessage } from '#shared/places/messages.ts';
import { previewUrl, type StoredMediaFile } from '#shared/uploads.ts';
import { callApiWithRetry, queryFor } from '../client/api.ts';
import { QueryState } from '../client/QueryState.tsx';
import { formNames } from '../formNames.ts';
import { InlineForm } from '../forms/InlineForm.tsx';
import { useForm } from '../forms/useForm.ts';
import styles from './ReportAudits.module.css';

type NewAuditFields = {
  folder_id: string;
  title: string;
  description: string;
  is_urgent: boolean;
  photos: string[];
  /** For the sender of a message. */
  answer: string;
  /** Why there is no report of someone who was hurt. */
  reason: string;
};

type NewAuditFormProps = {
  source: { thing: 'report' | 'message'; id: string };
  park: string;
  location: string;
  placeId?: string;
  start: { title: string; description: string; is_urgent?: boolean };
  /** Says what must not be in the audit. */
  hint: string;
  /** Whether a message says that someone was hurt. */
  wasHurt?: boolean;
  photos: StoredMediaFile[];
  onCreated?: () => void;
  onDone: () => void;
};

/** Returns the name of the form, under which its input is kept. */
export const getAuditFormName = formNames.auditFrom;

export function NewAuditForm({
  source,
  park,
  location,
  placeId,
  start: { title, description, is_urgent = false },
  hint,
  wasHurt = false,
  photos: files,
  onCreated,
  onDone,
}: NewAuditFormProps) {
  const isFromMessage = source.thing === 'message';
  const folders = useQuery(queryFor(api.listFolders));
  const choices = (folders.data ?? [])
    .filter((folder) => folder.park === park)
    .map(({ id, name }) => ({ value: id, label: name }));
  if (isFromMessage) choices.unshift({ value: '', label: 'Hazards' });
  const form = useForm<NewAuditFields>(getAuditFormName(source.id), {
    start: {
      folder_id: choices[0]?.value ?? '',
      title: [...title].slice(0, textLimits.line).join(''),
      description,
      is_urgent,
      photos: [],
      answer: '',
      reason: '',
    },
    check: ({ title, reason }) => ({
      ...(title.trim() === '' && { title: 'Title is required' }),
      ...(wasHurt && reason.trim() === '' && { reason: needsReasonMessage }),
    }),
    send: ({ photos, answer, reason, folder_id, ...fields }, key) =>
      callApiWithRetry(api.createAudit, {
        body: { ...fields, folder_id, location, placeId, source: { ...source, photos, answer, reason } },
        key,
      }),
    onSaved() {
      onDone();
      onCreated?.();
    },
  });
  const { field } = form;
  const { photos } = form.values;

  if (!folders.data) return <QueryState query={folders} failed="Failed to fetch audit folders" shape="fields" />;
  if (choices.length === 0)
    return <Text c="dimmed">There is no audit folder for {park}. Create one under Audits.</Text>;
  return (
    <InlineForm
      form={form}
      label="Create Audit"
      submit="Create Audit"
      failed="Failed to create audit. Please try again."
      onClose={onDone}
    >
      <Text c="dimmed">
        Everyone who sees the audits of {park} can read this. {hint}
      </Text>
      <NativeSelect {...field('folder_id')} label="Folder" data={choices} />
      <TextInput {...field('title')} label="Title" required maxLength={textLimits.line} />
      <Textarea {...field('description')} label="Description" rows={4} maxLength={textLimits.description} />
      <Checkbox {...form.checkbox('is_urgent')} label="Urgent?" />
      {files.length > 0 && (
        <fieldset className={styles.photos}>
          <legend>Photos to copy to the audit (optional)</legend>
          {files.map(({ path, name, cutOff }, index) => (
            <Checkbox
              key={path}
              label={
                <>
                  <img src={previewUrl(path)} alt="" width="96" height="72" className={styles.photo} /> Photo{' '}
                  {index + 1}
                  {name && `, ${name}`}
                  {cutOff && `. ${cutOffText}`}
                </>
              }
              checked={photos.includes(path)}
              onChange={({ currentTarget: { checked } }) =>
                form.set({ photos: checked ? [...photos, path] : photos.filter((other) => other !== path) })
              }
            />
          ))}
        </fieldset>
      )}
      {wasHurt && (
        <Textarea
          {...field('reason')}
          label="Why there is no report"
          description="Someone was hurt. If it must be reported, report it instead."
          required
          maxLength={textLimits.note}
        />
      )}
      {isFromMessage && (
        <Textarea {...field('answer')} label="Sentence for the sender (optional)" maxLength={textLimits.reason} />
      )}
    </InlineForm>
  );
}
