// The audits that make up a number of the overview.
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { api } from '#shared/api.ts';
import { formatDay, getToday, parseDay } from '#shared/dates.ts';
import { parseParks } from '#shared/park-list.ts';
import { queryFor } from '../client/api.ts';
import { ExportButtons } from '../exports/ExportButtons.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { describeParks } from '../ui/forms/parkChoices.ts';
import { Loading } from '../ui/loading/Loading.tsx';
import { BackButton } from '../ui/navigation/BackButton.tsx';
import { buildUrl } from '../ui/navigation/buildUrl.ts';
import { PageHeading } from '../ui/navigation/PageHeading.tsx';
import { useFilters } from '../ui/navigation/useUrlState.ts';
import styles from './overview.module.css';

export function AuditsOnDayPage() {
  const [filters] = useFilters('state', 'on', 'park');
  const state = filters.state === 'overdue' ? 'overdue' : 'open';
  const on = parseDay(filters.on) ?? getToday();
  const park = parseParks(filters.park).join() || undefined;
  const { data, isPending, isError, refetch } = useQuery(queryFor(api.listAuditsOnDay, { query: { state, on, park } }));
  return (
    <>
      <PageHeading
        title={state === 'overdue' ? 'Overdue Audits' : 'Open Audits'}
        text={`${describeParks(park)}, on ${formatDay(on)}`}
        back={<BackButton to={buildUrl('/overview', { park })}>Overview</BackButton>}
      />
      {isPending && <Loading shape="rows" />}
      {isError && <ErrorBox message="The audits could not be loaded." onRetry={() => refetch()} />}
      {data?.length === 0 && <EmptyState text={`No audits are ${state}.`} />}
      {Boolean(data?.length) && <ExportButtons list="audits" name="Audits" filters={{ state, on, park }} />}
      <ul className={styles.list}>
        {data?.map((audit) => (
          <li key={audit.id}>
            <Link to={`/audit/${audit.id}`} className={styles.row}>
              <Text fw={600}>{audit.title}</Text>
              <Text size="sm" c="dimmed">
                {audit.park}, {audit.folder_name}
                {audit.date && `, due ${formatDay(audit.date)}`}
                {audit.is_urgent && ', urgent'}
                {audit.completed && ', completed since'}
              </Text>
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}
