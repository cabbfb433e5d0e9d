import { Checkbox, NativeSelect } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { History } from 'lucide-react';
import { isAllowed } from '#shared/access.ts';
import { type Activity, type EntityType, entityTypes } from '#shared/activity.ts';
import { api } from '#shared/api.ts';
import { parseDay } from '#shared/dates.ts';
import { callApi } from '../client/api.ts';
import { useUser } from '../client/session.ts';
import { ExportButtons } from '../exports/ExportButtons.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { DayRange } from '../ui/forms/DayRange.tsx';
import { SearchBox } from '../ui/forms/SearchBox.tsx';
import { Loading } from '../ui/loading/Loading.tsx';
import { BackButton } from '../ui/navigation/BackButton.tsx';
import { PageHeading } from '../ui/navigation/PageHeading.tsx';
import { ShowMore } from '../ui/navigation/ShowMore.tsx';
import { useFilters } from '../ui/navigation/useUrlState.ts';
import { ActivityList } from './ActivityList.tsx';
import styles from './ActivityPage.module.css';
import { entityTypeNames } from './activityText.ts';

const pageSize = 50;

type Filters = { q: string; thing: EntityType | undefined; changes: '1' | undefined; from: string; to: string };

const activityQuery = (filters: Filters) => ({
  queryKey: [api.listActivity.path, filters],
  queryFn: ({ pageParam, signal }: { pageParam: number | undefined; signal: AbortSignal }) =>
    callApi(api.listActivity, { query: { ...filters, before: pageParam, limit: pageSize }, signal }),
  initialPageParam: undefined as number | undefined,
  getNextPageParam: (page: Activity[]) => (page.length === pageSize ? page.at(-1)?.seq : undefined),
  placeholderData: keepPreviousData<{ pages: Activity[][]; pageParams: (number | undefined)[] }>,
});

export function ActivityPage() {
  const [{ q, from, to, ...requested }, filter] = useFilters('q', 'thing', 'changes', 'from', 'to', 'back');
  // Only Admins see sign-ins and rejected requests.
  const isAdmin = isAllowed('admin', useUser());
  const kinds = isAdmin ? entityTypes : entityTypes.filter((kind) => kind !== 'session');
  const thing = kinds.find((thing) => thing === requested.thing);
  const days = { from: parseDay(from) ?? '', to: parseDay(to) ?? '' };
  const changes = requested.changes === '1' ? '1' : undefined;
  const isFromOverview = /^\/overview(\?|$)/.test(requested.back);
  const entryPages = useInfiniteQuery(activityQuery({ q, thing, changes, ...days }));
  const entries = entryPages.data?.pages.flat();

  return (
    <>
      <PageHeading
        title="Activity"
        text="Who did what, and when."
        back={
          isFromOverview ? (
            <BackButton to={requested.back}>Overview</BackButton>
          ) : (
            <BackButton to="/admin?tab=users">Back to User Management</BackButton>
          )
        }
      />
      <div className={styles.filters}>
        <div className={styles.search}>
          <SearchBox label="Search activity..." value={q} onSearch={(q) => filter({ q })} />
        </div>
        <NativeSelect
          label="Type"
          value={thing ?? ''}
          data={[
            { value: '', label: 'All types' },
            ...kinds.map((thing) => ({ value: thing, label: entityTypeNames[thing] })),
          ]}
          onChange={(event) => filter({ thing: event.currentTarget.value })}
        />
        <DayRange {...days} onChange={filter} />
        <Checkbox
          label="Changes only"
          checked={changes !== undefined}
          onChange={({ currentTarget }) => filter({ changes: currentTarget.checked ? '1' : '' })}
        />
      </div>
      <ExportButtons list="activity" name="Activity" filters={{ q, thing, changes, ...days }} />
      {entryPages.isPending && <Loading text="Loading activity..." shape="rows" />}
      {entryPages.isError && !entryPages.isFetchNextPageError && (
        <ErrorBox isNotStored message="The activity could not be loaded." onRetry={() => entryPages.refetch()} />
      )}
      {entries?.length === 0 && (
        <EmptyState icon={History} text="No activity found." hint="Try another word, person or date." />
      )}
      {entries && (
        <div className={styles.entries} aria-busy={entryPages.isPlaceholderData}>
          <ActivityList entries={entries} />
          <ShowMore list={entryPages} />
        </div>
      )}
    </>
  );
}
