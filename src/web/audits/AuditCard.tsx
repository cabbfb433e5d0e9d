import { Box } from '@mantine/core';
// An audit in a list. Uses plain elements instead of Mantine's, because a page may have thousands.
import {
  CalendarClock,
  CircleCheck,
  Folder,
  type LucideIcon,
  MapPin,
  Paperclip,
  Trash2,
  TriangleAlert,
  UserRound,
} from 'lucide-react';
import { memo } from 'react';
import { Link } from 'wouter';
import { describeVerification, formatDue, getCompletedBy, isOverdue, type ListedAudit } from '#shared/audits.ts';
import { formatInstantDay } from '#shared/dates.ts';
import { pluralise } from '#shared/pluralise.ts';
import { useNames } from '../client/names.ts';
import { Name } from '../ui/feedback/Name.tsx';
import styles from './AuditCard.module.css';
import { AuditTag } from './AuditTag.tsx';

type AuditCardProps = {
  audit: ListedAudit;
  /** The folder and park of the audit, in lists of several folders. */
  where?: string;
  onDelete: (audit: ListedAudit) => void;
};

const renderLine = (Icon: LucideIcon, label: string, text: string | undefined) =>
  text && (
    <p className={styles.line}>
      <Icon aria-hidden size={16} />
      <span>
        <b>{label}:</b> {text}
      </span>
    </p>
  );

export const AuditCard = memo(function AuditCard({ audit, where, onDelete }: AuditCardProps) {
  const showName = useNames();
  const title = audit.title || 'Untitled Audit';
  const overdue = isOverdue(audit);
  const due = formatDue(audit);
  const files = audit.media_files.length;
  return (
    <li className={styles.card} data-edge={audit.is_urgent ? 'urgent' : overdue ? 'overdue' : undefined}>
      <div className={styles.header}>
        <h2 className={styles.title}>
          {title}
          {audit.completed && <CircleCheck role="img" aria-label="Completed" className={styles.check} size={20} />}
        </h2>
        {audit.is_urgent && <AuditTag state="urgent" />}
      </div>
      {audit.parse_error && (
        <p className={styles.strip}>
          <TriangleAlert aria-hidden size={16} />
          Data issue detected
        </p>
      )}
      {renderLine(Folder, 'Folder', where)}
      {renderLine(MapPin, 'Location', audit.location)}
      {renderLine(UserRound, 'Assignee', showName(audit.assignee))}
      {renderLine(CalendarClock, 'Date/Time', due)}
      {audit.description && <p className={styles.description}>{audit.description}</p>}
      <Box className="wrap line tight" mt="auto">
        <AuditTag state={audit.completed ? 'completed' : 'pending'} />
        {overdue && <AuditTag state="overdue" />}
        {audit.verification?.by && <AuditTag state="toVerify" />}
        {audit.verification?.outcome && <AuditTag state={audit.verification.outcome} />}
        {files > 0 && (
          <span className={styles.files}>
            <Paperclip aria-hidden size={16} />
            {pluralise(files, 'attachment')}
          </span>
        )}
      </Box>
      {audit.completed && (
        <p className={styles.completer}>
          Completed by <Name>{showName(getCompletedBy(audit))}</Name>
          {audit.completed_at && ` on ${formatInstantDay(audit.completed_at)}`}
          {audit.verification?.by && `. ${describeVerification(audit.verification, showName)}`}
        </p>
      )}
      <div className={styles.footer}>
        <Link to={`/audit/${audit.id}`} className={styles.view} aria-label={`View Details of ${title}`}>
          View Details
        </Link>
        <button type="button" className={styles.delete} aria-label={`Delete ${title}`} onClick={() => onDelete(audit)}>
          <Trash2 aria-hidden size={18} />
        </button>
      </div>
    </li>
  );
});
