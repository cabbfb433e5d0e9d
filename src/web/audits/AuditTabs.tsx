import { Link } from 'wouter';
import styles from './AuditTabs.module.css';

export const auditTabs = [
  { value: '', label: 'Folders' },
  { value: 'mine', label: 'Assigned to Me' },
  { value: 'open', label: 'All Open Audits' },
] as const;

/** The three lists of audits; the current one is in the URL, `/audits?tab=mine`. None is while another state is chosen. */
export function AuditTabs({ current }: { current: (typeof auditTabs)[number]['value'] | undefined }) {
  return (
    <nav aria-label="Audits" className={styles.tabs}>
      {auditTabs.map(({ value, label }) => (
        <Link
          key={value}
          to={value ? `/audits?tab=${value}` : '/audits'}
          className={styles.tab}
          aria-current={value === current ? 'page' : undefined}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}
