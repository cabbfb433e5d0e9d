import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useParams } from 'wouter';
import { api } from '#shared/api.ts';
import type { Folder } from '#shared/audits.ts';
import { queryFor } from '../client/api.ts';
import { isNotFound } from '../client/errors.ts';
import { useUser } from '../client/session.ts';
import { createDraft } from '../drafts/draftStore.ts';
import { withOfflineCopy } from '../drafts/offlineCopies.ts';
import { startOutbox } from '../outbox/startOutbox.ts';
import { getDraftName, useStoredForm } from '../outbox/useStoredForm.ts';
import { useSubmission } from '../outbox/useSubmission.ts';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { Loading } from '../ui/loading/Loading.tsx';
import { BackButton } from '../ui/navigation/BackButton.tsx';
import { PageHeading } from '../ui/navigation/PageHeading.tsx';
import { type AuditDraft, createAuditDraft, getFormName, readSubmission } from './auditDraft.ts';
import { CreateAuditForm } from './CreateAuditForm.tsx';

export function CreateAuditPage() {
  const { folderId = '' } = useParams();
  // Remount for each folder, because the state and the draft belong to one folder.
  return <CreateAudit key={folderId} folderId={folderId} />;
}

function CreateAudit({ folderId }: { folderId: string }) {
  const folder = useQuery(withOfflineCopy('user', queryFor(api.getFolder, { params: { id: folderId } })));
  const [reloadCount, setReloadCount] = useState(0);
  useEffect(startOutbox, []);

  if (folder.isPending) return <Loading shape="fields" />;
  if (!folder.data)
    return (
      <ErrorBox
        isPage
        message="Could not load folder information"
        onRetry={isNotFound(folder.error) ? undefined : folder.refetch}
      >
        <BackButton to="/audits">Back to Folders</BackButton>
      </ErrorBox>
    );
  return (
    <>
      <PageHeading title={`Create New Audit in ${folder.data.name}`} park={folder.data.park} />
      <StoredForm key={reloadCount} folder={folder.data} onReload={() => setReloadCount(reloadCount + 1)} />
    </>
  );
}

/** `onReload` starts again with the stored draft. */
function StoredForm({ folder, onReload }: { folder: Folder; onReload: () => void }) {
  const { id } = useUser();
  const form = getFormName(folder.id);
  const outboxState = useSubmission(form);
  // A rejected audit is corrected separately from the next draft.
  const name = getDraftName(form, outboxState.submission);
  const draft = createDraft<AuditDraft>(id, name);
  const stored = useStoredForm<AuditDraft>(outboxState, {
    draftKeys: draft.keys,
    findDraft: draft.find,
    read: readSubmission,
  });
  if (!stored) return <Loading shape="fields" />;
  const initialValues = { ...createAuditDraft(), ...stored.initialValues };
  return (
    <CreateAuditForm
      key={stored.id}
      folder={folder}
      initialValues={initialValues}
      submittedItemId={stored.itemId}
      draftName={name}
      outboxState={outboxState}
      onReload={onReload}
    />
  );
}
