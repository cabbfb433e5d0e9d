// Places that are not ready to open, at one park or all. Those that are not in use are left out.
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api } from '#shared/api.ts';
import { parseParks } from '#shared/park-list.ts';
import { isNotReady } from '#shared/schedules/schedules.ts';
import { queryFor } from '../client/api.ts';
import { sortReady } from '../schedules/dueChecks.ts';
import { describeReadiness } from '../schedules/text.ts';
import { describeParks } from '../ui/forms/parkChoices.ts';
import { BackButton } from '../ui/navigation/BackButton.tsx';
import { buildUrl } from '../ui/navigation/buildUrl.ts';
import { PageHeading } from '../ui/navigation/PageHeading.tsx';
import { RecordList } from '../ui/navigation/RecordList.tsx';
import { useFilters } from '../ui/navigation/useUrlState.ts';
import { RowsByPark } from './RowsByPark.tsx';

export function NotReadyPage() {
  const [filters] = useFilters('park');
  const requestedParks: readonly string[] = parseParks(filters.park);
  const checks = useQuery(queryFor(api.listDueChecks, { query: { park: requestedParks.join() || undefined } }));
  const { data } = checks;
  const notReady = data && sortReady(data.ready.filter(isNotReady), Number.POSITIVE_INFINITY);
  const rows = notReady?.map((ready) => ({
    id: ready.place_id,
    park: ready.park,
    to: buildUrl('/checklists', { park: ready.park }),
    title: <span translate="no">{ready.place}</span>,
    facts: [ready.checklists.map(({ title }) => title).join(', '), describeReadiness(ready)],
  }));
  return (
    <>
      <PageHeading
        title="Not Ready to Open"
        text={describeParks(filters.park)}
        back={<BackButton to={buildUrl('/overview', { park: requestedParks.join() })}>Overview</BackButton>}
      />
      <RecordList
        query={{ ...checks, data: rows }}
        failed="This could not be loaded."
        empty={{ text: 'Everything is ready to open.' }}
      >
        {(rows) => <RowsByPark rows={rows} />}
      </RecordList>
      {notReady && notReady.length < data.counts.notReady && (
        <Text c="dimmed" mt="md">
          {notReady.length} of {data.counts.notReady} places are shown. Choose one park in the overview to see all of
          its places.
        </Text>
      )}
    </>
  );
}
