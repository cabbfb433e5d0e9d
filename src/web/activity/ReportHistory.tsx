import { api } from '#shared/api.ts';
import { usePages } from '../client/usePages.ts';
import { RecordList } from '../ui/navigation/RecordList.tsx';
import { ActivityList } from './ActivityList.tsx';

/** The activity log entries of one report. */
export function ReportHistory({ id }: { id: string }) {
  const entries = usePages(api.getReportHistory, { params: { id } }, 20, ({ seq }) => ({ before: seq }));
  return (
    <RecordList query={entries} failed="The history could not be loaded." loading="Loading history..." shape={false}>
      {(entries) => <ActivityList entries={entries} />}
    </RecordList>
  );
}
