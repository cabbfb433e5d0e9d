// What will be due at a park: by day, in the next 4 weeks, and in a year what is rarer than monthly.
import { NativeSelect, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { isAllowed } from '#shared/access.ts';
import { api } from '#shared/api.ts';
import { formatDay, formatLongDay } from '#shared/dates.ts';
import { listOpenParks } from '#shared/park-list.ts';
import { pluralise } from '#shared/pluralise.ts';
import { comparePlaces } from '#shared/schedules/next-place.ts';
import type { Check, ComingChecks } from '#shared/schedules/schedules.ts';
import { queryFor } from '../client/api.ts';
import { useUser } from '../client/session.ts';
import { BackButton } from '../ui/navigation/BackButton.tsx';
import { PageHeading } from '../ui/navigation/PageHeading.tsx';
import { RecordList } from '../ui/navigation/RecordList.tsx';
import { useFilters } from '../ui/navigation/useUrlState.ts';
import rows from '../ui/theme/rows.module.css';
import { ChecklistsLink } from './ChecklistsLink.tsx';
import styles from './schedules.module.css';
import { formatCheckHours } from './text.ts';

/** Of more places than this, only how many there are is shown. */
const maxNames = 12;

export function ComingChecksPage() {
  const user = useUser();
  const isReviewer = isAllowed('reviewer', user);
  const choices: readonly string[] = user.role === 'None' && user.parks ? user.parks : listOpenParks();
  const [{ park: askedPark }, filter] = useFilters('park');
  const park = choices.find((one) => one === askedPark) ?? (user.park || choices[0] || '');
  const query = useQuery(queryFor(api.listComingChecks, { query: { park } }));
  return (
    <>
      <PageHeading
        title="Coming Checks"
        text="The next 4 weeks, and 12 months of checks that are due less often than monthly."
        back={<BackButton to="/checklists">Checklists</BackButton>}
      />
      {choices.length > 1 && (
        <NativeSelect
          label="Park"
          mb="md"
          w="min(100%, 18rem)"
          value={park}
          data={[...choices]}
          onChange={({ currentTarget }) => filter({ park: currentTarget.value })}
        />
      )}
      <RecordList
        query={{ ...query, data: query.data?.checks }}
        failed="The coming checks could not be loaded."
        empty={{
          text: 'No checks are scheduled at this park.',
          hint: isReviewer
            ? 'Choose Schedule beside a checklist.'
            : 'Ask an Admin or the Health & Safety Manager of your park to schedule one.',
          children: isReviewer && <ChecklistsLink />,
        }}
      >
        {(checks) => <Days checks={checks} until={query.data?.until ?? ''} />}
      </RecordList>
    </>
  );
}

function Days({ checks, until }: ComingChecks) {
  const days = Map.groupBy(checks, ({ day }) => day);
  const later = [...days.keys()].filter((day) => day > until);
  return (
    <div className={styles.days}>
      {[...days].map(([day, ofDay]) => (
        <section key={day} className={styles.group}>
          {day === later[0] && <Text c="dimmed">After {formatDay(until)}, only what is due less often is listed.</Text>}
          <Title order={2} size="h5">
            {formatLongDay(day)}
          </Title>
          <RecordList
            query={{ data: listRounds(ofDay) }}
            row={(round) => <Round key={`${round[0].schedule_id} ${round[0].opens_at}`} round={round} />}
          />
        </section>
      ))}
    </div>
  );
}

type Round = [Check, ...Check[]];

/** The checks of one schedule and window belong together. */
const listRounds = (checks: Check[]) =>
  [...Map.groupBy(checks, ({ schedule_id, opens_at }) => `${schedule_id} ${opens_at}`).values()] as Round[];

function Round({ round }: { round: Round }) {
  const [first] = round;
  const places = round.filter(({ place }) => place).sort(comparePlaces);
  return (
    <li className={rows.row}>
      <div className={rows.text}>
        <Text fw={600}>{first.checklist_title}</Text>
        <Text size="sm" c="dimmed">
          {formatCheckHours(first)}
          {places.length > 0 && ': '}
          {places.length > maxNames && pluralise(places.length, 'place')}
          {places.length <= maxNames && <span translate="no">{places.map(({ place }) => place).join(', ')}</span>}
        </Text>
      </div>
    </li>
  );
}
