// The numbers of reports that are overdue, to report and to assess, above the lists that a manager
// sees.
import { Anchor } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { Scale } from 'lucide-react';
import { Link } from 'react-router';
import { api } from '#shared/api.ts';
import type { Query } from '#shared/contract.ts';
import { queryFor } from '../client/api.ts';
import styles from './DutyStrip.module.css';

export type DutyStripProps = {
  /** The lists that are counted, with their searches. */
  lists: Query<typeof api.countDuties, 'input'>[];
  /** The URL of the reports, on a page that does not show them itself. */
  to?: string;
};

/** Has the height of its usual text from the start, so that the content below does not move. */
export function DutyStrip({ lists, to }: DutyStripProps) {
  const { counts, isPending, isError } = useQueries({
    queries: lists.map((query) => queryFor(api.countDuties, { query })),
    combine: (results) => ({
      counts: results.map(({ data }) => data),
      isPending: results.some((result) => result.isPending),
      isError: results.some((result) => result.isError),
    }),
  });
  const sum = (key: 'overdue' | 'toReport' | 'toAssess') => counts.reduce((total, one) => total + (one?.[key] ?? 0), 0);
  const [overdueCount, toReportCount, toAssessCount] = [sum('overdue'), sum('toReport'), sum('toAssess')];
  const deleted = counts[0]?.deleted ?? 0;
  const parts = [
    overdueCount > 0 && `${overdueCount} overdue`,
    toReportCount > 0 && `${toReportCount} to report`,
    toAssessCount > 0 && `${toAssessCount} to assess`,
  ].filter((part) => part !== false);
  const emptyText = isPending ? 'counting...' : isError ? 'could not be counted' : 'nothing to do';
  const text = `RIDDOR advice, a manager decides: ${parts.length > 0 ? parts.join(', ') : emptyText}`;
  return (
    <div role="status">
      <p className={styles.strip} data-urgent={overdueCount > 0 || undefined}>
        <span className={styles.text}>
          <Scale aria-hidden size={18} className={styles.icon} />
          {to && parts.length > 0 ? (
            <Anchor component={Link} to={to} inherit>
              {text}
            </Anchor>
          ) : (
            <span>{text}</span>
          )}
        </span>
        {deleted > 0 && (
          <Anchor component={Link} to="/admin/deleted" inherit>
            {deleted} deleted with open duties
          </Anchor>
        )}
      </p>
    </div>
  );
}
