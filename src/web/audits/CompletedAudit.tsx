import { CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { type Audit, describeVerification, getCompletedBy } from '#shared/audits.ts';
import { formatInstantDay } from '#shared/dates.ts';
import { useNames } from '../client/names.ts';
import styles from './AuditDetail.module.css';
import { AuditTag } from './AuditTag.tsx';
import { ReadOnlyAudit } from './ReadOnlyAudit.tsx';

/** A completed audit. */
export function CompletedAudit({ audit, next }: { audit: Audit; next: ReactNode }) {
  const { data } = audit;
  const { completed_at } = data;
  const showName = useNames();
  const completionText = `by ${showName(getCompletedBy(data))}${completed_at ? ` on ${formatInstantDay(completed_at)}` : ''}`;
  const status = (
    <>
      <AuditTag state="completed" />
      <p className={styles.text}>Completed {completionText}</p>
      {data.verification && <p className={styles.text}>{describeVerification(data.verification, showName)}</p>}
    </>
  );
  return (
    <ReadOnlyAudit audit={audit} status={status}>
      <p className={styles.notice}>
        <CircleCheck aria-hidden size={20} />
        <span>{`This audit has been marked as completed ${completionText}.`}</span>
      </p>
      {next}
    </ReadOnlyAudit>
  );
}
