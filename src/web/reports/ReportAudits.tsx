// In Report Details: the audits created from a report, their state, and a button for a new one.
import { Button, Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { Link } from 'react-router';
import { api } from '#shared/api.ts';
import { describeAuditState } from '#shared/audits.ts';
import type { Report } from '#shared/reports.ts';
import { previewUrl } from '#shared/uploads.ts';
import { mutationWithRetryFor, queryClient, queryFor } from '../client/api.ts';
import { useNames } from '../client/names.ts';
import { newUuid } from '../newUuid.ts';
import { DeliveryList } from '../notifications/DeliveryList.tsx';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { Loading } from '../ui/loading/Loading.tsx';
import styles from './ReportAudits.module.css';

export function ReportAudits({ report }: { report: Report }) {
  const params = { id: report.id };
  const audits = useQuery(queryFor(api.listReportAudits, { params }));
  const { data: deliveries = [] } = useQuery(queryFor(api.listReportDeliveries, { params }));
  const showName = useNames();
  const [isCreating, setCreating] = useState(false);
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
        <section className={styles.told}>
          <h3 className={styles.heading}>Who Was Notified</h3>
          <DeliveryList deliveries={deliveries} />
        </section>
      )}
    </>
  );
}

/**
 * The suggested title names neither the person nor the injury: everyone at the park can read an
 * audit.
 */
function NewAuditForm({ report, onDone }: { report: Report; onDone: () => void }) {
  const folders = useQuery(queryFor(api.listFolders));
  const [folderId, setFolderId] = useState('');
  const [title, setTitle] = useState(`Check ${report.location}`.slice(0, 200));
  const [description, setDescription] = useState('Check the location and make it safe.');
  const [isUrgent, setUrgent] = useState(false);
  const [photos, setPhotos] = useState<string[]>([]);
  const [key, setKey] = useState(newUuid);
  const create = useMutation({ ...mutationWithRetryFor(api.createAudit), meta: { refreshes: false } });
  const ofPark = folders.data?.filter(({ park }) => park === report.selectedPlace) ?? [];
  const folder_id = folderId || ofPark[0]?.id || '';

  const change = (next: () => void) => {
    next();
    create.reset();
    setKey(newUuid());
  };
  function submit(event: FormEvent) {
    event.preventDefault();
    const source = { thing: 'report' as const, id: report.id, photos };
    const body = { folder_id, title, description, location: report.location, is_urgent: isUrgent, source };
    create.mutate(
      { body, key },
      {
        onSuccess() {
          // Does not refetch the report itself: opening it again would be logged.
          void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== api.getReport.path });
          onDone();
        },
      },
    );
  }

  if (folders.isPending) return <Loading shape="fields" />;
  if (!folders.data) return <ErrorBox message="Failed to fetch audit folders" onRetry={() => folders.refetch()} />;
  if (ofPark.length === 0)
    return <p className={styles.note}>There is no audit folder of {report.selectedPlace}. Create one under Audits.</p>;
  return (
    <form onSubmit={submit} noValidate className={styles.form} aria-label="Create Audit">
      <p className={styles.note}>
        Everyone who sees the audits of {report.selectedPlace} can read this. Leave out who was hurt and how.
      </p>
      <NativeSelect
        label="Folder"
        value={folder_id}
        data={ofPark.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={(event) => {
          const { value } = event.currentTarget;
          change(() => setFolderId(value));
        }}
      />
      <TextInput
        label="Title"
        required
        maxLength={200}
        value={title}
        error={create.error && title.trim() === '' ? 'Title is required' : undefined}
        onChange={(event) => {
          const { value } = event.currentTarget;
          change(() => setTitle(value));
        }}
      />
      <Textarea
        label="Description"
        rows={4}
        maxLength={5000}
        value={description}
        onChange={(event) => {
          const { value } = event.currentTarget;
          change(() => setDescription(value));
        }}
      />
      <Checkbox
        label="Urgent?"
        checked={isUrgent}
        onChange={(event) => {
          const { checked } = event.currentTarget;
          change(() => setUrgent(checked));
        }}
      />
      {report.mediaFiles.length > 0 && (
        <fieldset className={styles.photos}>
          <legend>Photos to copy (optional)</legend>
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
              onChange={(event) => {
                const { checked } = event.currentTarget;
                change(() => setPhotos(checked ? [...photos, path] : photos.filter((other) => other !== path)));
              }}
            />
          ))}
        </fieldset>
      )}
      <ErrorBox message={create.error ? create.error.message || 'Failed to create audit. Please try again.' : ''} />
      <div className={styles.actions}>
        <Button type="submit" loading={create.isPending}>
          Create Audit
        </Button>
        <Button variant="default" onClick={onDone}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
