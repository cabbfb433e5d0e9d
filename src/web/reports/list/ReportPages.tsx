import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { FileSearch } from 'lucide-react';
import { api } from '#shared/api.ts';
import type { Query } from '#shared/contract.ts';
import type { Report } from '#shared/reports/reports.ts';
import { callApi } from '../../client/api.ts';
import { useRiddorStates } from '../../law/riddorStates.ts';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { ErrorBox } from '../../ui/feedback/ErrorBox.tsx';
import { Loading } from '../../ui/loading/Loading.tsx';
import { ShowMore } from '../../ui/navigation/ShowMore.tsx';
import { useLogError } from '../useLogError.ts';
import { ReportRow } from './ReportRow.tsx';
import styles from './reports.module.css';

/** The query of the list, without that of its pages. */
export type ReportListQuery = Omit<Query<typeof api.listReports, 'input'>, 'after' | 'limit'>;

type ReportPagesProps = {
  query: ReportListQuery;
  onOpen: (report: Report) => void;
};

const pageSize = 25;

/** Reports page by page, newest first. */
export function ReportPages({ query, onOpen }: ReportPagesProps) {
  const pages = useInfiniteQuery({
    queryKey: [api.listReports.path, 'pages', query],
    queryFn: ({ pageParam, signal }) =>
      callApi(api.listReports, { query: { ...query, limit: pageSize, after: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => (page.length === pageSize ? page.at(-1)?.id : undefined),
    placeholderData: keepPreviousData,
  });
  useLogError(pages.error);
  const riddorStates = useRiddorStates((pages.data?.pages ?? []).map((page) => page.map(({ id }) => id)));

  if (pages.isPending) return <Loading shape="rows" />;
  const reports = pages.data?.pages.flat() ?? [];
  return (
    <div className={styles.pages}>
      {pages.error && !pages.isFetchNextPageError && (
        <ErrorBox isNotStored message="The reports could not be loaded." onRetry={() => pages.refetch()} />
      )}
      {pages.data && reports.length === 0 && <EmptyState icon={FileSearch} text="No reports found." />}
      <ul className={styles.rows}>
        {reports.map((report) => (
          <li key={report.id}>
            <ReportRow report={report} riddorState={riddorStates.get(report.id)} onOpen={() => onOpen(report)} />
          </li>
        ))}
      </ul>
      <ShowMore list={pages} />
    </div>
  );
}
