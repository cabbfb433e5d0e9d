import { CircleCheck } from 'lucide-react';
import { type Audit, getCompletedBy } from '#shared/audits.ts';
import { formatInstantDay } from '#shared/dates.ts';
import { useNames } from '../client/names.ts';
import { DateField, TimeField } from '../ui/forms/DateField.tsx';
import styles from './AuditDetail.module.css';
import { AuditHeading } from './AuditHeading.tsx';
import { Attachments, CurrentDueDate, Section } from './AuditSections.tsx';
import { AuditTag } from './AuditTag.tsx';

/** A completed audit, read-only. */
export function CompletedAudit({ audit }: { audit: Audit }) {
  const { location, assignee, description, completed_at } = audit.data;
  const showName = useNames();
  const completionText = `by ${showName(getCompletedBy(audit.data))}${completed_at ? ` on ${formatInstantDay(completed_at)}` : ''}`;
  return (
    <>
      <AuditHeading audit={audit} />
      <p className={styles.notice}>
        <CircleCheck aria-hidden size={20} />
        This audit has been marked as completed {completionText}.
      </p>
      <div className={styles.columns}>
        <div className={styles.column}>
          <Section title="Location">
            <p className={styles.text}>{location || 'Not specified'}</p>
          </Section>
          <Section title="Assignee">
            <p className={styles.text}>{showName(assignee) || 'Not assigned'}</p>
          </Section>
          <Section title="Description">
            <p className={styles.text}>{description || 'No description provided'}</p>
          </Section>
          <Attachments audit={audit} />
        </div>
        <div className={styles.column}>
          <Section title="Status">
            <AuditTag state="completed" />
            <p className={styles.text}>Completed {completionText}</p>
          </Section>
          <Section title="Date & Time">
            <DateField label="Date" value={audit.date ?? ''} disabled readOnly />
            <TimeField label="Time" value={audit.time ?? ''} disabled readOnly />
            <CurrentDueDate audit={audit} />
          </Section>
        </div>
      </div>
    </>
  );
}
