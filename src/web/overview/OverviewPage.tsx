// Events in the parks: items that need attention first, then numbers of every park, then charts.
import { Button, Group, Title, VisuallyHidden } from '@mantine/core';
import { useIntersection } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Printer } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import { api } from '#shared/api.ts';
import { formatDay, getToday } from '#shared/dates.ts';
import { createAllReportsList, type ListScope, measureLists, type OverviewList } from '#shared/overview/lists.ts';
import { getPeriodBefore, type Overview } from '#shared/overview/overview.ts';
import { describeOverview } from '#shared/overview/sentences.ts';
import { queryFor } from '../client/api.ts';
import { useUser } from '../client/session.ts';
import { LessonList } from '../investigations/LessonList.tsx';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { DayRange } from '../ui/forms/DayRange.tsx';
import { IconButton } from '../ui/forms/IconButton.tsx';
import { describeParks, findParks } from '../ui/forms/parkChoices.ts';
import { Loading } from '../ui/loading/Loading.tsx';
import { lazyComponent } from '../ui/loading/lazyComponent.ts';
import { buildUrl } from '../ui/navigation/buildUrl.ts';
import { isBackNavigation } from '../ui/navigation/location.ts';
import { moveToHeading } from '../ui/navigation/moveToHeading.ts';
import { PageHeading } from '../ui/navigation/PageHeading.tsx';
import { useFilters } from '../ui/navigation/useUrlState.ts';
import { Attention } from './Attention.tsx';
import { FirstStepsLine } from './FirstStepsLine.tsx';
import { getListUrl } from './links.ts';
import styles from './overview.module.css';
import { ParkPicker } from './ParkPicker.tsx';
import { ParksTable } from './ParksTable.tsx';
import { findPeriod, getDays, type PeriodName, periods } from './period.ts';

const loadingCharts = (
  <div className={styles.noPrint}>
    <Loading text="Loading charts..." />
  </div>
);
/** Loaded separately, because the charts are far larger than the rest, which is shown first. */
const Charts = lazyComponent(() => import('./Charts.tsx'), 'Charts', loadingCharts);

export function OverviewPage() {
  const user = useUser();
  const [path] = useLocation();
  const search = useSearch();
  const [filters, filter] = useFilters('period', 'from', 'to', 'park', 'type');
  const period = findPeriod(filters.period);
  const days = getDays(period, filters);
  const park = findParks(filters.park, user.parks).join() || undefined;
  const type = filters.type || undefined;
  const scope = { days, park, type, today: getToday() };
  const { data, isPending, error, refetch, isPlaceholderData } = useQuery({
    ...queryFor(api.getOverview, { query: { ...days, park, type } }),
    placeholderData: keepPreviousData,
  });
  const scopeText = `${describeParks(park)}, ${formatDay(days.from)} to ${formatDay(days.to)}${type ? `, type ${type}` : ''}`;
  const filterByType = (type: string) => {
    filter({ type });
    // The table of parks, which now shows only this type, is above the chart that was pressed.
    moveToHeading(document.getElementById('parks'));
  };
  return (
    <div className={styles.page}>
      <PageHeading title="Overview" text={scopeText}>
        <Group gap="xs" className={styles.noPrint}>
          <Button
            component={Link}
            to={buildUrl('/admin/activity', { changes: '1', ...days, back: `${path}?${search}` })}
            variant="default"
            px="md"
          >
            Who Changed What
          </Button>
          <IconButton icon={Printer} px="md" onClick={() => window.print()}>
            Print
          </IconButton>
        </Group>
      </PageHeading>
      <FirstStepsLine />
      {/* Has its height before its text, so that the filters do not move. */}
      <div className={styles.sentences} aria-busy={isPlaceholderData || undefined}>
        {data?.problems?.map((problem) => (
          <p key={problem} className={styles.noPrint}>
            {problem}{' '}
            <Link to="/admin/system" className={styles.link}>
              System<VisuallyHidden> ({problem})</VisuallyHidden>
            </Link>
          </p>
        ))}
        {data &&
          describeOverview(data, getPeriodBefore(days, scope.today).years).map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
      </div>
      <div className={`${styles.filters} ${styles.noPrint}`}>
        <PeriodPicker period={period} onChange={(period) => filter({ period, from: '', to: '' })} />
        <ParkPicker park={park} onChange={(park) => filter({ park })} />
        {period === 'custom' && <DayRange {...days} onChange={filter} />}
      </div>
      {isPending && <Loading shape="rows" />}
      {error && (
        <ErrorBox message="The overview could not be loaded." reason={error.message} onRetry={() => refetch()} />
      )}
      {data && (
        <div aria-busy={isPlaceholderData || undefined} className={styles.content}>
          <Summary rows={data.parks} scope={scope} />
          <section aria-labelledby="attention">
            <Title order={2} size="h3" id="attention" mb="sm">
              What needs attention
            </Title>
            <Attention attention={data.attention} scope={scope} />
          </section>
          <OpenLessons />
          <ParksTable rows={data.parks} scope={scope} onAllTypes={() => filter({ type: '' })} />
          <NearbyContent fallback={loadingCharts}>
            <Charts data={data} scope={scope} onType={filterByType} />
          </NearbyContent>
        </div>
      )}
    </div>
  );
}

/** The lessons that some parks have not answered. */
function OpenLessons() {
  const { data, isError, refetch } = useQuery(queryFor(api.listLessons));
  const lessons = data?.filter(({ missing }) => missing.length > 0) ?? [];
  if (isError && !data) return <ErrorBox message="The lessons could not be loaded." onRetry={() => refetch()} />;
  if (lessons.length === 0) return null;
  return (
    // The page is printed on one sheet, whatever the number of lessons.
    <section aria-labelledby="lessons" className={styles.noPrint}>
      <Title order={2} size="h3" id="lessons" mb="sm">
        Lessons that some parks have not answered
      </Title>
      <LessonList lessons={lessons} />
    </section>
  );
}

/**
 * The end of a page, loaded and drawn when it is scrolled near, and at once on Back, so that the
 * page is long enough for its earlier scroll position.
 *
 * @param fallback is shown before
 */
function NearbyContent({ children, fallback }: { children: ReactNode; fallback: ReactNode }) {
  const [isNear, setNear] = useState(isBackNavigation);
  const { ref, entry } = useIntersection({ rootMargin: '600px' });
  if (entry?.isIntersecting && !isNear) setNear(true);
  return isNear ? children : <div ref={ref}>{fallback}</div>;
}

/** The period as buttons: one tap each, where a list of choices takes two. */
function PeriodPicker({ period, onChange }: { period: PeriodName; onChange: (period: PeriodName) => void }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: buttons, not a set of fields
    <div role="group" aria-label="Period" className={styles.periods}>
      {periods.map(({ value, label }) => (
        <Button
          key={value}
          variant="default"
          size="sm"
          className={styles.period}
          aria-pressed={value === period}
          onClick={() => onChange(value)}
        >
          {label}
        </Button>
      ))}
    </div>
  );
}

/** A line under the filters with the numbers of reports in the period. Each links to its list. */
function Summary({ rows, scope }: { rows: Overview['parks']; scope: ListScope }) {
  const sum = (name: 'accidents' | 'incidents' | 'emergencies') =>
    rows.reduce((total, { now }) => total + now[name], 0);
  const [accidents, incidents, emergencies] = [sum('accidents'), sum('incidents'), sum('emergencies')];
  const link = (count: number, one: string, many: string, list: OverviewList) => (
    <Link to={getListUrl(list)} className={styles.link}>
      {count} {count === 1 ? one : many}
    </Link>
  );
  if (accidents + incidents === 0) return <p className={styles.summary}>No reports in this period.</p>;
  return (
    <p className={styles.summary}>
      {link(accidents + incidents, 'report', 'reports', createAllReportsList(scope))}:{' '}
      {link(accidents, 'accident', 'accidents', measureLists.accidents(scope))},{' '}
      {link(incidents, 'incident', 'incidents', measureLists.incidents(scope))},{' '}
      {link(emergencies, 'with emergency services', 'with emergency services', measureLists.emergencies(scope))}.{' '}
      <button
        type="button"
        className={`${styles.link} ${styles.noPrint}`}
        onClick={() => moveToHeading(document.getElementById('by-type'))}
      >
        See numbers by type
      </button>
    </p>
  );
}
