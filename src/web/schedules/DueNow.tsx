// Checks due today, and places ready to open: above the list of checklists.
import { Box, Button, NativeSelect, Text, Title } from '@mantine/core';
import { Hourglass, Printer } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { allParks } from '#shared/choices.ts';
import { formatRecentInstant } from '#shared/dates.ts';
import { listParks } from '#shared/park-list.ts';
import { pluralise } from '#shared/pluralise.ts';
import {
  type CheckedPlace,
  comparePlaces,
  isAnsweredHere,
  isOpen,
  type LocalSubmission,
} from '#shared/schedules/next-place.ts';
import type { Check, DueChecks, Readiness } from '#shared/schedules/schedules.ts';
import { useNames } from '../client/names.ts';
import { useUser } from '../client/session.ts';
import { CopyNote } from '../drafts/CopyNote.tsx';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { Name } from '../ui/feedback/Name.tsx';
import { Tag } from '../ui/feedback/Tag.tsx';
import { IconButton } from '../ui/forms/IconButton.tsx';
import { allParksValue, findParks } from '../ui/forms/parkChoices.ts';
import { buildUrl } from '../ui/navigation/buildUrl.ts';
import { Fold } from '../ui/navigation/Fold.tsx';
import { RecordRow } from '../ui/navigation/RecordRow.tsx';
import { useFilters } from '../ui/navigation/useUrlState.ts';
import rows from '../ui/theme/rows.module.css';
import { asOf, sortReady } from './dueChecks.ts';
import { LongList, shownAtFirst } from './LongList.tsx';
import { PrintableSign } from './PrintableSign.tsx';
import { ReadyTag, StateTag } from './StateTag.tsx';
import styles from './schedules.module.css';
import { describeCheck, describeReadiness } from './text.ts';
import { useCopiedAt, useDueChecks } from './useDueChecks.ts';

/** The number of rows shown before the user presses Show All. */
const maxCollapsedRows = 8;

type DueNowProps = {
  onOpen: (checklistId: string, park: string, place: CheckedPlace | null) => void;
  /** What waits on this device to be sent. */
  waiting: LocalSubmission[];
};

/** Shows nothing if no checks are scheduled. */
export function DueNow({ onOpen, waiting }: DueNowProps) {
  const user = useUser();
  const ownParks = user.role === 'None' ? user.parks : null;
  const hasFixedPark = ownParks?.length === 1;
  const [{ park: requestedPark }, filter] = useFilters('park');
  const chosenParks = findParks(requestedPark, user.parks);
  const park = chosenParks.join();
  const query = useDueChecks(park);
  const { data, isError, refetch } = query;
  const copiedAt = useCopiedAt(query);
  const [isExpanded, setExpanded] = useState(false);
  const [signToPrint, setSignToPrint] = useState<Readiness>();
  const [isOpenAtFirst] = useState(user.park !== '' || requestedPark !== '');

  if (isError && !data)
    return <ErrorBox message="The due checks could not be loaded." isNotStored onRetry={() => refetch()} />;
  if (!data || (data.checks.length === 0 && data.ready.length === 0 && !requestedPark)) return null;
  const rounds = listRounds(data.checks, waiting, copiedAt !== undefined);
  const [chosenPark] = chosenParks.length === 1 ? chosenParks : [];
  const showsSeveralParks = !chosenPark;
  const shown = isExpanded ? rounds : selectFirst(rounds);
  const isShort = data.checks.length <= maxCollapsedRows;
  return (
    <>
      <Line id="due-now" title="Due now" summary={countDue(data, rounds)} isOpenAtFirst={isOpenAtFirst}>
        <CopyNote at={copiedAt} />
        {!hasFixedPark && (
          <NativeSelect
            label="Park"
            w="min(100%, 18rem)"
            value={park || allParksValue}
            data={[
              ...(ownParks ? [] : [{ value: allParksValue, label: allParks }]),
              ...(user.parks && user.parks.length > 1
                ? [{ value: findParks('', user.parks).join(), label: 'Your parks' }]
                : []),
              ...(ownParks ?? listParks()),
            ]}
            onChange={(event) => filter({ park: event.currentTarget.value })}
          />
        )}
        {[...new Set(shown.map((round) => round.park))].map((parkName) => (
          <div key={parkName} className={styles.group}>
            {showsSeveralParks && (
              <Title order={3} size="h5">
                {parkName}
              </Title>
            )}
            <ul className={rows.list}>
              {shown
                .filter((round) => round.park === parkName)
                .map((round) => (
                  <Round
                    key={round.key}
                    round={round}
                    isOpenAtFirst={isShort}
                    park={showsSeveralParks ? parkName : ''}
                    onOpen={onOpen}
                  />
                ))}
            </ul>
          </div>
        ))}
        {rounds.length > shown.length && (
          <Button variant="default" onClick={() => setExpanded(true)}>
            Show All {rounds.length}
          </Button>
        )}
        {data.checks.length < data.counts.checks && (
          <Text size="sm" c="dimmed">
            {data.checks.length} of {data.counts.checks} checks are shown. Choose a park to see all of its checks.
          </Text>
        )}
        <Link to={buildUrl('/coming-checks', { park: chosenPark })} className={rows.link}>
          Coming Checks
        </Link>
      </Line>
      {data.ready.length > 0 && (
        <Line id="ready-to-open" title="Ready to open" summary={countNotReady(data, copiedAt)}>
          <CopyNote at={copiedAt} />
          <LongList
            items={sortReady(data.ready, shownAtFirst)}
            search="Search places..."
            getText={({ place }) => place}
          >
            {(ready) => (
              <RecordRow
                key={ready.place_id}
                title={<Name>{showsSeveralParks ? `${ready.place}, ${ready.park}` : ready.place}</Name>}
                details={[describeReadiness(ready, copiedAt)]}
              >
                <ReadyTag readiness={ready} isCopy={copiedAt !== undefined} />
                {!ready.is_ready &&
                  !ready.not_in_use &&
                  ready.checklists.map((checklist) => (
                    <Button
                      key={checklist.id}
                      variant="default"
                      aria-label={`Fill In ${checklist.title} for ${ready.place}, ${ready.park}`}
                      onClick={() =>
                        onOpen(checklist.id, ready.park, { id: ready.place_id, name: ready.place, park: ready.park })
                      }
                    >
                      Fill In {ready.checklists.length > 1 && checklist.title}
                    </Button>
                  ))}
                {ready.is_ready && copiedAt === undefined && (
                  <IconButton
                    icon={Printer}
                    aria-label={`Print Door Sign for ${ready.place}, ${ready.park}`}
                    onClick={() => setSignToPrint(ready)}
                  >
                    Print Door Sign
                  </IconButton>
                )}
              </RecordRow>
            )}
          </LongList>
          {data.ready.length < data.counts.ready && (
            <Text size="sm" c="dimmed">
              {data.ready.length} of {data.counts.ready} places are shown. Choose a park to see all of its places.
            </Text>
          )}
        </Line>
      )}
      {signToPrint && <PrintableSign readiness={signToPrint} onPrinted={() => setSignToPrint(undefined)} />}
    </>
  );
}

/** A check of the park as a whole, or those of one schedule and window at its places. */
type Round = { key: string; park: string; title: string; checks: RoundCheck[] };
type RoundCheck = Check & { isWaiting: boolean };

/** Returns what is due, with what can still be done in time first. */
function listRounds(checks: Check[], waiting: LocalSubmission[], isCopy: boolean): Round[] {
  const now = new Date().toISOString();
  const current = checks.map((check) => (isCopy ? asOf(check, now) : check));
  const rounds = Map.groupBy(
    current.map((check) => ({ ...check, isWaiting: isOpen(check) && isAnsweredHere(check, waiting) })),
    ({ schedule_id, park, opens_at }) => `${schedule_id} ${park} ${opens_at}`,
  );
  const listed = [...rounds].flatMap(([key, checks]) => {
    const [first] = checks;
    return first ? [{ key, park: first.park, title: first.checklist_title, checks: checks.sort(comparePlaces) }] : [];
  });
  const hasDue = ({ checks }: Round) => checks.some(isStillDue);
  return [...listed.filter(hasDue), ...listed.filter((round) => !hasDue(round))];
}

const isStillDue = ({ state, isWaiting }: RoundCheck) => state === 'due' && !isWaiting;

type RoundProps = Pick<DueNowProps, 'onOpen'> & {
  round: Round;
  isOpenAtFirst: boolean;
  /** The park, if several are shown. */
  park: string;
};

/** One check is a row; several open below their checklist. */
function Round({ round, isOpenAtFirst, park, onOpen }: RoundProps) {
  const [isOpened] = useState(isOpenAtFirst);
  const { title, checks } = round;
  const [first] = checks;
  if (checks.length === 1 && first)
    return (
      <CheckRow
        check={first}
        title={
          <>
            {title}
            {first.place && <span translate="no">, {first.place}</span>}
          </>
        }
        name={[title, first.place, park].filter(Boolean).join(', ')}
        onOpen={onOpen}
      />
    );
  const open = checks.filter((check) => isOpen(check) && !check.isWaiting);
  const listed = [...open, ...checks.filter((check) => !open.includes(check))];
  return (
    <li>
      <Fold
        isOpenAtFirst={isOpened}
        title={
          <>
            <Text span fw={600}>
              {title}
            </Text>
            <Text span size="sm" c="dimmed">
              {describeRound(checks)}
            </Text>
          </>
        }
      >
        <div className={styles.content}>
          <LongList items={listed} search={`Search places of ${title}...`} getText={({ place }) => place}>
            {(check) => (
              <CheckRow
                key={check.id}
                check={check}
                title={<span translate="no">{check.place}</span>}
                name={[title, check.place, park].filter(Boolean).join(', ')}
                onOpen={onOpen}
              />
            )}
          </LongList>
        </div>
      </Fold>
    </li>
  );
}

/** `2 due until 10:00, 1 missed, 1 done`. */
function describeRound(checks: RoundCheck[]): string {
  const count = (isCounted: (check: RoundCheck) => boolean) => checks.filter(isCounted).length;
  const due = count(isStillDue);
  const waiting = count(({ isWaiting }) => isWaiting);
  const missed = count(({ state, isWaiting }) => state === 'missed' && !isWaiting);
  const done = count(({ filled_in_at }) => filled_in_at !== null);
  const [first] = checks;
  const upcoming = count(({ state }) => state === 'upcoming');
  return [
    due > 0 && `${due} due until ${formatRecentInstant(first?.closes_at ?? '')}`,
    upcoming > 0 && `${upcoming} due from ${formatRecentInstant(first?.opens_at ?? '')}`,
    missed > 0 && `${missed} missed`,
    waiting > 0 && `${waiting} waiting to send`,
    done > 0 && `${done} done`,
  ]
    .filter(Boolean)
    .join(', ');
}

type CheckRowProps = Pick<DueNowProps, 'onOpen'> & {
  check: RoundCheck;
  title: ReactNode;
  /** Names the check for screen readers. */
  name: string;
};

function CheckRow({ check, title, name, onOpen }: CheckRowProps) {
  const showName = useNames();
  const { checklist_id, park, place_id, place, reason, state, isWaiting } = check;
  return (
    <RecordRow
      title={title}
      details={[
        (isWaiting ? 'Filled in on this device' : describeCheck(check, showName)) + (reason ? ` (${reason})` : ''),
      ]}
    >
      {isWaiting ? <Tag label="Waiting to send" icon={Hourglass} /> : <StateTag state={state} />}
      {isOpen(check) && !isWaiting && (
        <Button
          variant={state === 'due' ? 'light' : 'default'}
          aria-label={`Fill In ${name}`}
          onClick={() => onOpen(checklist_id, park, place_id === null ? null : { id: place_id, name: place, park })}
        >
          Fill In
        </Button>
      )}
    </RecordRow>
  );
}

type LineProps = { id: string; title: string; summary: string; isOpenAtFirst?: boolean; children: ReactNode };

/** One line, so that the list of checklists stays on the screen; a tap opens it. */
const Line = ({ id, title, summary, isOpenAtFirst = false, children }: LineProps) => (
  <Box component="section" aria-labelledby={id} mt="sm">
    <Fold
      isOpenAtFirst={isOpenAtFirst}
      title={
        <>
          <Title order={2} size="h5" id={id}>
            {title}
          </Title>
          <span>{summary}</span>
        </>
      }
    >
      <div className={styles.content}>{children}</div>
    </Fold>
  </Box>
);

/** Returns the first rows: of several parks, as many whole parks as fit, at least one. */
function selectFirst(rounds: Round[]): Round[] {
  const parkNames = new Set(rounds.map(({ park }) => park));
  if (parkNames.size === 1) return rounds.slice(0, maxCollapsedRows);
  const shown: Round[] = [];
  for (const parkName of parkNames) {
    const group = rounds.filter(({ park }) => park === parkName);
    if (shown.length > 0 && shown.length + group.length > maxCollapsedRows) break;
    shown.push(...group);
  }
  return shown;
}

/** `12 due, 3 missed`; if there are none, `Next due at 14:00`. */
function countDue({ checks, counts }: DueChecks, rounds: Round[]): string {
  const shown = rounds.flatMap((round) => round.checks);
  const isWhole = checks.length === counts.checks;
  const missed = isWhole
    ? shown.filter(({ state, isWaiting }) => state === 'missed' && !isWaiting).length
    : counts.missed;
  const due = isWhole ? shown.filter(isStillDue).length : counts.due;
  const texts = [due > 0 && `${due} due`, missed > 0 && `${missed} missed`].filter(Boolean).join(', ');
  if (texts) return texts;
  const upcoming = shown.filter(({ state }) => state === 'upcoming');
  const [next] = upcoming.map(({ opens_at }) => opens_at).sort();
  return next ? `Next due at ${formatRecentInstant(next)}` : 'Nothing more is due today';
}

/** `38 of 40 not ready`; of one place, whether it is. A copy does not say that any is. */
function countNotReady({ ready, counts }: DueChecks, copiedAt: number | undefined): string {
  const [first] = ready;
  const at = copiedAt === undefined ? '' : ` at ${formatRecentInstant(new Date(copiedAt).toISOString())}`;
  if (first && counts.ready === 1) {
    if (first.not_in_use) return `${first.place} not in use`;
    if (!first.is_ready) return `${first.place} not ready${at}`;
    return at ? first.place : `${first.place} ready`;
  }
  const unused = ready.filter(({ not_in_use }) => not_in_use).length;
  const isWhole = ready.length === counts.ready;
  const notReady = isWhole ? ready.filter(({ is_ready }) => !is_ready).length - unused : counts.notReady;
  if (notReady > 0) return `${notReady} of ${counts.ready - unused} not ready${at}`;
  return at ? pluralise(counts.ready, 'place') : 'All ready';
}
