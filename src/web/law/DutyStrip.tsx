// The numbers of reports that are overdue, to report and to assess, above the lists that a manager
// sees. Each opens its list.
import { Anchor } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { Scale } from 'lucide-react';
import { Fragment } from 'react';
import { Link } from 'wouter';
import { api } from '#shared/api.ts';
import type { Query } from '#shared/contract.ts';
import { writeReportFilters } from '#shared/reports/report-url.ts';
import type { DutyKind } from '#shared/reports/reports.ts';
import { queryFor } from '../client/api.ts';
import { buildUrl } from '../ui/navigation/buildUrl.ts';
import styles from './DutyStrip.module.css';

type DutyStripProps = {
  /** The lists that are counted, with their searches. */
  lists: Query<typeof api.countDuties, 'input'>[];
};

const texts: [DutyKind, string][] = [
  ['overdue', 'overdue'],
  ['toReport', 'to report'],
  ['toAssess', 'to assess'],
];

/**
 * Shown if there is something to do. Has its height while that is counted, so that the content below
 * does not move then.
 */
export function DutyStrip({ lists }: DutyStripProps) {
  const { counts, isPending, isError } = useQueries({
    queries: lists.map((query) => queryFor(api.countDuties, { query })),
    combine: (results) => ({
      counts: results.map(({ data }) => data),
      isPending: results.some((result) => result.isPending),
      isError: results.some((result) => result.isError),
    }),
  });
  const deleted = counts[0]?.deleted ?? 0;
  const duties = texts
    .map(([duty, text]) => ({ duty, text, listsWithDuty: lists.filter((_, index) => counts[index]?.[duty]) }))
    .filter(({ listsWithDuty }) => listsWithDuty.length > 0);
  const sum = (duty: DutyKind) => counts.reduce((total, count) => total + (count?.[duty] ?? 0), 0);
  if (duties.length === 0 && deleted === 0 && !isPending && !isError) return null;
  return (
    <div role="status">
      <p className={styles.strip} data-urgent={sum('overdue') > 0 || undefined}>
        <Scale aria-hidden size={18} className={styles.icon} />
        <span>
          RIDDOR:{' '}
          {duties.length === 0 && (isPending ? 'counting...' : isError ? 'could not be counted' : 'nothing to do')}
          {duties.map(({ duty, text, listsWithDuty }, index) => (
            <Fragment key={duty}>
              {index > 0 && ', '}
              <Anchor component={Link} to={getListUrl(duty, listsWithDuty)} className={styles.link} inherit>
                {sum(duty)} {text}
              </Anchor>
            </Fragment>
          ))}
        </span>
        {deleted > 0 && (
          <Anchor component={Link} to="/admin/deleted" className={styles.link} inherit>
            {deleted} deleted with open duties
          </Anchor>
        )}
      </p>
    </div>
  );
}

/** The list of reports with this duty: of one type, if no reports of the other type have it. */
function getListUrl(duty: DutyKind, [list, ...others]: DutyStripProps['lists']): string {
  const { q: _, reportType, ...filters } = list ?? {};
  const kind = others.length === 0 ? reportType : undefined;
  return buildUrl('/get-reports', { view: 'list', ...writeReportFilters({ ...filters, reportType: kind, duty }) });
}
