// The record of scheduled checks: done on time, late or missed, and why.
import { Button, NativeSelect, Text, Title, UnstyledButton } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#shared/api.ts';
import { parseDay } from '#shared/dates.ts';
import { parseParks } from '#shared/park-list.ts';
import {
  type Check,
  type CheckCount,
  type CheckStateName,
  checkStates,
  MissedReason,
  scheduleLimits,
} from '#shared/schedules/schedules.ts';
import { callApi, queryFor } from '../client/api.ts';
import { useNames } from '../client/names.ts';
import { usePages } from '../client/usePages.ts';
import { ExportButtons } from '../exports/ExportButtons.tsx';
import { formNames } from '../formNames.ts';
import { lines } from '../forms/Fields.tsx';
import { RequestDialog } from '../forms/RequestDialog.tsx';
import { Joined, Name } from '../ui/feedback/Name.tsx';
import { bindFilters } from '../ui/forms/bindFilters.ts';
import { DayRange } from '../ui/forms/DayRange.tsx';
import { listParkChoices } from '../ui/forms/parkChoices.ts';
import { PageHeading } from '../ui/navigation/PageHeading.tsx';
import { RecordList } from '../ui/navigation/RecordList.tsx';
import { useFilters } from '../ui/navigation/useUrlState.ts';
import rows from '../ui/theme/rows.module.css';
import { ChecklistsLink } from './ChecklistsLink.tsx';
import { StateTag } from './StateTag.tsx';
import styles from './schedules.module.css';
import { describeCheck, formatCheckTime, stateNames } from './text.ts';

export function ChecksPage() {
  const showName = useNames();
  const [{ park: askedPark, state: askedState, checklist, settled, from, to }, filter] = useFilters(
    'park',
    'state',
    'checklist',
    'settled',
    'from',
    'to',
  );
  const days = { from: parseDay(from) ?? '', to: parseDay(to) ?? '' };
  const park = parseParks(askedPark).join() || undefined;
  const state = checkStates.find((state) => state === askedState);
  const filters = {
    park,
    state,
    settled: settled === '1' ? ('1' as const) : undefined,
    from: days.from || undefined,
    to: days.to || undefined,
  };
  const query = { ...filters, checklist: checklist || undefined };
  const { field } = bindFilters({ park, state, checklist, settled }, filter);
  const counts = useQuery({ ...queryFor(api.countChecks, { query: filters }), placeholderData: keepPreviousData }).data;
  const checks = usePages(api.listChecks, { query }, 50, ({ id }) => ({ after: id }));
  const [explainedCheck, setExplainedCheck] = useState<Check>();
  return (
    <>
      <PageHeading title="Scheduled Checks" text="Checks that are or were due, and their results." />
      <div className={styles.filters}>
        <NativeSelect {...field('park')} label="Park" data={listParkChoices(park)} />
        <NativeSelect
          {...field('state', { settled: '' })}
          label="State"
          data={[
            { value: '', label: 'All states' },
            ...checkStates
              .filter((state) => state !== 'upcoming')
              .map((value) => ({ value, label: stateNames[value] })),
          ]}
        />
        <DayRange {...days} onChange={filter} />
        <NativeSelect
          {...field('checklist')}
          label="Checklist"
          className={styles.wide}
          data={[
            { value: '', label: 'All checklists' },
            ...(counts ?? []).map((count) => ({ value: count.checklist_id, label: count.checklist_title })),
            ...(checklist !== '' && !counts?.some((count) => count.checklist_id === checklist)
              ? [{ value: checklist, label: checks.data?.pages[0]?.[0]?.checklist_title ?? 'This checklist' }]
              : []),
          ]}
        />
      </div>
      {state && checklist === '' && counts && counts.length > 1 && (
        <CheckCounts state={state} counts={counts} onChoose={(checklist) => filter({ checklist })} />
      )}
      <RecordList
        query={checks}
        failed="The checks could not be loaded."
        empty={{
          text: 'No checks match your filters.',
          hint: 'Checks appear here when they are due. Schedule a checklist under Admin, Create Checklists.',
          children: <ChecklistsLink />,
        }}
        above={<ExportButtons list="checks" name="Scheduled checks" filters={query} />}
        row={(check) => (
          <li className={rows.row}>
            <div className={rows.text}>
              <Text fw={600}>
                <Joined parts={[check.checklist_title, check.place && <Name>{check.place}</Name>]} />
              </Text>
              <Text size="sm" c="dimmed">
                {formatCheckTime(check)}, <Name>{check.park}</Name>. {describeCheck(check, showName)}
              </Text>
              {check.reason && (
                <Text size="sm">
                  Reason: {check.reason} (<Name>{showName(check.reason_by ?? '')}</Name>)
                </Text>
              )}
            </div>
            <StateTag state={check.state} />
            {check.state === 'missed' && (
              <Button
                variant="default"
                aria-label={`${check.reason ? 'Change Reason' : 'Add Reason'}: ${describeWhere(check)}, ${formatCheckTime(check)}`}
                onClick={() => setExplainedCheck(check)}
              >
                {check.reason ? 'Change Reason' : 'Add Reason'}
              </Button>
            )}
          </li>
        )}
      />
      {explainedCheck && (
        <ReasonDialog key={explainedCheck.id} check={explainedCheck} onClose={() => setExplainedCheck(undefined)} />
      )}
    </>
  );
}

const describeWhere = ({ checklist_title, place, park }: Check) =>
  [checklist_title, place, park].filter(Boolean).join(', ');

type CheckCountsProps = {
  state: CheckStateName;
  counts: CheckCount[];
  onChoose: (checklistId: string) => void;
};

/** How many of each checklist, and at which parks; a tap shows them alone. */
const CheckCounts = ({ state, counts, onChoose }: CheckCountsProps) => (
  <section className={styles.section} aria-labelledby="by-checklist">
    <Title order={2} size="h4" id="by-checklist">
      {stateNames[state]}, by checklist
    </Title>
    <ul className={rows.list}>
      {counts.map(({ checklist_id, checklist_title, checks, parks }) => (
        <li key={checklist_id}>
          <UnstyledButton className={styles.count} onClick={() => onChoose(checklist_id)}>
            <span className={rows.text}>
              <Text span fw={600} display="block">
                {checklist_title}
              </Text>
              <Text span size="sm" c="dimmed">
                {parks.map(({ park, checks }) => `${park} ${checks}`).join(', ')}
              </Text>
            </span>
            <Text span fw={600}>
              {checks}
            </Text>
          </UnstyledButton>
        </li>
      ))}
    </ul>
  </section>
);

const ReasonDialog = ({ check, onClose }: { check: Check; onClose: () => void }) => (
  <RequestDialog
    name={formNames.missedCheck(check.id)}
    title="Why was this check missed?"
    text={
      <Text>
        {check.checklist_title}, <Name>{[check.place, check.park].filter(Boolean).join(', ')}</Name>,{' '}
        {formatCheckTime(check)}. The check stays on record as missed.
      </Text>
    }
    start={{ reason: check.reason ?? '' }}
    fields={{
      reason: lines('Reason', scheduleLimits.reason, {
        placeholder: 'Park closed, storm',
        minRows: 2,
        'data-autofocus': true,
      }),
    }}
    schema={MissedReason}
    send={(body) => callApi(api.explainMissedCheck, { params: { id: check.id }, body })}
    submit="Save Reason"
    failed="The reason could not be saved"
    onSaved={onClose}
    onClose={onClose}
  />
);
