import { CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { type Audit, describeVerification, getCompletedBy } from '#shared/audits.ts';
import { formatInstantDay } from '#shared/dates.ts';
import { useNames } from '../client/names.ts';
import { DateField, TimeField } from '../ui/forms/DateField.tsx';
import styles from './AuditDetail.module.css';
import { AuditHeading } from './AuditHeading.tsx';
import { Attachments, AuditColumns, AuditSection, AuditTextSections, CurrentDueDate } from './AuditSections.tsx';
import { AuditTag } from './AuditTag.tsx';

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

type ReadOnlyAuditProps = { audit: Audit; status: ReactNode; children: ReactNode };

/** An audit that cannot be changed. The children say why. */
export const ReadOnlyAudit = ({ audit, status, children }: ReadOnlyAuditProps) => (
  <>
    <AuditHeading audit={audit} />
    {children}
    <AuditColumns audit={audit}>
      <div className={`${styles.column} ${styles.texts}`}>
        <AuditTextSections audit={audit} />
      </div>
      <AuditSection title="Status">{status}</AuditSection>
      <AuditSection title="Date & Time">
        {audit.date && <DateField label="Date" value={audit.date} disabled readOnly />}
        {audit.time && <TimeField label="Time" value={audit.time} disabled readOnly />}
        <CurrentDueDate audit={audit} />
      </AuditSection>
      <div className={`${styles.column} ${styles.attachments}`}>
        <Attachments audit={audit} />
      </div>
    </AuditColumns>
  </>
);
