import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { api } from '#shared/api.ts';
import { isNotFound, queryFor } from '../client/api.ts';
import { useDraft } from '../drafts/useDraft.ts';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { Toast } from '../ui/feedback/Toast.tsx';
import { useFeedback, useToast } from '../ui/feedback/useFeedback.ts';
import { Loading } from '../ui/loading/Loading.tsx';
import { BackButton } from '../ui/navigation/BackButton.tsx';
import { AuditEditor } from './AuditEditor.tsx';
import type { Edits } from './useAuditEdits.ts';

export function AuditDetailPage() {
  const { id = '' } = useParams();
  // Remount for each audit: page and draft belong to it.
  return <AuditDetail key={id} id={id} />;
}

function AuditDetail({ id }: { id: string }) {
  const audit = useQuery(queryFor(api.getAudit, { params: { id } }));
  const draft = useDraft<Edits>(`audit/${id}`);
  const feedback = useFeedback();
  const toast = useToast();

  if (audit.isPending || draft.isLoading) return <Loading text="Loading audit details..." shape="fields" />;
  const back = <BackButton to="/audits">Back to Folders</BackButton>;
  if (isNotFound(audit.error))
    return (
      <ErrorBox isPage message="Audit not found">
        {back}
      </ErrorBox>
    );
  if (!audit.data)
    return (
      <ErrorBox isPage message="Failed to load audit details" onRetry={audit.refetch}>
        {back}
      </ErrorBox>
    );
  return (
    <>
      <AuditEditor audit={audit.data} draft={draft} feedback={feedback} toast={toast} />
      <Toast feedback={feedback} />
      <Toast feedback={toast} />
    </>
  );
}
