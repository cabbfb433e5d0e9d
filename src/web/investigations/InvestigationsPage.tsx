// All investigations: those that are not closed first.
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Plus, Search } from 'lucide-react';
import { Link } from 'wouter';
import { api } from '#shared/api.ts';
import { formatDay, formatInstantDay } from '#shared/dates.ts';
import { type ListedInvestigation, levelLabels } from '#shared/investigations.ts';
import { parseParks } from '#shared/park-list.ts';
import { pluralise } from '#shared/pluralise.ts';
import { queryFor } from '../client/api.ts';
import { ExportButtons } from '../exports/ExportButtons.tsx';
import { IconButton } from '../ui/forms/IconButton.tsx';
import { BackButton } from '../ui/navigation/BackButton.tsx';
import { Fold } from '../ui/navigation/Fold.tsx';
import { PageHeading } from '../ui/navigation/PageHeading.tsx';
import { PageSection, PageSections } from '../ui/navigation/PageSection.tsx';
import { RecordList } from '../ui/navigation/RecordList.tsx';
import { RecordRow } from '../ui/navigation/RecordRow.tsx';
import { useFilters } from '../ui/navigation/useUrlState.ts';
import { LessonList } from './LessonList.tsx';
import { StateTags } from './StateTags.tsx';

export function InvestigationsPage() {
  const query = useQuery(queryFor(api.listInvestigations, { query: {} }));
  const [filters] = useFilters('park');
  const parks = parseParks(filters.park);
  const data = query.data?.filter(({ park }) => parks.length === 0 || parks.some((name) => name === park));
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
      <PageSections>
        <RecordList
          query={{ ...query, data }}
          failed="The investigations could not be loaded."
          empty={{ icon: Search, text: 'There are no investigations.', hint: 'Open a report to start one.' }}
        >
          {() => (
            <>
              <PageSection title={`Not Closed (${open.length})`}>
                <List data={open} />
              </PageSection>
              {closed.length > 0 && (
                <Fold title={`Closed (${closed.length})`}>
                  <List data={closed} />
                </Fold>
              )}
              <ExportButtons list="investigations" name="Investigations" />
            </>
          )}
        </RecordList>
        <Lessons />
      </PageSections>
    </>
  );
}

function Lessons() {
  const query = useQuery(queryFor(api.listLessons));
  return (
    <PageSection title="Lessons">
      <Text c="dimmed">What happened at one park, for the others to look at. Each park answers.</Text>
      <RecordList query={query} failed="The lessons could not be loaded.">
        {(lessons) => <LessonList lessons={lessons} />}
      </RecordList>
      <div>
        <IconButton icon={Plus} component={Link} to="/lessons/new">
          New Lesson
        </IconButton>
      </div>
    </PageSection>
  );
}

const List = (query: { data: ListedInvestigation[] }) => (
  <RecordList
    query={query}
    empty="Every investigation is closed."
    row={(investigation) => (
      <RecordRow
        to={`/investigations/${investigation.id}`}
        title={investigation.number}
        text={[investigation.park, ...investigation.records.map(({ label }) => label)].filter(Boolean).join(', ')}
        details={describe(investigation)}
      >
        <StateTags investigation={investigation} />
      </RecordRow>
    )}
  />
);

const describe = ({ created_at, level, finish_by, closed_on, actions_left }: ListedInvestigation) => [
  `Started ${formatInstantDay(created_at)}`,
  level && `${levelLabels[level].toLowerCase()} level`,
  closed_on ? `closed ${formatDay(closed_on)}` : finish_by && `finish by ${formatDay(finish_by)}`,
  actions_left > 0 && `${pluralise(actions_left, 'action')} left`,
];
