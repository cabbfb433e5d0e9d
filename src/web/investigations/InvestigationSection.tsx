// One section of an investigation, which is saved alone. Someone else may save another at the same time.
import { Button, Text, Title } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { api } from '#shared/api.ts';
import { formatInstant } from '#shared/dates.ts';
import {
  describeSection,
  type Investigation,
  type SectionContents,
  type SectionName,
  sectionTitles,
} from '#shared/investigations.ts';
import type { StoredMediaFile } from '#shared/uploads.ts';
import { queryClient, queryFor } from '../client/api.ts';
import { useNames } from '../client/names.ts';
import { getBaseVersion, sendChange } from '../client/sendChange.ts';
import { findUnsavedVariables } from '../client/useSave.ts';
import { StaleButtons } from '../forms/StaleButtons.tsx';
import { useForm } from '../forms/useForm.ts';
import { uploadForSave } from '../photos/uploadForSave.ts';
import type { UploadedPaths } from '../photos/uploadPhotos.ts';
import { PhotoThumbs } from '../photos/viewer/PhotoThumbs.tsx';
import { type Status, StatusLine } from '../ui/feedback/StatusLine.tsx';
import styles from './investigations.module.css';
import { listAdded, type SectionInputs, type SentSection, toContent, toInput, toTyped } from './sectionInput.ts';

type Values<Name extends SectionName> = SectionInputs[Name] & { version: number };
type Variables<Name extends SectionName> = { values: Values<Name>; version: number; uploaded: UploadedPaths };
export type SectionForm<Name extends SectionName> = ReturnType<
  typeof useForm<Values<Name>, Investigation, Variables<Name>>
>;

type SectionProps<Name extends SectionName> = {
  investigation: Investigation;
  name: Name;
  hint?: string;
  /** The fields, from the state of the form. */
  children: (form: SectionForm<Name>) => ReactNode;
};

export function InvestigationSection<Name extends SectionName>(props: SectionProps<Name>) {
  const { investigation, name, hint } = props;
  const saved = investigation.sections[name];
  const isFrozen = investigation.state !== 'open';
  const showName = useNames();
  return (
    <section className={styles.section} aria-labelledby={`section-${name}`}>
      <Title order={2} size="h4" id={`section-${name}`}>
        {sectionTitles[name]}
      </Title>
      {hint && !isFrozen && (
        <Text size="sm" c="dimmed">
          {hint}
        </Text>
      )}
      <EditableSection {...props} isFrozen={isFrozen} />
      {saved.saved_at && (
        <Text size="sm" c="dimmed">
          Saved by {showName(saved.saved_by)}, {formatInstant(saved.saved_at)}
        </Text>
      )}
    </section>
  );
}

function EditableSection<Name extends SectionName>({
  investigation,
  name,
  children,
  isFrozen,
}: SectionProps<Name> & { isFrozen: boolean }) {
  const saved = investigation.sections[name] as unknown as {
    id: string;
    version: number;
    content: SectionContents[Name];
  };
  const params = { id: saved.id };
  const formName = `section ${saved.id}`;
  const [status, setStatus] = useState<Status>();
  const form = useForm<Values<Name>, Investigation, Variables<Name>>(formName, {
    start: { ...toInput(name, saved.content), version: saved.version } as Values<Name>,
    toSent: (values) => toVariables(values, baseVersion),
    async send({ values, version, uploaded }) {
      const { version: _, ...input } = values;
      const paths = await uploadForSave(listAdded(input), uploaded);
      const body = { section: name, version, content: toContent(name, input, paths) } as SentSection;
      return sendChange<typeof api.saveInvestigationSection, Investigation>(api.saveInvestigationSection, {
        params,
        body,
      });
    },
    onSaved(reply) {
      // The newer section alone, if a change without a response was stored.
      if ('sections' in reply)
        queryClient.setQueryData(queryFor(api.getInvestigation, { params: { id: investigation.id } }).queryKey, reply);
      setStatus({ kind: 'success', text: 'Saved' });
    },
    onFailed: ({ status }) =>
      status === 409 && void queryClient.invalidateQueries({ queryKey: [api.getInvestigation.path] }),
    toFieldErrors: (fields) =>
      Object.fromEntries(Object.entries(fields).map(([field, error]) => [field.replace(/^content\./, ''), error])),
  });
  const { baseVersion, isStale } = getBaseVersion(params, saved, form.values.version);
  const toVariables = (values: Values<Name>, version: number): Variables<Name> => ({
    values,
    version,
    uploaded: findUnsavedVariables<Variables<Name>>(formName)?.uploaded ?? {},
  });
  const isConflict = isStale && form.isTyped;
  const failed: Status | undefined = form.failure && {
    kind: 'error',
    text: 'This could not be saved. It is still here.',
    hint: form.failure.message,
  };

  if (isFrozen)
    return (
      <>
        <SectionText name={name} content={saved.content} />
        {form.isTyped && (
          <>
            <Text fw={600}>The findings were completed while you wrote. This was not saved:</Text>
            <SectionText name={name} content={toTyped(name, form.values as SectionInputs[Name])} />
            <div className={styles.actions}>
              <Button variant="default" onClick={form.discard}>
                Discard My Text
              </Button>
            </div>
          </>
        )}
      </>
    );
  return (
    <form {...form.props} className={styles.form} aria-label={sectionTitles[name]}>
      {children(form)}
      {isConflict && (
        <>
          <Text size="sm">Someone else has changed this part. Your text is not lost, and not saved. Theirs says:</Text>
          <SectionText name={name} content={saved.content} />
        </>
      )}
      <div className={styles.actions}>
        {isConflict ? (
          <StaleButtons
            what="Text"
            isBusy={form.isSaving}
            onKeepMine={() => form.save(toVariables(form.values, saved.version))}
            onUseSaved={form.discard}
          />
        ) : (
          <Button type="submit" loading={form.isSaving} variant={form.isTyped ? 'filled' : 'default'}>
            Save
          </Button>
        )}
        {form.isTyped && !isConflict && <Text size="sm">Not saved yet.</Text>}
      </div>
      <StatusLine status={failed ?? (form.isTyped ? undefined : status)} />
    </form>
  );
}

/** What a section says, with its photos. */
function SectionText<Name extends SectionName>({ name, content }: { name: Name; content: SectionContents[Name] }) {
  const rows = describeSection(name, content);
  const { photos = [], list = [] } = content as unknown as {
    photos?: StoredMediaFile[];
    list?: { photos?: StoredMediaFile[] }[];
  };
  const all = [...photos, ...list.flatMap((item) => item.photos ?? [])];
  if (rows.length === 0 && all.length === 0) return <Text c="dimmed">Nothing written.</Text>;
  return (
    <>
      <dl className={styles.facts}>
        {rows.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value.trim() || 'Not provided'}</dd>
          </div>
        ))}
      </dl>
      <PhotoThumbs
        label={`Photos: ${sectionTitles[name]}`}
        photos={all.map(({ path, name }) => ({ src: path, alt: name, downloadHref: `${path}?download=1` }))}
      />
    </>
  );
}
