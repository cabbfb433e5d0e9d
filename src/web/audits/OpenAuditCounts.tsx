// How many open audits are overdue and unassigned. Each number opens its list.
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { api } from '#shared/api.ts';
import { queryFor } from '../client/api.ts';
import { useNames } from '../client/names.ts';
import { buildUrl } from '../ui/navigation/buildUrl.ts';
import styles from './OpenAudits.module.css';

/** Folded, one line, which has its height from the start. */
export function OpenAuditCounts() {
  const { data } = useQuery(queryFor(api.countOpenAudits));
  const showName = useNames();
  if (!data) return <div className={styles.counts} />;
  const { parks, people, unassigned } = data;
  const overdue = parks.reduce((sum, park) => sum + park.overdue, 0);
  if (overdue === 0 && unassigned === 0) return null;
  const links = (title: string, list: { name: string; filters: Record<string, string>; overdue: number }[]) =>
    list.length > 0 && (
      <>
        <dt>{title}</dt>
        <dd>
          {list.map(({ name, filters, overdue }) => (
            <Link key={name} to={buildUrl('/audits', { tab: 'open', ...filters })}>
              {name} <b>{overdue}</b>
            </Link>
          ))}
        </dd>
      </>
    );
  return (
    <details className={styles.counts}>
      <summary>
        {overdue} overdue, {unassigned} unassigned
      </summary>
      <dl>
        {links(
          'Overdue by park',
          parks.map(({ park, overdue }) => ({ name: park, filters: { overdue: 'yes', park }, overdue })),
        )}
        {links(
          'Overdue by person',
          people.map(({ username, overdue }) => ({
            name: showName(username),
            filters: { overdue: 'yes', assignee: username },
            overdue,
          })),
        )}
        {unassigned > 0 &&
          links('No assignee', [{ name: 'Unassigned', filters: { unassigned: 'yes' }, overdue: unassigned }])}
      </dl>
    </details>
  );
}
