// One section of an investigation, which is saved alone. Someone else may save another at the same time.
import { Button, Group, Stack, Text } from '@mantine/core';
import { type ComponentType, useState } from 'react';
import { api } from '#shared/api.ts';
import { formatInstant } from '#shared/dates.ts';
import {
  describeSection,
  type Investigation,
  listPhotos,
  type SectionName,
  sectionTitles,
} from '#shared/investigations.ts';
import { queryClient, queryFor } from '../client/api.ts';
import { useNames } from '../client/names.ts';
import { getBaseVersion, sendChange } from '../client/sendChange.ts';
import { formNames } from '../formNames.ts';
import { FormElement } from '../forms/FormElement.tsx';
import { StaleButtons } from '../forms/StaleButtons.tsx';
import { useForm } from '../forms/useForm.ts';
import { useIsPreparing } from '../photos/preparing.ts';
import { PhotoPreviews } from '../photos/viewer/PhotoPreviews.tsx';
import { toViewerPhoto } from '../photos/viewer/toViewerPhoto.ts';
import { Facts } from '../ui/feedback/Facts.tsx';
import { Name } from '../ui/feedback/Name.tsx';
import { type Status, StatusLine } from '../ui/feedback/StatusLine.tsx';
import { PageSection } from '../ui/navigation/PageSection.tsx';
import styles from './investigations.module.css';
import { type FieldsProps, sectionFields } from './SectionFields.tsx';
import {
  getPhotoForm,
  isStored,
  type SectionInputs,
  type SectionPhoto,
  type SectionValues,
  toSent,
} from './sectionInput.ts';

type SectionProps<Name extends SectionName> = { investigation: Investigation; name: Name };

const hints: { [Name in SectionName]?: string } = {
  statements: 'Optional. What people say who saw it, or know about it.',
  causes:
    'Ask why until you reach what can be changed: what happened directly before, what allowed it, and how the work is planned.',
};

export function InvestigationSection<Name extends SectionName>({ investigation, name }: SectionProps<Name>) {
  const showName = useNames();
  const saved = investigation.sections[name] as Investigation['sections'][SectionName] & {
    content: SectionInputs[Name];
  };
  const { version, saved_at, saved_by, content } = saved;
  const params = { id: saved.id };
  const [status, setStatus] = useState<Status>();
  const form = useForm<SectionValues<Name>, Investigation>(formNames.section(saved.id), {
    start: { ...content, version },
    toSent: (values) => ({ ...values, version: baseVersion }),
    toKept: (reply) => ({ version: reply.sections[name].version }) as Partial<SectionValues<Name>>,
    send: async (values) => sendChange(api.saveInvestigationSection, { params, body: await toSent(name, values) }),
    onSaved(reply) {
      queryClient.setQueryData(queryFor(api.getInvestigation, { params: { id: investigation.id } }).queryKey, reply);
      setStatus({ kind: 'success', text: 'Saved' });
    },
    onFailed: ({ status }) =>
      status === 409 && void queryClient.invalidateQueries({ queryKey: [api.getInvestigation.path] }),
    toFieldErrors: (fields) =>
      Object.fromEntries(Object.entries(fields).map(([field, error]) => [field.replace(/^content\./, ''), error])),
  });
  const { baseVersion, isStale } = getBaseVersion(params, saved, form.values.version);
  const isConflict = isStale && form.isTyped;
  const { list = [content] } = form.values as { list?: object[] };
  const isPreparing = useIsPreparing(list.map((_, index) => getPhotoForm(investigation.id, name, index)));
  const Fields = sectionFields[name] as ComponentType<FieldsProps<Name>>;
  const failed: Status | undefined = form.failure && {
    kind: 'error',
    text: 'This could not be saved. What you entered is still here.',
    hint: form.failure.message,
  };
  return (
    <PageSection isCard title={sectionTitles[name]}>
      {investigation.state !== 'open' ? (
        <>
          <SectionText name={name} content={content} />
          {form.isTyped && (
            <>
              <Text fw={600}>The findings were completed while you wrote. This was not saved:</Text>
              <SectionText name={name} content={form.values} />
              <Group>
                <Button variant="default" onClick={form.discard}>
                  Discard My Text
                </Button>
              </Group>
            </>
          )}
        </>
      ) : (
        <FormElement form={form} aria-label={sectionTitles[name]}>
          <Stack>
            {hints[name] && (
              <Text size="sm" c="dimmed">
                {hints[name]}
              </Text>
            )}
            <Fields form={form} investigation={investigation} />
            {isConflict && (
              <>
                <Text size="sm">
                  Someone else has changed this part. Your text is still here, but not saved. Their version:
                </Text>
                <SectionText name={name} content={content} />
              </>
            )}
            <Group gap="xs">
              {isConflict ? (
                <StaleButtons
                  what="Text"
                  isBusy={form.isSaving || isPreparing}
                  onKeepMine={() => form.save({ ...form.values, version })}
                  onUseSaved={form.discard}
                />
              ) : (
                <Button
                  type="submit"
                  disabled={isPreparing}
                  loading={form.isSaving}
                  variant={form.isTyped ? 'filled' : 'default'}
                >
                  Save
                </Button>
              )}
              {form.isTyped && !isConflict && <Text size="sm">Not saved yet.</Text>}
            </Group>
            <StatusLine status={failed ?? (form.isTyped ? undefined : status)} />
          </Stack>
        </FormElement>
      )}
      {saved_at && (
        <Text size="sm" c="dimmed">
          Saved by <Name>{showName(saved_by)}</Name>, {formatInstant(saved_at)}
        </Text>
      )}
    </PageSection>
  );
}

/** What a section says, with its photos. */
function SectionText<Name extends SectionName>({ name, content }: { name: Name; content: SectionInputs[Name] }) {
  const rows = describeSection(name, content);
  const photos = listPhotos<SectionPhoto>(content).filter(isStored);
  if (rows.length === 0 && photos.length === 0) return <Text c="dimmed">Nothing written.</Text>;
  return (
    <>
      <Facts
        className={styles.facts}
        facts={rows.map(({ label, value }) => ({ label, value: value.trim() || 'Not provided' }))}
      />
      <PhotoPreviews label={`Photos: ${sectionTitles[name]}`} photos={photos.map(toViewerPhoto)} />
    </>
  );
}
