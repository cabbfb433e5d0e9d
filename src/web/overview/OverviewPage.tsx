// What happened in the parks: what needs attention first, then the numbers of every park, then charts.
import { Button, Group, NativeSelect, Text, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Printer, X } from 'lucide-react';
import { Link } from 'react-router';
import { api } from '#shared/api.ts';
import { allParks, parks } from '#shared/choices.ts';
import { formatDay, getToday } from '#shared/dates.ts';
import { queryFor } from '../client/api.ts';
import { useUser } from '../client/session.ts';
import { DutyStrip } from '../law/lazy.tsx';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { DayRange } from '../ui/forms/DayRange.tsx';
import { Loading } from '../ui/loading/Loading.tsx';
import { PageHeading } from '../ui/navigation/PageHeading.tsx';
import { useFilters } from '../ui/navigation/useUrlState.ts';
import { Charts } from './Charts.tsx';
import { buildUrl } from './links.ts';
import styles from './overview.module.css';
import { ParksTable } from './ParksTable.tsx';
import { everyPark, findPark, findPeriod, getDays, periods } from './period.ts';

export function OverviewPage() {
  const user = useUser();
  const [filters, filter] = useFilters('period', 'from', 'to', 'park', 'type');
  const period = findPeriod(filters.period);
  const days = getDays(period, filters);
  const park = findPark(filters.park, user.park);
  const type = filters.type || undefined;
  const { data, isPending, error, refetch, isPlaceholderData } = useQuery({
    ...queryFor(api.getOverview, { query: { ...days, park, type } }),
    placeholderData: keepPreviousData,
  });
  const where = `${park ?? allParks}, ${formatDay(days.from)} to ${formatDay(days.to)}`;
  return (
    <div className={styles.page}>
      <PageHeading title="Overview" text={where}>
        <Group gap="xs" className={styles.noPrint}>
          <Button component={Link} to="/admin/activity" variant="default">
            Who Changed What
          </Button>
          <Button variant="default" leftSection={<Printer aria-hidden size={18} />} onClick={() => window.print()}>
            Print
          </Button>
        </Group>
      </PageHeading>
      <div className={`${styles.filters} ${styles.noPrint}`}>
        <NativeSelect
          label="Period"
          value={period}
          data={periods.map(({ value, label }) => ({ value, label }))}
          onChange={({ currentTarget }) => filter({ period: currentTarget.value, from: '', to: '' })}
        />
        <NativeSelect
          label="Park"
          value={park ?? everyPark}
          data={[{ value: everyPark, label: allParks }, ...parks]}
          onChange={({ currentTarget }) => filter({ park: currentTarget.value })}
        />
        {period === 'custom' && <DayRange {...days} onChange={filter} />}
        {type && (
          <Button
            variant="light"
            rightSection={<X aria-hidden size={16} />}
            aria-label={`Show all types, not ${type} alone`}
            onClick={() => filter({ type: '' })}
          >
            Type: {type}
          </Button>
        )}
      </div>
      {isPending && <Loading shape="rows" />}
      {error && (
        <ErrorBox message="The overview could not be loaded." reason={error.message} onRetry={() => refetch()} />
      )}
      {data && (
        <div aria-busy={isPlaceholderData || undefined} className={styles.content}>
          <section aria-labelledby="attention">
            <Title order={2} size="h3" id="attention" mb="sm">
              What needs attention
            </Title>
            <ul className={styles.attention}>
              {[
                {
                  number: data.attention.unopenedReports,
                  text: data.attention.unopenedReports === 1 ? 'report not yet opened' : 'reports not yet opened',
                  to: buildUrl('/get-reports', { view: 'list', unopened: '1', park }),
                },
                {
                  number: data.attention.overdueAudits,
                  text: data.attention.overdueAudits === 1 ? 'overdue audit' : 'overdue audits',
                  to: buildUrl('/overview/audits', { state: 'overdue', on: getToday(), park }),
                },
                {
                  number: data.attention.missedChecks,
                  text:
                    data.attention.missedChecks === 1 ? 'missed check in this period' : 'missed checks in this period',
                  to: buildUrl('/checks', { state: 'missed', ...days, park }),
                },
                {
                  number: data.attention.notReady,
                  text: 'not ready to open',
                  to: buildUrl('/overview/not-ready', { park }),
                },
              ].map(({ number, text, to }) => (
                <li key={text}>
                  <Link to={to} className={styles.card} data-some={number > 0 || undefined}>
                    <span className={styles.number}>{number}</span> <span>{text}</span>
                  </Link>
                </li>
              ))}
            </ul>
            <div className={`${styles.duties} ${styles.noPrint}`}>
              <DutyStrip lists={[{ reportType: 'incident' }, { reportType: 'accident' }]} to="/get-reports" />
            </div>
          </section>
          <ParksTable rows={data.parks} days={days} type={type} />
          <Charts data={data} days={days} park={park} type={type} onType={(type) => filter({ type })} />
          {data.parks.every(({ now }) => now.accidents + now.incidents === 0) && (
            <Text c="dimmed">No reports in this period.</Text>
          )}
        </div>
      )}
    </div>
  );
}
