import { useQuery } from '@tanstack/react-query';
import { useParams } from 'wouter';
import { api } from '#shared/api.ts';
import { queryFor } from '../../client/api.ts';
import { QueryState } from '../../client/QueryState.tsx';
import { withOfflineCopy } from '../../drafts/offlineCopies.ts';
import { BackButton } from '../../ui/navigation/BackButton.tsx';
import { PageHeading } from '../../ui/navigation/PageHeading.tsx';
import { createAuditDraft, getCreationFormName, readAuditSubmission } from './auditDraft.ts';
import { CreateAuditForm } from './CreateAuditForm.tsx';
import { StoredDraft } from './StoredDraft.tsx';

export function CreateAuditPage() {
  const { folderId = '' } = useParams();
  // Remount for each folder, because the state and the draft belong to one folder.
  return <CreateAudit key={folderId} folderId={folderId} />;
}

function CreateAudit({ folderId }: { folderId: string }) {
  const folder = useQuery(withOfflineCopy('user', queryFor(api.getFolder, { params: { id: folderId } })));

  const failed = 'Could not load folder information';
  if (!folder.data)
    return (
      <QueryState
        query={folder}
        failed={failed}
        notFound={failed}
        shape="fields"
        back={<BackButton to="/audits">Back to Folders</BackButton>}
      />
    );
  return (
    <>
      <PageHeading title={`Create New Audit in ${folder.data.name}`} park={folder.data.park} />
      <StoredDraft form={getCreationFormName(folderId)} empty={createAuditDraft()} read={readAuditSubmission}>
        {(props) => <CreateAuditForm folder={folder.data} {...props} />}
      </StoredDraft>
    </>
  );
}
