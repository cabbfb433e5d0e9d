// Below an audit: its source, its notes, its notifications, and audits created from it.
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CopyPlus, MessageSquarePlus } from 'lucide-react';
import { Suspense, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { isAllowed } from '#shared/access.ts';
import { api } from '#shared/api.ts';
import { type Audit, describeOutcome } from '#shared/audits.ts';
import type { EndpointInput } from '#shared/client.ts';
import { formatInstant } from '#shared/dates.ts';
import { callApiWithRetry, queryFor } from '../client/api.ts';
import { useNames } from '../client/names.ts';
import { QueryState } from '../client/QueryState.tsx';
import { useUser } from '../client/session.ts';
import { useSave } from '../client/useSave.ts';
import { FormButton } from '../forms/FormButton.tsx';
import { DeliveryList } from '../notifications/DeliveryList.tsx';
import { PhotoPreviews } from '../photos/viewer/PhotoPreviews.tsx';
import { toViewerPhoto } from '../photos/viewer/toViewerPhoto.ts';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { lazyComponent } from '../ui/loading/lazyComponent.ts';
import styles from './AuditFollowUp.module.css';
import { Section } from './AuditSections.tsx';
import { AuditTag } from './AuditTag.tsx';
import { getNoteName, NoteForm, VerificationForm } from './NoteForm.tsx';

const StartInvestigation = lazyComponent(
  () => import('../investigations/StartInvestigation.tsx'),
  'StartInvestigation',
);

export function AuditFollowUp({ audit }: { audit: Audit }) {
  const user = useUser();
  const { data: deliveries = [] } = useQuery(queryFor(api.listAuditDeliveries, { params: { id: audit.id } }));
  return (
    <div className={styles.follow}>
      <Source audit={audit} />
      <Verification audit={audit} />
      <Notes auditId={audit.id} />
      {audit.data.completed && <FollowUpAudit audit={audit} />}
      {isAllowed('reviewer', user) && audit.data.source?.thing !== 'investigation' && (
        <Section title="Investigation">
          <Suspense>
            <StartInvestigation thing="audit" id={audit.id} />
          </Suspense>
        </Section>
      )}
      {deliveries.length > 0 && (
        <Section title="Who Was Notified">
          <DeliveryList deliveries={deliveries} />
        </Section>
      )}
    </div>
  );
}

const urls = {
  report: (id: string) => `/get-reports?report=${id}`,
  submission: (id: string) => `/admin?tab=submissions&submission=${id}`,
  audit: (id: string) => `/audit/${id}`,
  investigation: (id: string) => `/investigations/${id}`,
  message: (id: string) => `/messages/${id}`,
  lesson: (id: string) => `/lessons/${id}`,
};
const sourceNames = {
  report: 'Report',
  submission: 'Submitted checklist',
  audit: 'Audit',
  investigation: 'Investigation',
  message: 'Message from a guest,',
  lesson: 'Lesson',
};

function Source({ audit }: { audit: Audit }) {
  const showName = useNames();
  const user = useUser();
  const { source } = audit.data;
  if (!source) return null;
  const { thing, id, label } = source;
  if (thing === 'lesson' && !isAllowed('reviewer', user)) return null;
  if (thing === 'hazard') return <Section title="Hazard Reported By">{showName(label)}</Section>;
  return (
    <Section title="Created From">
      <Link to={urls[thing](id)} className={styles.link}>
        {sourceNames[thing]} {label}
      </Link>
    </Section>
  );
}

/** What the verification found, with the audit that follows; or its form. */
function Verification({ audit }: { audit: Audit }) {
  const { verification } = audit.data;
  if (!verification?.outcome) return <VerificationForm audit={audit} />;
  return (
    <Section title="Verification">
      <AuditTag state={verification.outcome} />
      {verification.follow_up_id && (
        <Link to={urls.audit(verification.follow_up_id)} className={styles.link}>
          Open the Follow-up Audit
        </Link>
      )}
    </Section>
  );
}

function Notes({ auditId }: { auditId: string }) {
  const showName = useNames();
  const notes = useQuery(queryFor(api.listAuditNotes, { params: { id: auditId } }));
  return (
    <Section title="Notes">
      <QueryState query={notes} failed="The notes could not be loaded." />
      <ul className={styles.notes}>
        {notes.data?.map(({ id, text, media_files, created_at, created_by, outcome }) => (
          <li key={id}>
            <p className={styles.by}>
              {showName(created_by)}, {formatInstant(created_at)}
              {outcome && `. ${describeOutcome(outcome)}`}
            </p>
            {text && <p className={styles.text}>{text}</p>}
            {media_files.length > 0 && (
              <PhotoPreviews
                label={`Photos of the note by ${showName(created_by)}`}
                photos={media_files.map(toViewerPhoto)}
              />
            )}
          </li>
        ))}
      </ul>
      <FormButton
        form={getNoteName(auditId)}
        button="Write a Note"
        leftSection={<MessageSquarePlus aria-hidden size={18} />}
      >
        {(close) => <NoteForm auditId={auditId} onSaved={close} />}
      </FormButton>
    </Section>
  );
}

type Body = EndpointInput<typeof api.createAudit>['body'];

function FollowUpAudit({ audit }: { audit: Audit }) {
  const [, navigate] = useLocation();
  const [isPressed, setPressed] = useState(false);
  const [createdId, setCreatedId] = useState('');
  const saving = useSave<Body, { id: string }>(`follow-up of ${audit.id}`, {
    send: (body, key) => callApiWithRetry(api.createAudit, { body, key }),
    // Someone who left and came back stays at this audit.
    onSaved: ({ id }) => (isPressed ? navigate(`/audit/${id}`) : setCreatedId(id)),
  });
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
        loading={saving.isSaving}
        onClick={() => {
          setPressed(true);
          setCreatedId('');
          saving.save(body);
        }}
      >
        Create Follow-up Audit
      </Button>
      <p role="status" className={styles.text}>
        {createdId && (
          <>
            The follow-up audit was created.{' '}
            <Link to={urls.audit(createdId)} className={styles.link}>
              Open It
            </Link>
          </>
        )}
      </p>
      <ErrorBox message={saving.error ? 'Failed to create audit. Please try again.' : ''} />
    </Section>
  );
}
