// A line under the filters with the numbers of reports in the period. Each links to its list.
import { Link } from 'wouter';
import { getToday } from '#shared/dates.ts';
import { createAllReportsList, measureLists, type OverviewList } from '#shared/overview/lists.ts';
import type { Overview, Period } from '#shared/overview/overview.ts';
import { moveToHeading } from '../ui/navigation/moveToHeading.ts';
import { getListUrl } from './links.ts';
import styles from './overview.module.css';

type SummaryProps = { rows: Overview['parks']; days: Period; park: string | undefined; type: string | undefined };

export function Summary({ rows, days, park, type }: SummaryProps) {
  const listScope = { days, park, type, today: getToday() };
  const sum = (name: 'accidents' | 'incidents' | 'emergencies') =>
    rows.reduce((total, { now }) => total + now[name], 0);
  const [accidents, incidents, emergencies] = [sum('accidents'), sum('incidents'), sum('emergencies')];
  const link = (count: number, one: string, many: string, list: OverviewList) => (
    <Link to={getListUrl(list)} className={styles.link}>
      {count} {count === 1 ? one : many}
    </Link>
  );
  if (accidents + incidents === 0) return <p className={styles.summary}>No reports in this period.</p>;
  return (
    <p className={styles.summary}>
      {link(accidents + incidents, 'report', 'reports', createAllReportsList(listScope))}:{' '}
      {link(accidents, 'accident', 'accidents', measureLists.accidents(listScope))},{' '}
      {link(incidents, 'incident', 'incidents', measureLists.incidents(listScope))},{' '}
      {link(emergencies, 'with emergency services', 'with emergency services', measureLists.emergencies(listScope))}.{' '}
      <button
        type="button"
        className={`${styles.link} ${styles.noPrint}`}
        onClick={() => moveToHeading(document.getElementById('by-type'))}
      >
        See numbers by type
      </button>
    </p>
  );
}
