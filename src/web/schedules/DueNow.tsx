// Checks due today at the user's park, and facilities ready to open: at the top of Checklists.
import { Button, NativeSelect, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CircleAlert, CircleCheck, Printer } from 'lucide-react';
import { useState } from 'react';
import { api } from '#shared/api.ts';
import { allParks, parks } from '#shared/choices.ts';
import type { Check, Readiness } from '#shared/schedules/schedules.ts';
import { queryFor } from '../client/api.ts';
import { useNames } from '../client/names.ts';
import { useUser } from '../client/session.ts';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { Tag } from '../ui/feedback/Tag.tsx';
import { useFilters } from '../ui/navigation/useUrlState.ts';
import rows from '../ui/theme/rows.module.css';
import { PrintableSign } from './PrintableSign.tsx';
import { StateTag } from './StateTag.tsx';
import styles from './schedules.module.css';
import { describeCheck, describeReadiness } from './text.ts';

/** The number of checks shown before the user presses Show All. */
const maxCollapsedChecks = 8;
const refreshMs = 60_000;

/** Shows nothing if no checks are scheduled. */
export function DueNow({ onOpen }: { onOpen: (checklistId: string) => void }) {
  const showName = useNames();
  const user = useUser();
  const hasFixedPark = user.role === 'None' && user.park !== '';
  const [{ park: requestedPark }, filter] = useFilters('park');
  const park = hasFixedPark ? undefined : parks.find((park) => park === (requestedPark || user.park));
  const { data, isError, refetch } = useQuery({
    ...queryFor(api.listDueChecks, { query: { park } }),
    refetchInterval: refreshMs,
  });
  const [isExpanded, setExpanded] = useState(false);
  const [signToPrint, setSignToPrint] = useState<Readiness>();

  if (isError && !data) return <ErrorBox message="The due checks could not be loaded." onRetry={() => refetch()} />;
  if (!data || (data.checks.length === 0 && data.ready.length === 0 && !requestedPark)) return null;
  // Checks that can still be done in time come first.
  const checks = [...data.checks.filter(isDue), ...data.checks.filter((check) => !isDue(check))];
  const showsSeveralParks = !hasFixedPark && !park;
  const shown = isExpanded ? checks : checks.slice(0, maxCollapsedChecks);
  return (
    <>
      <section className={styles.section} aria-labelledby="due-now">
        <div className={styles.heading}>
          <Title order={2} size="h3" id="due-now">
            Due now
          </Title>
          {!hasFixedPark && (
            <NativeSelect
              label="Park"
              value={park ?? ''}
              data={[{ value: '', label: allParks }, ...parks]}
              onChange={(event) => filter({ park: event.currentTarget.value })}
            />
          )}
        </div>
        {checks.length === 0 && <Text c="dimmed">Nothing is due today.</Text>}
        <ul className={rows.list}>
          {shown.map((check) => (
            <li key={check.id} className={rows.row}>
              <div className={rows.text}>
                <Text fw={600}>{check.checklist_title}</Text>
                <Text size="sm" c="dimmed">
                  {showsSeveralParks && `${check.park}: `}
                  {describeCheck(check, showName)}
                  {check.reason && ` (${check.reason})`}
                </Text>
              </div>
              <StateTag state={check.state} />
              {(isDue(check) || check.state === 'missed') && (
                <Button
                  variant={isDue(check) ? 'filled' : 'default'}
                  aria-label={`Fill In ${check.checklist_title}${showsSeveralParks ? `, ${check.park}` : ''}`}
                  onClick={() => onOpen(check.checklist_id)}
                >
                  Fill In
                </Button>
              )}
            </li>
          ))}
        </ul>
        {checks.length > shown.length && (
          <Button variant="default" onClick={() => setExpanded(true)}>
            Show All {checks.length}
          </Button>
        )}
      </section>
      {data.ready.length > 0 && (
        <section className={styles.section} aria-labelledby="ready-to-open">
          <Title order={2} size="h3" id="ready-to-open">
            Ready to open
          </Title>
          <ul className={rows.list}>
            {data.ready.map((ready) => (
              <li key={`${ready.park} ${ready.gate}`} className={rows.row}>
                <div className={rows.text}>
                  <Text fw={600}>
                    {ready.gate}
                    {showsSeveralParks && `, ${ready.park}`}
                  </Text>
                  <Text size="sm" c="dimmed">
                    {describeReadiness(ready)}
                  </Text>
                </div>
                <ReadyTag isReady={ready.is_ready} />
                {ready.is_ready && (
                  <Button
                    variant="default"
                    leftSection={<Printer aria-hidden size={18} />}
                    aria-label={`Print Door Sign for ${ready.gate}, ${ready.park}`}
                    onClick={() => setSignToPrint(ready)}
                  >
                    Print Door Sign
                  </Button>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
      {signToPrint && <PrintableSign readiness={signToPrint} onPrinted={() => setSignToPrint(undefined)} />}
    </>
  );
}

const isDue = ({ state }: Check) => state === 'due';

const ReadyTag = ({ isReady }: { isReady: boolean }) =>
  isReady ? (
    <Tag label="Ready" icon={CircleCheck} tone="success" />
  ) : (
    <Tag label="Not ready" icon={CircleAlert} tone="warning" />
  );
