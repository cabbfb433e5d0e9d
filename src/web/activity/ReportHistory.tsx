import { useInfiniteQuery } from '@tanstack/react-query';
import type { Activity } from '#shared/activity.ts';
import { api } from '#shared/api.ts';
import { callApi } from '../client/api.ts';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { Loading } from '../ui/loading/Loading.tsx';
import { ShowMore } from '../ui/navigation/ShowMore.tsx';
import { ActivityList } from './ActivityList.tsx';

const pageSize = 20;

/** The activity log entries of one report. */
export function ReportHistory({ id }: { id: string }) {
  const entryPages = useInfiniteQuery({
    queryKey: [api.getReportHistory.path, id],
    queryFn: ({ pageParam, signal }: { pageParam: number | undefined; signal: AbortSignal }) =>
      callApi(api.getReportHistory, { params: { id }, query: { before: pageParam, limit: pageSize }, signal }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (page: Activity[]) => (page.length === pageSize ? page.at(-1)?.seq : undefined),
  });

  if (entryPages.isPending) return <Loading text="Loading history..." />;
  if (!entryPages.data)
    return <ErrorBox message="The history could not be loaded." onRetry={() => entryPages.refetch()} />;
  return (
    <>
      <ActivityList entries={entryPages.data.pages.flat()} />
      <ShowMore list={entryPages} />
    </>
  );
}
