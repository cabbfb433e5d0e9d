import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import { SubmissionReceipt } from '../../outbox/SubmissionReceipt.tsx';
import type { OutboxFormProps } from '../../outbox/useOutboxForm.ts';

type AuditReceiptProps = Pick<OutboxFormProps<object>, 'outboxState'> & {
  label: string;
  /** Left out where the form is shown, or another screen follows. */
  another: string | undefined;
  onNext: () => void;
};

/** The end of the forms for a new audit and a new hazard, once it has arrived or waits for a connection. */
export function AuditReceipt({ outboxState: { submission }, ...props }: AuditReceiptProps) {
  const { phase, item, receipt } = submission;
  if (phase !== 'sent' && phase !== 'saved') return null;
  return (
    <SubmissionReceipt item={item} receipt={receipt} {...props}>
      {receipt?.auditId && (
        <Anchor component={Link} to={`/audit/${receipt.auditId}`}>
          Open the Audit
        </Anchor>
      )}
    </SubmissionReceipt>
  );
}
