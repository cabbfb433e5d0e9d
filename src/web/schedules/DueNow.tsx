// Checks due today, and facilities ready to open: above the list of checklists.
import { Button, NativeSelect, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ChevronDown, Printer } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { api } from '#shared/api.ts';
import { allParks, parks } from '#shared/choices.ts';
import { formatRecentInstant } from '#shared/dates.ts';
import type { Check, Readiness } from '#shared/schedules/schedules.ts';
import { queryFor } from '../client/api.ts';
import { useNames } from '../client/names.ts';
import { useUser } from '../client/session.ts';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { allParksValue, findParks } from '../ui/forms/parkChoices.ts';
import { useFilters } from '../ui/navigation/useUrlState.ts';
import rows from '../ui/theme/rows.module.css';
import { PrintableSign } from './PrintableSign.tsx';
import { ReadyTag, StateTag } from './StateTag.tsx';
import styles from './schedules.module.css';
import { describeCheck, describeReadiness } from './text.ts';

/** The number of checks shown before the user presses Show All. */
const maxCollapsedChecks = 8;
const refreshMs = 60_000;

/** Shows nothing if no checks are scheduled. */
export function DueNow({ onOpen }: { onOpen: (checklistId: string, park: string) => void }) {
  const showName = useNames();
  const user = useUser();
  const ownParks = user.role === 'None' ? user.parks : null;
  const hasFixedPark = ownParks?.length === 1;
  const [{ park: requestedPark }, filter] = useFilters('park');
  const chosenParks = findParks(requestedPark, user.parks);
  const park = chosenParks.join();
  const { data, isError, refetch } = useQuery({
    ...queryFor(api.listDueChecks, { query: { park: hasFixedPark ? undefined : park || undefined } }),
    refetchInterval: refreshMs,
  });
  const [isExpanded, setExpanded] = useState(false);
  const [signToPrint, setSignToPrint] = useState<Readiness>();
  const [isOpenAtFirst] = useState(user.park !== '' || requestedPark !== '');

  if (isError && !data) return <ErrorBox message="The due checks could not be loaded." onRetry={() => refetch()} />;
  if (!data || (data.checks.length === 0 && data.ready.length === 0 && !requestedPark)) return null;
  // Checks that can still be done in time come first.
  const checks = [...data.checks.filter(isDue), ...data.checks.filter((check) => !isDue(check))];
  const showsSeveralParks = chosenParks.length !== 1;
  const shown = isExpanded ? checks : selectFirst(checks);
  return (
    <>
      <Line id="due-now" title="Due now" summary={countDue(checks)} isOpenAtFirst={isOpenAtFirst}>
        {!hasFixedPark && (
          <NativeSelect
            label="Park"
            className={styles.park ?? ''}
            value={park || allParksValue}
            data={[
              ...(ownParks ? [] : [{ value: allParksValue, label: allParks }]),
              ...(user.parks && user.parks.length > 1
                ? [{ value: findParks('', user.parks).join(), label: 'Your parks' }]
                : []),
              ...(ownParks ?? parks),
            ]}
            onChange={(event) => filter({ park: event.currentTarget.value })}
          />
        )}
        {[...new Set(shown.map((check) => check.park))].map((parkName) => (
          <div key={parkName} className={styles.group}>
            {showsSeveralParks && (
              <Title order={3} size="h5">
                {parkName}
              </Title>
            )}
            <ul className={rows.list}>
              {shown
                .filter((check) => check.park === parkName)
                .map((check) => (
                  <li key={check.id} className={rows.row}>
                    <div className={rows.text}>
                      <Text fw={600}>{check.checklist_title}</Text>
                      <Text size="sm" c="dimmed">
                        {describeCheck(check, showName)}
                        {check.reason && ` (${check.reason})`}
                      </Text>
                    </div>
                    <StateTag state={check.state} />
                    {(isDue(check) || check.state === 'missed') && (
                      <Button
                        variant={isDue(check) ? 'filled' : 'default'}
                        aria-label={`Fill In ${check.checklist_title}${showsSeveralParks ? `, ${parkName}` : ''}`}
                        onClick={() => onOpen(check.checklist_id, check.park)}
                      >
                        Fill In
                      </Button>
                    )}
                  </li>
                ))}
            </ul>
          </div>
        ))}
        {checks.length > shown.length && (
          <Button variant="default" onClick={() => setExpanded(true)}>
            Show All {checks.length}
          </Button>
        )}
      </Line>
      {data.ready.length > 0 && (
        <Line id="ready-to-open" title="Ready to open" summary={countNotReady(data.ready)}>
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
                {!ready.is_ready &&
                  ready.checklists.map((checklist) => (
                    <Button
                      key={checklist.id}
                      variant="default"
                      aria-label={`Fill In ${checklist.title} for ${ready.gate}, ${ready.park}`}
                      onClick={() => onOpen(checklist.id, ready.park)}
                    >
                      Fill In {ready.checklists.length > 1 && checklist.title}
                    </Button>
                  ))}
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
        </Line>
      )}
      {signToPrint && <PrintableSign readiness={signToPrint} onPrinted={() => setSignToPrint(undefined)} />}
    </>
  );
}

type LineProps = { id: string; title: string; summary: string; isOpenAtFirst?: boolean; children: ReactNode };

/** One line, so that the list of checklists stays on the screen; a tap opens it. */
const Line = ({ id, title, summary, isOpenAtFirst = false, children }: LineProps) => (
  <section aria-labelledby={id} className={styles.line}>
    <details className={rows.fold} open={isOpenAtFirst}>
      <summary>
        <Title order={2} size="h5" id={id}>
          {title}
        </Title>
        <span>{summary}</span>
        <ChevronDown aria-hidden />
      </summary>
      <div className={styles.content}>{children}</div>
    </details>
  </section>
);

/** Returns the first checks: of several parks, as many whole parks as fit, at least one. */
function selectFirst(checks: Check[]): Check[] {
  const parkNames = new Set(checks.map(({ park }) => park));
  if (parkNames.size === 1) return checks.slice(0, maxCollapsedChecks);
  const shown: Check[] = [];
  for (const parkName of parkNames) {
    const group = checks.filter(({ park }) => park === parkName);
    if (shown.length > 0 && shown.length + group.length > maxCollapsedChecks) break;
    shown.push(...group);
  }
  return shown;
}

/** `12 due, 3 missed`; if there are none, `Next due at 14:00`. */
function countDue(checks: Check[]): string {
  const missed = checks.filter(({ state }) => state === 'missed').length;
  const due = checks.filter(isDue).length;
  const counts = [due > 0 && `${due} due`, missed > 0 && `${missed} missed`].filter(Boolean).join(', ');
  if (counts) return counts;
  const upcoming = checks.filter(({ state }) => state === 'upcoming');
  const [next] = upcoming.map(({ opens_at }) => opens_at).sort();
  return next ? `Next due at ${formatRecentInstant(next)}` : 'Nothing more is due today';
}

/** `38 of 40 not ready`; of one facility, whether it is. */
function countNotReady(ready: Readiness[]): string {
  const [first] = ready;
  if (first && ready.length === 1) return `${first.gate} ${first.is_ready ? 'ready' : 'not ready'}`;
  const count = ready.filter(({ is_ready }) => !is_ready).length;
  return count === 0 ? 'All ready' : `${count} of ${ready.length} not ready`;
}

const isDue = ({ state }: Check) => state === 'due';
