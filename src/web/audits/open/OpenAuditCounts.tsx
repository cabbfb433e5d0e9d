// How many audits are overdue, unassigned or to be verified. Each number opens its list.
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { api } from '#shared/api.ts';
import { queryFor } from '../../client/api.ts';
import { useNames } from '../../client/names.ts';
import { buildUrl } from '../../ui/navigation/buildUrl.ts';
import styles from './OpenAudits.module.css';

/**
 * Collapsed at first. The height of its one line is reserved while the numbers load, and while a filter is set: they are
 * those of the whole list.
 */
export function OpenAuditCounts({ isShown }: { isShown: boolean }) {
  const { data } = useQuery(queryFor(api.countOpenAudits));
  const showName = useNames();
  if (!data || !isShown) return <div className={styles.counts} />;
  const { parks, people, unassigned, toVerify } = data;
  const overdue = parks.reduce((sum, park) => sum + park.overdue, 0);
  if (overdue === 0 && unassigned === 0 && toVerify === 0) return null;
  const renderLinks = (title: string, list: { name: string; filters: Record<string, string>; count: number }[]) =>
    list.length > 0 && (
      <>
        <dt>{title}</dt>
        <dd className={styles.links}>
          {list.map(({ name, filters, count }) => (
            <Link key={name} to={buildUrl('/audits', { tab: 'open', ...filters })} className={styles.count}>
              {name} <b>{count}</b>
            </Link>
          ))}
        </dd>
      </>
    );
  return (
    <details className={styles.counts}>
      <summary>
        {overdue} overdue, {unassigned} unassigned
        {toVerify > 0 && `, ${toVerify} to verify`}
      </summary>
      <dl>
        {renderLinks(
          'Overdue by park',
          parks.map(({ park, overdue }) => ({ name: park, filters: { overdue: 'yes', park }, count: overdue })),
        )}
        {renderLinks(
          'Overdue by person',
          people.map(({ username, overdue }) => ({
            name: showName(username),
            filters: { overdue: 'yes', assignee: username },
            count: overdue,
          })),
        )}
        {unassigned > 0 &&
          renderLinks('No assignee', [{ name: 'Unassigned', filters: { unassigned: 'yes' }, count: unassigned }])}
        {toVerify > 0 &&
          renderLinks('Completed', [{ name: 'To Verify', filters: { state: 'verify' }, count: toVerify }])}
      </dl>
    </details>
  );
}
