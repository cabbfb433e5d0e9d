import type { ReactNode } from 'react';
import type { Audit } from '#shared/audits.ts';
import { DateField, TimeField } from '../ui/forms/DateField.tsx';
import styles from './AuditDetail.module.css';
import { AuditHeading } from './AuditHeading.tsx';
import { Attachments, AuditColumns, AuditSection, AuditTextSections, CurrentDueDate } from './AuditSections.tsx';

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
