// How many reports are overdue, to report and to assess, over the lists that a manager looks at.
import { Anchor } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { Scale } from 'lucide-react';
import { Link } from 'react-router';
import { api } from '#shared/api.ts';
import type { Query } from '#shared/contract.ts';
import { queryFor } from '../client/api.ts';
import styles from './DutyStrip.module.css';

export type DutyStripProps = {
  /** The lists that are counted, as they are searched. */
  lists: Query<typeof api.countDuties, 'input'>[];
  /** Where the reports are, on a page that does not show them itself. */
  to?: string;
};

/** Always one line high, so that nothing below it moves. */
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
  const [overdue, toReport, toAssess] = [sum('overdue'), sum('toReport'), sum('toAssess')];
  const deleted = counts[0]?.deleted ?? 0;
  const parts = [
    overdue > 0 && `${overdue} overdue`,
    toReport > 0 && `${toReport} to report`,
    toAssess > 0 && `${toAssess} to assess`,
  ].filter((part) => part !== false);
  const nothing = isPending ? 'counting...' : isError ? 'could not be counted' : 'nothing left to do';
  const text = `RIDDOR: ${parts.length > 0 ? parts.join(', ') : nothing}`;
  return (
    <div role="status">
      <p className={styles.strip} data-urgent={overdue > 0 || undefined}>
        <Scale aria-hidden size={18} className={styles.icon} />
        {to && parts.length > 0 ? (
          <Anchor component={Link} to={to} inherit>
            {text}
          </Anchor>
        ) : (
          <span>{text}</span>
        )}
        {deleted > 0 && (
          <Anchor component={Link} to="/admin/deleted" inherit>
            {deleted} deleted, not settled
          </Anchor>
        )}
      </p>
    </div>
  );
}
