// Events in the parks: items that need attention first, then numbers of every park, then charts.
import { Button, Group, NativeSelect, Text, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Printer, X } from 'lucide-react';
import { Link } from 'react-router';
import { api } from '#shared/api.ts';
import { formatDay } from '#shared/dates.ts';
import { queryFor } from '../client/api.ts';
import { useUser } from '../client/session.ts';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { DayRange } from '../ui/forms/DayRange.tsx';
import { describeParks } from '../ui/forms/parkChoices.ts';
import { Loading } from '../ui/loading/Loading.tsx';
import { PageHeading } from '../ui/navigation/PageHeading.tsx';
import { useFilters } from '../ui/navigation/useUrlState.ts';
import { Attention } from './Attention.tsx';
import { Charts } from './Charts.tsx';
import styles from './overview.module.css';
import { ParkPicker } from './ParkPicker.tsx';
import { ParksTable } from './ParksTable.tsx';
import { findParks, findPeriod, getDays, periods } from './period.ts';

export function OverviewPage() {
  const user = useUser();
  const [filters, filter] = useFilters('period', 'from', 'to', 'park', 'type');
  const period = findPeriod(filters.period);
  const days = getDays(period, filters);
  const park = findParks(filters.park, user.park).join() || undefined;
  const type = filters.type || undefined;
  const { data, isPending, error, refetch, isPlaceholderData } = useQuery({
    ...queryFor(api.getOverview, { query: { ...days, park, type } }),
    placeholderData: keepPreviousData,
  });
  const where = `${describeParks(park)}, ${formatDay(days.from)} to ${formatDay(days.to)}`;
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
        <ParkPicker park={park} onChange={(park) => filter({ park })} />
        {period === 'custom' && <DayRange {...days} onChange={filter} />}
        {type && (
          <Button
            variant="light"
            rightSection={<X aria-hidden size={16} />}
            aria-label={`Type: ${type}. Show all types`}
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
            <Attention attention={data.attention} days={days} park={park} />
          </section>
          <ParksTable rows={data.parks} chosen={park} days={days} type={type} />
          <Charts data={data} days={days} park={park} type={type} onType={(type) => filter({ type })} />
          {data.parks.every(({ now }) => now.accidents + now.incidents === 0) && (
            <Text c="dimmed">No reports in this period.</Text>
          )}
        </div>
      )}
    </div>
  );
}
