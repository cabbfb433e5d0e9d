import { Button, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Lock } from 'lucide-react';
import { useState } from 'react';
import { api } from '#shared/api.ts';
import { addYears } from '#shared/calendar.ts';
import { textLimits } from '#shared/choices.ts';
import { formatDay, formatInstant, getToday } from '#shared/dates.ts';
import type { Hold } from '#shared/law/assessment.ts';
import { isPark, listParks } from '#shared/park-list.ts';
import { callApiWithRetry, getServerTime, mutationFor, queryFor } from '../client/api.ts';
import { useNames } from '../client/names.ts';
import { dangerous, useConfirmed } from '../client/useConfirmed.tsx';
import { formNames } from '../formNames.ts';
import { Fields, line, lines } from '../forms/Fields.tsx';
import { FormElement } from '../forms/FormElement.tsx';
import { useForm } from '../forms/useForm.ts';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { Name } from '../ui/feedback/Name.tsx';
import { StatusLine, toStatus } from '../ui/feedback/StatusLine.tsx';
import { RecordList } from '../ui/navigation/RecordList.tsx';
import rows from '../ui/theme/rows.module.css';
import styles from './records.module.css';

const kinds = { report: 'Report', person: 'Person', park: 'Park' };
type Kind = keyof typeof kinds;

/**
 * Records held beyond their period, for example for a claim or an inquiry. Only a user can end a
 * hold.
 */
export function HoldsPanel() {
  const showName = useNames();
  const holds = useQuery(queryFor(api.listHolds));
  const lift = useConfirmed<Hold>({
    ...dangerous(api.liftHold),
    title: ({ label }) => `Lift the hold on ${label}?`,
    text: 'The records can then be destroyed once their retention period is over, unless another hold covers them.',
    confirm: 'Lift',
    isDangerous: false,
    failed: 'The hold could not be lifted. Please try again.',
  });
  const review = useMutation(mutationFor(api.reviewHold));
  const today = getToday(new Date(getServerTime()));
  return (
    <div className={styles.panel}>
      <Text>
        A hold keeps a report, everything about a person, or everything of a park, for as long as someone needs it, for
        example for a claim, an inquiry, or a person who lacks mental capacity. It ends when someone lifts it, and never
        by itself. A hold on a person also keeps records with a similar spelling of their name.
      </Text>
      {review.isError && (
        <ErrorBox
          message="The hold could not be kept for another year. Please try again."
          reason={review.error.message}
        />
      )}
      <RecordList
        query={holds}
        failed="The holds could not be loaded."
        loading="Loading the holds..."
        empty={{ icon: Lock, text: 'There are no holds.' }}
        row={(hold) => (
          <li className={rows.row}>
            <div className={rows.text}>
              <Text fw={600}>
                {kinds[hold.thing as Kind]} {hold.label}
              </Text>
              <Text>{hold.reason}</Text>
              <Text size="sm" c="dimmed">
                Held by <Name>{showName(hold.created_by)}</Name> since {formatInstant(hold.created_at)}.{' '}
                {hold.review_on > today && `Review on ${formatDay(hold.review_on)}.`}
              </Text>
              {hold.review_on <= today && (
                <Text size="sm" fw={600}>
                  Due for review since {formatDay(hold.review_on)}
                </Text>
              )}
            </div>
            <div className={rows.actions}>
              {hold.review_on <= today && (
                <Button
                  variant="default"
                  aria-label={`Keep the hold on ${hold.label} for another year`}
                  loading={review.isPending && review.variables.params.id === hold.id}
                  onClick={() => review.mutate({ params: { id: hold.id }, body: { reviewOn: addYears(today, 1) } })}
                >
                  Keep for Another Year
                </Button>
              )}
              <Button variant="default" aria-label={`Lift the hold on ${hold.label}`} onClick={() => lift.ask(hold)}>
                Lift
              </Button>
            </div>
          </li>
        )}
      />
      <NewHoldForm today={today} />
      {lift.dialog}
    </div>
  );
}

type HoldFields = { thing: Kind; name: string; reason: string; reviewOn: string };

const getPark = (name: string) => (isPark(name) ? name : (listParks()[0] ?? ''));

function NewHoldForm({ today }: { today: string }) {
  const [isSaved, setSaved] = useState(false);
  const form = useForm<HoldFields>(formNames.hold(), {
    start: { thing: 'report', name: '', reason: '', reviewOn: addYears(today, 1) },
    send: ({ name, ...body }, key) =>
      callApiWithRetry(api.setHold, {
        body: { ...body, thing_id: body.thing === 'park' ? getPark(name) : name.trim() },
        key,
      }),
    toFieldErrors: ({ thing_id, ...others }) => (thing_id ? { ...others, name: thing_id } : others),
    onSaved: () => setSaved(true),
  });
  const { failure, isTyped } = form;
  const { thing, name } = form.values;
  const problem = failure && (failure.message || 'The hold could not be saved. Please try again.');
  return (
    <FormElement form={form} className={styles.form}>
      <Title order={2} size="h4">
        New Hold
      </Title>
      <Fields
        form={form}
        fields={{
          thing: { kind: 'choice', label: 'What must be kept', labels: kinds },
          name:
            thing === 'park'
              ? { kind: 'choice', label: 'Park', value: getPark(name), data: [...listParks()] }
              : line(thing === 'report' ? 'Report number' : 'Name of the person', textLimits.name, {
                  description: thing === 'report' ? 'For example ACC-2026-0001' : 'As written in the reports',
                  autoComplete: 'off',
                }),
          reason: lines('Reason', textLimits.note, { minRows: 2 }),
          reviewOn: { kind: 'day', label: 'Review on' },
        }}
      />
      <div className={rows.actions}>
        <Button type="submit" loading={form.isSaving}>
          Save Hold
        </Button>
      </div>
      <StatusLine status={toStatus(problem, isSaved && !isTyped && 'Hold saved')} />
    </FormElement>
  );
}
