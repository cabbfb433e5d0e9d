import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { api } from '../../shared/api.ts';
import { read } from '../api.ts';
import { BackButton } from '../ui/BackButton.tsx';
import { ErrorBox } from '../ui/ErrorBox.tsx';
import { FeedbackMessage, Toast } from '../ui/FeedbackMessage.tsx';
import { Loading } from '../ui/Loading.tsx';
import { useDraft } from '../ui/useDraft.ts';
import { useFeedback, useToast } from '../ui/useFeedback.ts';
import { AuditEditor } from './AuditEditor.tsx';
import { isMissing } from './messages.ts';
import type { Edits } from './useAuditEdits.ts';

export function AuditDetailPage() {
  const { id = '' } = useParams();
  const audit = useQuery(read(api.getAudit, { params: { id } }));
  const draft = useDraft<Edits>(`audit/${id}`);
  const said = useFeedback();
  const toast = useToast();

  if (audit.isPending || draft.isLoading) return <Loading text="Loading audit details..." shape="fields" />;
  const back = <BackButton to="/audits">Back to Folders</BackButton>;
  if (isMissing(audit.error))
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
      <AuditEditor key={id} audit={audit.data} draft={draft} said={said} toast={toast} />
      <FeedbackMessage feedback={said} />
      <Toast feedback={toast} />
    </>
  );
}
