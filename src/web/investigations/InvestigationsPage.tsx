// All investigations: those that are not closed first.
import { Button, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ChevronDown, Plus, Search } from 'lucide-react';
import { Link } from 'wouter';
import { api } from '#shared/api.ts';
import { formatDay, formatInstantDay } from '#shared/dates.ts';
import { type ListedInvestigation, levelLabels } from '#shared/investigations.ts';
import { parseParks } from '#shared/park-list.ts';
import { pluralise } from '#shared/pluralise.ts';
import { queryFor } from '../client/api.ts';
import { ExportButtons } from '../exports/ExportButtons.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { Loading } from '../ui/loading/Loading.tsx';
import { BackButton } from '../ui/navigation/BackButton.tsx';
import { PageHeading } from '../ui/navigation/PageHeading.tsx';
import { useFilters } from '../ui/navigation/useUrlState.ts';
import rows from '../ui/theme/rows.module.css';
import styles from './investigations.module.css';
import { LessonList } from './LessonList.tsx';
import { StateTags } from './StateTags.tsx';

export function InvestigationsPage() {
  const { data: all, isPending, isError, refetch } = useQuery(queryFor(api.listInvestigations, { query: {} }));
  const [filters] = useFilters('park');
  const parks = parseParks(filters.park);
  const data = all?.filter(({ park }) => parks.length === 0 || parks.some((name) => name === park));
  const closed = data?.filter(({ state }) => state === 'closed') ?? [];
  const open = data?.filter(({ state }) => state !== 'closed') ?? [];
  return (
    <>
      <PageHeading
        title="Investigations"
        park={parks.join(', ')}
        text="Why something happened, and what is done so that it does not happen again."
        back={<BackButton to="/get-reports">Reports</BackButton>}
      />
      {isPending && <Loading shape="rows" />}
      {isError && !data && <ErrorBox message="The investigations could not be loaded." onRetry={() => refetch()} />}
      {data?.length === 0 && (
        <EmptyState icon={Search} text="There are no investigations." hint="Open a report to start one." />
      )}
      {data && data.length > 0 && (
        <div className={styles.sections}>
          <section aria-labelledby="open">
            <Title order={2} size="h4" id="open">
              Not Closed ({open.length})
            </Title>
            {open.length === 0 && <Text c="dimmed">Every investigation is closed.</Text>}
            <List investigations={open} />
          </section>
          {closed.length > 0 && (
            <details className={rows.fold}>
              <summary>
                Closed ({closed.length})
                <ChevronDown aria-hidden />
              </summary>
              <List investigations={closed} />
            </details>
          )}
          <ExportButtons list="investigations" name="Investigations" />
        </div>
      )}
      <Lessons />
    </>
  );
}

function Lessons() {
  const { data, isPending, isError, refetch } = useQuery(queryFor(api.listLessons));
  return (
    <section className={styles.lessons} aria-labelledby="lessons">
      <Title order={2} size="h4" id="lessons">
        Lessons
      </Title>
      <Text c="dimmed">What happened at one park, for the others to look at. Each park answers.</Text>
      {isPending && <Loading shape="rows" />}
      {isError && !data && <ErrorBox message="The lessons could not be loaded." onRetry={() => refetch()} />}
      {data && <LessonList lessons={data} />}
      <div>
        <Button component={Link} to="/lessons/new" variant="default" leftSection={<Plus aria-hidden size={18} />}>
          New Lesson
        </Button>
      </div>
    </section>
  );
}

const List = ({ investigations }: { investigations: ListedInvestigation[] }) => (
  <ul className={rows.list}>
    {investigations.map((investigation) => (
      <li key={investigation.id} className={rows.row}>
        <div className={rows.text}>
          <Link to={`/investigations/${investigation.id}`} className={styles.link}>
            {investigation.number}
          </Link>
          <Text>
            {[investigation.park, ...investigation.records.map(({ label }) => label)].filter(Boolean).join(', ')}
          </Text>
          <Text size="sm" c="dimmed">
            {describe(investigation)}
          </Text>
        </div>
        <StateTags investigation={investigation} />
      </li>
    ))}
  </ul>
);

function describe({ created_at, level, finish_by, closed_on, actions_left }: ListedInvestigation): string {
  return [
    `Started ${formatInstantDay(created_at)}`,
    level && `${levelLabels[level].toLowerCase()} level`,
    closed_on ? `closed ${formatDay(closed_on)}` : finish_by && `finish by ${formatDay(finish_by)}`,
    actions_left > 0 && `${pluralise(actions_left, 'action')} left`,
  ]
    .filter(Boolean)
    .join(', ');
}
