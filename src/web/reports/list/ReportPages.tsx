import { FileSearch } from 'lucide-react';
import { api } from '#shared/api.ts';
import type { Query } from '#shared/contract.ts';
import type { Report } from '#shared/reports/reports.ts';
import { usePages } from '../../client/usePages.ts';
import { useRiddorStates } from '../../law/riddorStates.ts';
import { RecordList } from '../../ui/navigation/RecordList.tsx';
import { useLogError } from '../useLogError.ts';
import { ReportRow } from './ReportRow.tsx';
import styles from './reports.module.css';

/** The query of the list, without that of its pages. */
export type ReportListQuery = Omit<Query<typeof api.listReports, 'input'>, 'after' | 'limit'>;

type ReportPagesProps = {
  query: ReportListQuery;
  onOpen: (report: Report) => void;
};

/** Reports page by page, newest first. */
export function ReportPages({ query, onOpen }: ReportPagesProps) {
  const pages = usePages(api.listReports, { query }, 25, ({ id }) => ({ after: id }));
  useLogError(pages.error);
  const riddorStates = useRiddorStates((pages.data?.pages ?? []).map((page) => page.map(({ id }) => id)));

  return (
    <div className={styles.pages}>
      <RecordList
        query={pages}
        failed="The reports could not be loaded."
        isNotStored
        empty={{ icon: FileSearch, text: 'No reports found.' }}
        className={styles.rows}
        row={(report) => (
          <li>
            <ReportRow report={report} riddorState={riddorStates.get(report.id)} onOpen={() => onOpen(report)} />
          </li>
        )}
      />
    </div>
  );
}
