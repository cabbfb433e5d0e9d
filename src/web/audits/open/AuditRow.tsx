// An audit in a list of many: a row on a wide screen, a compact card on a phone.
import { memo } from 'react';
import { Link } from 'wouter';
import { describeAuditDay, getCompletedBy, isOverdue, type OpenAudit } from '#shared/audits.ts';
import { countDays } from '#shared/calendar.ts';
import { getToday } from '#shared/dates.ts';
import { pluralise } from '#shared/pluralise.ts';
import { useNames } from '../../client/names.ts';
import rows from '../../ui/theme/rows.module.css';
import { AuditTag } from '../AuditTag.tsx';
import styles from './OpenAudits.module.css';

type AuditRowProps = {
  audit: OpenAudit;
  /** undefined unless the user is selecting audits. */
  isChosen: boolean | undefined;
  onChoose: (id: string, isChosen: boolean) => void;
};

export const AuditRow = memo(function AuditRow({ audit, isChosen, onChoose }: AuditRowProps) {
  const showName = useNames();
  const title = audit.title || 'Untitled Audit';
  const isLate = isOverdue(audit);
  const verifyBy = audit.verification?.by;
  const dueDay = verifyBy ?? audit.date ?? '';
  return (
    <li className={styles.row} data-edge={audit.is_urgent ? 'urgent' : isLate ? 'overdue' : undefined}>
      <h2 className={styles.title}>
        <Link to={`/audit/${audit.id}`}>{title}</Link>
      </h2>
      <span className={styles.states}>
        {audit.is_urgent && <AuditTag state="urgent" />}
        {verifyBy && <AuditTag state="toVerify" />}
        {audit.completed && !verifyBy && <AuditTag state={audit.verification?.outcome ?? 'completed'} />}
        {audit.parse_error && <AuditTag state="damaged" />}
        {isLate && <b className={styles.late}>{pluralise(countDays(dueDay, getToday()), 'day')} late</b>}
      </span>
      <p className={styles.facts}>
        <span>
          {audit.park}, {audit.folder_name}
        </span>
        <span>{describePerson(audit, showName)}</span>
        <span>{describeAuditDay(audit)}</span>
      </p>
      {isChosen !== undefined && (
        <label className={rows.choose}>
          <input
            type="checkbox"
            aria-label={`Choose ${title}`}
            checked={isChosen}
            onChange={(event) => onChoose(audit.id, event.currentTarget.checked)}
          />
        </label>
      )}
    </li>
  );
});

/** Who has to complete or verify it; of an audit with nothing left to do, who completed it. */
function describePerson({ assignee, verification, ...audit }: OpenAudit, showName: (username: string) => string) {
  if (verification?.by) return verification.verifier ? showName(verification.verifier) : 'Anyone';
  if (audit.completed) return showName(getCompletedBy(audit));
  return assignee ? showName(assignee) : 'Not assigned';
}
