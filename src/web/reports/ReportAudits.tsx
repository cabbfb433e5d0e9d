// In Report Details: the audits created from a report, their state, and a button for a new one.
import { Button, Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { api } from '#shared/api.ts';
import { describeAuditState } from '#shared/audits.ts';
import { textLimits } from '#shared/choices.ts';
import type { Report } from '#shared/reports.ts';
import { previewUrl } from '#shared/uploads.ts';
import { callApiWithRetry, queryFor } from '../client/api.ts';
import { useNames } from '../client/names.ts';
import { useForm } from '../forms/useForm.ts';
import { DeliveryList } from '../notifications/DeliveryList.tsx';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { hasTypedInput } from '../ui/forms/useTypedInput.ts';
import { Loading } from '../ui/loading/Loading.tsx';
import styles from './ReportAudits.module.css';
import { suggestPlace } from './suggestPlace.ts';

export function ReportAudits({ report }: { report: Report }) {
  const params = { id: report.id };
  const audits = useQuery(queryFor(api.listReportAudits, { params }));
  const { data: deliveries = [] } = useQuery(queryFor(api.listReportDeliveries, { params }));
  const showName = useNames();
  const [isCreating, setCreating] = useState(() => hasTypedInput(getAuditName(report.id)));
  return (
    <>
      {audits.isPending && <Loading shape="rows" />}
      {audits.isError && !audits.data && (
        <ErrorBox message="The audits could not be loaded." onRetry={() => audits.refetch()} />
      )}
      {audits.data?.length === 0 && <p className={styles.note}>No audit was created from this report.</p>}
      <ul className={styles.list}>
        {audits.data?.map((audit) => (
          <li key={audit.id}>
            {audit.deleted_by ? (
              <b>{audit.title}</b>
            ) : (
              <Link to={`/audit/${audit.id}`} className={styles.link}>
                {audit.title}
              </Link>
            )}
            <p className={styles.note}>{describeAuditState(audit, showName)}</p>
          </li>
        ))}
      </ul>
      {isCreating ? (
        <NewAuditForm report={report} onDone={() => setCreating(false)} />
      ) : (
        <Button variant="default" leftSection={<Plus aria-hidden size={18} />} onClick={() => setCreating(true)}>
          Create Audit
        </Button>
      )}
      {deliveries.length > 0 && (
        <section className={styles.notified}>
          <h3 className={styles.heading}>Who Was Notified</h3>
          <DeliveryList deliveries={deliveries} />
        </section>
      )}
    </>
  );
}

type NewAuditFields = {
  folder_id: string;
  title: string;
  description: string;
  is_urgent: boolean;
  photos: string[];
};

const getAuditName = (reportId: string) => `audit from ${reportId}`;

/**
 * The suggested title names neither the person nor the injury: everyone at the park can read an
 * audit.
 */
function NewAuditForm({ report, onDone }: { report: Report; onDone: () => void }) {
  const folders = useQuery(queryFor(api.listFolders));
  const location = suggestPlace(report);
  const parkFolders = folders.data?.filter(({ park }) => park === report.selectedPlace) ?? [];
  const form = useForm<NewAuditFields>(getAuditName(report.id), {
    start: {
      folder_id: parkFolders[0]?.id ?? '',
      title: `Check ${location || 'the location'}`.slice(0, textLimits.line),
      description: 'Check the location and make it safe.',
      is_urgent: false,
      photos: [],
    },
    check: ({ title }) => (title.trim() === '' ? { title: 'Title is required' } : {}),
    send: ({ photos, ...fields }, key) =>
      callApiWithRetry(api.createAudit, {
        body: { ...fields, location, source: { thing: 'report', id: report.id, photos } },
        key,
      }),
    onSaved: onDone,
  });
  const { failure, field } = form;
  const { photos } = form.values;

  if (folders.isPending) return <Loading shape="fields" />;
  if (!folders.data) return <ErrorBox message="Failed to fetch audit folders" onRetry={() => folders.refetch()} />;
  if (parkFolders.length === 0)
    return <p className={styles.note}>There is no audit folder for {report.selectedPlace}. Create one under Audits.</p>;
  return (
    <form {...form.props} className={styles.form} aria-label="Create Audit">
      <p className={styles.note}>
        Everyone who sees the audits of {report.selectedPlace} can read this. Leave out who was hurt and how.
      </p>
      <NativeSelect
        {...field('folder_id')}
        label="Folder"
        data={parkFolders.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <TextInput {...field('title')} label="Title" required maxLength={textLimits.line} />
      <Textarea {...field('description')} label="Description" rows={4} maxLength={textLimits.description} />
      <Checkbox {...form.checkbox('is_urgent')} label="Urgent?" />
      {report.mediaFiles.length > 0 && (
        <fieldset className={styles.photos}>
          <legend>Photos to copy to the audit (optional)</legend>
          {report.mediaFiles.map(({ path, name }, index) => (
            <Checkbox
              key={path}
              label={
                <>
                  <img src={previewUrl(path)} alt="" width="96" height="72" className={styles.photo} /> Photo{' '}
                  {index + 1}
                  {name && `, ${name}`}
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
      <ErrorBox message={failure ? failure.message || 'Failed to create audit. Please try again.' : ''} />
      <div className={styles.actions}>
        <Button type="submit" loading={form.isSaving}>
          Create Audit
        </Button>
        <Button
          variant="default"
          onClick={() => {
            form.discard();
            onDone();
          }}
        >
          Cancel
        </Button>
      </div>
    </form>
  );
}
