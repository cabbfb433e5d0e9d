// Below an audit: its source, its notes, its notifications, and audits created from it.
import { Button, Textarea } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { CopyPlus, MessageSquarePlus } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { api } from '#shared/api.ts';
import type { Audit } from '#shared/audits.ts';
import { formatInstant } from '#shared/dates.ts';
import { mutationWithRetryFor, queryFor } from '../client/api.ts';
import { useNames } from '../client/names.ts';
import { newUuid } from '../newUuid.ts';
import { DeliveryList } from '../notifications/DeliveryList.tsx';
import { PhotoField } from '../photos/PhotoField.tsx';
import type { PreparedPhoto } from '../photos/preparePhoto.ts';
import { type UploadedPaths, uploadPhotos } from '../photos/uploadPhotos.ts';
import { PhotoThumbs } from '../photos/viewer/PhotoThumbs.tsx';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import styles from './AuditFollowUp.module.css';
import { Section } from './AuditSections.tsx';

export function AuditFollowUp({ audit }: { audit: Audit }) {
  const { data: deliveries = [] } = useQuery(queryFor(api.listAuditDeliveries, { params: { id: audit.id } }));
  return (
    <div className={styles.follow}>
      <Source audit={audit} />
      <Notes auditId={audit.id} />
      {audit.data.completed && <NextAudit audit={audit} />}
      {deliveries.length > 0 && (
        <Section title="Who Was Notified">
          <DeliveryList deliveries={deliveries} />
        </Section>
      )}
    </div>
  );
}

const addressOf = {
  report: (id: string) => `/get-reports?report=${id}`,
  submission: (id: string) => `/admin?tab=submissions&submission=${id}`,
  audit: (id: string) => `/audit/${id}`,
};
const sourceNames = { report: 'Report', submission: 'Submitted checklist', audit: 'Audit' };

function Source({ audit }: { audit: Audit }) {
  const { source } = audit.data;
  if (!source) return null;
  return (
    <Section title="Created From">
      <Link to={addressOf[source.thing](source.id)} className={styles.link}>
        {sourceNames[source.thing]} {source.label}
      </Link>
    </Section>
  );
}

function Notes({ auditId }: { auditId: string }) {
  const [isAdding, setAdding] = useState(false);
  const showName = useNames();
  const notes = useQuery(queryFor(api.listAuditNotes, { params: { id: auditId } }));
  return (
    <Section title="Notes">
      {notes.isError && !notes.data && (
        <ErrorBox message="The notes could not be loaded." onRetry={() => notes.refetch()} />
      )}
      <ul className={styles.notes}>
        {notes.data?.map(({ id, text, media_files, created_at, created_by }) => (
          <li key={id}>
            <p className={styles.by}>
              {showName(created_by)}, {formatInstant(created_at)}
            </p>
            {text && <p className={styles.text}>{text}</p>}
            {media_files.length > 0 && (
              <PhotoThumbs
                label={`Photos of the note by ${showName(created_by)}`}
                photos={media_files.map(({ path, name }) => ({
                  src: path,
                  alt: name,
                  downloadHref: `${path}?download=1`,
                }))}
              />
            )}
          </li>
        ))}
      </ul>
      {isAdding ? (
        <NoteForm auditId={auditId} onAdded={() => setAdding(false)} />
      ) : (
        <Button
          variant="default"
          leftSection={<MessageSquarePlus aria-hidden size={18} />}
          onClick={() => setAdding(true)}
        >
          Write a Note
        </Button>
      )}
    </Section>
  );
}

function NoteForm({ auditId, onAdded }: { auditId: string; onAdded: () => void }) {
  const [text, setText] = useState('');
  const [photos, setPhotos] = useState<PreparedPhoto[]>([]);
  const [isPreparing, setPreparing] = useState(false);
  const [isUploading, setUploading] = useState(false);
  const [error, setError] = useState('');
  // Photos that arrived are not sent again, and a repeated note is stored once.
  const [sent, setSent] = useState<{ key: string; paths: UploadedPaths }>({ key: newUuid(), paths: {} });
  const add = useMutation(mutationWithRetryFor(api.addAuditNote));

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (text.trim() === '' && photos.length === 0) return setError('Write a note or add a photo');
    setError('');
    setUploading(true);
    const { paths, failures } = await uploadPhotos(photos, sent.paths);
    setUploading(false);
    setSent({ ...sent, paths });
    if (failures.length > 0) return setError('A photo could not be sent. Your note is still here.');
    const media_files = photos.map(({ id, name }) => ({ path: paths[id] ?? '', name }));
    add.mutate(
      { params: { id: auditId }, body: { text, media_files }, key: sent.key },
      {
        onSuccess() {
          onAdded();
        },
        onError: (error) => setError(error.message || 'The note could not be added. It is still here.'),
      },
    );
  }

  const change = (next: () => void) => {
    next();
    setError('');
    setSent(({ paths }) => ({ key: newUuid(), paths }));
  };
  return (
    <form onSubmit={submit} noValidate className={styles.form}>
      <Textarea
        label="Note"
        data-autofocus
        description="Notes cannot be changed or deleted."
        rows={3}
        maxLength={5000}
        value={text}
        onChange={(event) => {
          const { value } = event.currentTarget;
          change(() => setText(value));
        }}
        error={error}
      />
      <PhotoField
        label="Photos of the note"
        use="audit"
        photos={photos}
        onChange={(photos) => change(() => setPhotos(photos))}
        onBusyChange={setPreparing}
      />
      <Button type="submit" variant="default" disabled={isPreparing} loading={isUploading || add.isPending}>
        Add Note
      </Button>
    </form>
  );
}

function NextAudit({ audit }: { audit: Audit }) {
  const navigate = useNavigate();
  const [key] = useState(newUuid);
  const create = useMutation(mutationWithRetryFor(api.createAudit));
  const { id, folder_id, title, data } = audit;
  const { location, assignee, description, is_urgent, media_files } = data;
  const body = {
    ...{ folder_id, title: title || 'Untitled Audit', location, assignee, description, is_urgent },
    source: { thing: 'audit' as const, id, photos: media_files.map(({ path }) => path) },
  };
  return (
    <Section title="Is there more to do?">
      <p className={styles.text}>A completed audit stays as it is. A follow-up audit copies its text and photos.</p>
      <Button
        variant="default"
        leftSection={<CopyPlus aria-hidden size={18} />}
        loading={create.isPending}
        onClick={() => create.mutate({ body, key }, { onSuccess: ({ id }) => navigate(`/audit/${id}`) })}
      >
        Create Follow-up Audit
      </Button>
      <ErrorBox message={create.isError ? 'Failed to create audit. Please try again.' : ''} />
    </Section>
  );
}
