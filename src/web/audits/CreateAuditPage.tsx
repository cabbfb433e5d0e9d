import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { api } from '#shared/api.ts';
import { isNotFound, queryFor } from '../client/api.ts';
import { useDraft } from '../drafts/useDraft.ts';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { Loading } from '../ui/loading/Loading.tsx';
import { BackButton } from '../ui/navigation/BackButton.tsx';
import { PageHeading } from '../ui/navigation/PageHeading.tsx';
import { type AuditDraft, createDraft } from './auditDraft.ts';
import { CreateAuditForm } from './CreateAuditForm.tsx';

export function CreateAuditPage() {
  const { folderId = '' } = useParams();
  // Remount for each folder: page and draft belong to it.
  return <CreateAudit key={folderId} folderId={folderId} />;
}

function CreateAudit({ folderId }: { folderId: string }) {
  const folder = useQuery(queryFor(api.getFolder, { params: { id: folderId } }));
  const draft = useDraft<AuditDraft>(`create-audit/${folderId}`);

  if (folder.isPending || draft.isLoading) return <Loading shape="fields" />;
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
      <CreateAuditForm
        folderId={folderId}
        found={draft.found ?? createDraft()}
        saveDraft={draft.saveDraft}
        discardDraft={draft.discardDraft}
      />
    </>
  );
}
