// What is shown below an audit: its source, verification, notes, follow-up, investigation and notifications.
import { Box } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CopyPlus, MessageSquarePlus } from 'lucide-react';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { isAllowed } from '#shared/access.ts';
import { api } from '#shared/api.ts';
import { type Audit, describeOutcome } from '#shared/audits.ts';
import type { EndpointInput } from '#shared/client.ts';
import { formatInstant } from '#shared/dates.ts';
import { recordUrls } from '#shared/record-kinds.ts';
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
import { Name } from '../ui/feedback/Name.tsx';
import { IconButton } from '../ui/forms/IconButton.tsx';
import { lazyComponent } from '../ui/loading/lazyComponent.ts';
import rows from '../ui/theme/rows.module.css';
import styles from './AuditFollowUp.module.css';
import { AuditSection } from './AuditSections.tsx';
import { AuditTag } from './AuditTag.tsx';
import { getNoteFormName, NoteForm, VerificationForm } from './NoteForm.tsx';

const StartInvestigation = lazyComponent(
  () => import('../investigations/StartInvestigation.tsx'),
  'StartInvestigation',
);

export function AuditFollowUp({ audit }: { audit: Audit }) {
  const user = useUser();
  const { data: deliveries = [] } = useQuery(queryFor(api.listAuditDeliveries, { params: { id: audit.id } }));
  return (
    <Box className="stack loose" maw="60rem" mt="1.5rem">
      <Source audit={audit} />
      <Verification audit={audit} />
      <Notes auditId={audit.id} />
      {audit.data.completed && <FollowUpAudit audit={audit} />}
      {isAllowed('reviewer', user) && audit.data.source?.thing !== 'investigation' && (
        <AuditSection title="Investigation">
          <StartInvestigation thing="audit" id={audit.id} />
        </AuditSection>
      )}
      {deliveries.length > 0 && (
        <AuditSection title="Who Was Notified">
          <DeliveryList deliveries={deliveries} />
        </AuditSection>
      )}
    </Box>
  );
}

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
  if (thing === 'hazard')
    return (
      <AuditSection title="Hazard Reported By">
        <Name>{showName(label)}</Name>, {formatInstant(audit.created_at)}
      </AuditSection>
    );
  return (
    <AuditSection title="Created From">
      <Link to={recordUrls[thing](id)} className={rows.link}>
        {sourceNames[thing]} {label}
      </Link>
    </AuditSection>
  );
}

/** The outcome of the verification, with a link to the follow-up audit; before it, its form. */
function Verification({ audit }: { audit: Audit }) {
  const { verification } = audit.data;
  if (!verification?.outcome) return <VerificationForm audit={audit} />;
  return (
    <AuditSection title="Verification">
      <AuditTag state={verification.outcome} />
      {verification.follow_up_id && (
        <Link to={recordUrls.audit(verification.follow_up_id)} className={rows.link}>
          Open the Follow-up Audit
        </Link>
      )}
    </AuditSection>
  );
}

function Notes({ auditId }: { auditId: string }) {
  const showName = useNames();
  const notes = useQuery(queryFor(api.listAuditNotes, { params: { id: auditId } }));
  return (
    <AuditSection title="Notes">
      <QueryState query={notes} failed="The notes could not be loaded." />
      <ul className="stack loose list">
        {notes.data?.map(({ id, text, media_files, created_at, created_by, outcome }) => (
          <li key={id}>
            <p className="quiet">
              <Name>{showName(created_by)}</Name>, {formatInstant(created_at)}
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
        form={getNoteFormName(auditId)}
        button="Write a Note"
        leftSection={<MessageSquarePlus aria-hidden size={18} />}
      >
        {(close) => <NoteForm auditId={auditId} onSaved={close} />}
      </FormButton>
    </AuditSection>
  );
}

type Body = EndpointInput<typeof api.createAudit>['body'];

function FollowUpAudit({ audit }: { audit: Audit }) {
  const [, navigate] = useLocation();
  const [wasPressed, setPressed] = useState(false);
  const [createdId, setCreatedId] = useState('');
  const saving = useSave<Body, { id: string }>(`follow-up of ${audit.id}`, {
    send: (body, key) => callApiWithRetry(api.createAudit, { body, key }),
    // Someone who left this screen and came back gets a link instead.
    onSaved: ({ id }) => (wasPressed ? navigate(`/audit/${id}`) : setCreatedId(id)),
  });
  const { id, folder_id, title, data } = audit;
  const { location, assignee, description, is_urgent, media_files } = data;
  const body = {
    folder_id,
    title: title || 'Untitled Audit',
    location,
    assignee,
    description,
    is_urgent,
    source: { thing: 'audit' as const, id, photos: media_files.map(({ path }) => path) },
  };
  return (
    <AuditSection title="Is there more to do?">
      <p className={styles.text}>A completed audit stays as it is. A follow-up audit copies its text and photos.</p>
      <IconButton
        icon={CopyPlus}
        loading={saving.isSaving}
        onClick={() => {
          setPressed(true);
          setCreatedId('');
          saving.save(body);
        }}
      >
        Create Follow-up Audit
      </IconButton>
      <p role="status" className={styles.text}>
        {createdId && (
          <>
            The follow-up audit was created.{' '}
            <Link to={recordUrls.audit(createdId)} className={rows.link}>
              Open It
            </Link>
          </>
        )}
      </p>
      <ErrorBox message={saving.error ? 'Failed to create audit. Please try again.' : ''} />
    </AuditSection>
  );
}
