import { Box, Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ArrowRight } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link, useParams } from 'wouter';
import { api } from '#shared/api.ts';
import type { Audit } from '#shared/audits.ts';
import { queryFor } from '../client/api.ts';
import { isNotFound } from '../client/errors.ts';
import { CopyNote } from '../drafts/CopyNote.tsx';
import { withOfflineCopy } from '../drafts/offlineCopies.ts';
import { startOutbox } from '../outbox/startOutbox.ts';
import { useSubmission } from '../outbox/useSubmission.ts';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { Name } from '../ui/feedback/Name.tsx';
import { OpenInAnotherTab } from '../ui/feedback/OpenInAnotherTab.tsx';
import { Toast } from '../ui/feedback/Toast.tsx';
import { useFeedback, useToast } from '../ui/feedback/useFeedback.ts';
import { Loading } from '../ui/loading/Loading.tsx';
import { lazyComponent } from '../ui/loading/lazyComponent.ts';
import { BackButton } from '../ui/navigation/BackButton.tsx';
import styles from './AuditDetail.module.css';
import { AuditEditor } from './AuditEditor.tsx';
import { AuditTag } from './AuditTag.tsx';
import { getCompletionFormName } from './completion.ts';
import { myAuditsQuery } from './myAudits.ts';
import { ReadOnlyAudit } from './ReadOnlyAudit.tsx';
import { useKeptEdits } from './useKeptEdits.ts';

const AuditFollowUp = lazyComponent(() => import('./AuditFollowUp.tsx'), 'AuditFollowUp');

export function AuditDetailPage() {
  const { id = '' } = useParams();
  // Remount for each audit, because the state and the draft belong to one audit.
  return <AuditDetail key={id} id={id} />;
}

function AuditDetail({ id }: { id: string }) {
  const audit = useQuery(withOfflineCopy('user', queryFor(api.getAudit, { params: { id } })));
  const outboxState = useSubmission(getCompletionFormName(id));
  const input = useKeptEdits(id, outboxState);
  const isElsewhere = input?.takeOver !== undefined;
  /** Whether it was open on this screen, so that the next one is offered once it is completed. */
  const [wasOpen, setWasOpen] = useState(false);
  if (audit.data?.data.completed === false && !wasOpen) setWasOpen(true);
  const feedback = useFeedback();
  const toast = useToast();

  useEffect(startOutbox, []);

  // The tab that had the audit may have changed it. It is shown as it is now before it can be changed here.
  const { refetch } = audit;
  const [wasElsewhere, setWasElsewhere] = useState(false);
  if (isElsewhere && !wasElsewhere) setWasElsewhere(true);
  useEffect(() => {
    if (!isElsewhere && wasElsewhere) void refetch().finally(() => setWasElsewhere(false));
  }, [isElsewhere, wasElsewhere, refetch]);

  if (audit.isPending || !input) return <Loading text="Loading audit details..." shape="fields" />;
  const isMissing = isNotFound(audit.error);
  if (isMissing || !audit.data)
    return (
      <ErrorBox
        isPage
        message={isMissing ? 'Audit not found' : 'Failed to load audit details'}
        onRetry={isMissing ? undefined : audit.refetch}
      >
        <BackButton to="/audits">Back to Folders</BackButton>
      </ErrorBox>
    );
  /** Moves the audit to this tab, which keeps it also while nothing is typed. */
  const takeOver = () => {
    input.use();
    input.takeOver?.();
  };
  // While a completion waits, no tab can change it.
  const canChange = !audit.data.data.completed && !outboxState.submission.item;
  return (
    <>
      <CopyNote reply={audit.data} />
      {wasElsewhere && canChange ? (
        <ReadOnlyAudit audit={audit.data} status={<AuditTag state="pending" />}>
          <Box mb="lg">
            {isElsewhere ? <OpenInAnotherTab onTakeOver={takeOver} /> : <Loading text="Loading audit details..." />}
          </Box>
        </ReadOnlyAudit>
      ) : (
        <AuditEditor
          audit={audit.data}
          input={input}
          outboxState={outboxState}
          next={wasOpen && <NextAudit audit={audit.data} />}
          feedback={feedback}
          toast={toast}
        />
      )}
      <AuditFollowUp audit={audit.data} />
      <Toast feedback={feedback} />
      <Toast feedback={toast} />
    </>
  );
}

/** After a completion: the user’s next audit at the same location, or else at the same park. */
function NextAudit({ audit: { id, park, data } }: { audit: Audit }) {
  const { data: mine = [] } = useQuery(myAuditsQuery);
  const here = mine.filter((other) => other.id !== id && other.park === park);
  const next = here.find(({ location }) => location && location === data.location) ?? here[0];
  if (!next) return null;
  return (
    <Button
      component={Link}
      to={`/audit/${next.id}`}
      className={styles.next}
      rightSection={<ArrowRight aria-hidden size={18} />}
    >
      <span>
        Next: <Name>{[next.title || 'Untitled Audit', next.location].filter(Boolean).join(', ')}</Name>
      </span>
    </Button>
  );
}
