import { Anchor, Button, Text, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Archive } from 'lucide-react';
import { useState } from 'react';
import { api } from '#shared/api.ts';
import { formatDay, formatInstant, formatMonth } from '#shared/dates.ts';
import {
  type RetentionList,
  type RetentionOutcome,
  type RetentionRow,
  retentionLimits,
} from '#shared/people/keeping.ts';
import { pluralise } from '#shared/pluralise.ts';
import { recordUrls } from '#shared/record-kinds.ts';
import { entityTypeNames } from '../activity/activityText.ts';
import { callApiWithRetry, queryFor } from '../client/api.ts';
import { formNames } from '../formNames.ts';
import { FormElement } from '../forms/FormElement.tsx';
import { useForm } from '../forms/useForm.ts';
import { StatusLine } from '../ui/feedback/StatusLine.tsx';
import type { FieldErrors } from '../ui/forms/fieldErrors.ts';
import { RecordList } from '../ui/navigation/RecordList.tsx';
import rows from '../ui/theme/rows.module.css';
import styles from './records.module.css';

const kinds: Record<RetentionRow['thing'], string> = {
  ...entityTypeNames,
  accessRequest: 'Access request',
  hold: 'Hold',
};

/**
 * Records past their period. An Admin must tick them, type how many and confirm before they are
 * destroyed.
 */
export function RetentionPanel() {
  const list = useQuery({ ...queryFor(api.listRetention), refetchOnWindowFocus: false });
  const [outcome, setOutcome] = useState<RetentionOutcome>();
  const { data } = list;
  return (
    <div className={styles.panel}>
      <div>
        <Text fw={600}>Nothing is destroyed until you confirm it.</Text>
        <Text>
          These records are past the period for which they must be kept. Tick the records to destroy permanently, with
          their photos and signatures. Only a count without names is kept.
        </Text>
        {data && (
          <Text size="sm" c="dimmed">
            List created {formatInstant(data.made_at)}.{' '}
            {data.monthly &&
              `Checked automatically on ${formatInstant(data.monthly.made_at)}: ${pluralise(data.monthly.count, 'record')}.`}
          </Text>
        )}
      </div>
      {outcome && <Outcome outcome={outcome} />}
      <RecordList
        query={{ ...list, data: data?.rows }}
        failed="The list could not be created."
        reason={list.error?.message}
        loading="Looking for records past their retention period..."
        empty={{ icon: Archive, text: 'No record is past its retention period.' }}
      >
        {() => data && <RunForm key={data.hash} list={data} onDone={setOutcome} />}
      </RecordList>
      {data && <Statistics list={data} />}
    </div>
  );
}

type RunValues = { ids: string[]; count: string };
type Run = { hash: string; ids: string[]; count: number };

function RunForm({ list, onDone }: { list: RetentionList; onDone: (outcome: RetentionOutcome) => void }) {
  const form = useForm<RunValues, RetentionOutcome, Run>(formNames.retention(list.hash), {
    start: { ids: [], count: '' },
    check({ ids, count }): FieldErrors {
      if (ids.length === 0) return { ids: 'Tick the records to destroy' };
      return Number(count) === ids.length
        ? {}
        : { count: `You ticked ${ids.length}. Type that number to destroy them.` };
    },
    toSent: ({ ids }) => ({ hash: list.hash, ids, count: ids.length }),
    send: (body, key) => callApiWithRetry(api.runRetention, { body, key }),
    onSaved: onDone,
  });
  const { ids: tickedIds } = form.values;
  const problem =
    form.errors.ids ??
    (form.failure && (form.failure.message || 'The records could not be destroyed. Please try again.'));
  const toggle = (id: string) =>
    form.set({ ids: tickedIds.includes(id) ? tickedIds.filter((other) => other !== id) : [...tickedIds, id] });
  return (
    <FormElement form={form} className={styles.panel}>
      <div className={rows.actions}>
        <Button variant="subtle" onClick={() => form.set({ ids: [] })} disabled={tickedIds.length === 0}>
          Untick All
        </Button>
      </div>
      <ul className={rows.list}>
        {list.rows.map((row) => (
          <li key={row.id} className={`${rows.row} ${styles.record}`}>
            <label className={rows.tick}>
              <input
                type="checkbox"
                checked={tickedIds.includes(row.id)}
                disabled={
                  row.hold !== null || (tickedIds.length >= retentionLimits.destroyed && !tickedIds.includes(row.id))
                }
                onChange={() => toggle(row.id)}
              />
              <span>
                <Text component="span" fw={600} display="block">
                  {row.thing === 'report' ? row.label : `${kinds[row.thing]} ${row.label}`}
                </Text>
                <Text component="span" display="block">
                  {[row.place, formatDay(row.day), row.kind].filter(Boolean).join(' · ')}
                </Text>
                <Text component="span" size="sm" c="dimmed" display="block">
                  {row.class}: kept until {formatDay(row.until)}. {row.source}. {pluralise(row.files, 'file')}.
                </Text>
                {row.hold !== null && (
                  <Text component="span" size="sm" display="block">
                    Held: {row.hold}
                  </Text>
                )}
              </span>
            </label>
            {recordUrls[row.thing] && (
              // In another tab, so that the ticks stay.
              <Anchor
                href={recordUrls[row.thing]?.(row.id)}
                target="_blank"
                className={styles.open}
                aria-label={`Open ${row.label} in a new tab`}
              >
                Open
              </Anchor>
            )}
          </li>
        ))}
      </ul>
      {list.hasMore && <Text size="sm">More records follow once these are destroyed.</Text>}
      <div className={styles.form}>
        <TextInput
          {...form.field('count')}
          label={`Type how many you ticked (${tickedIds.length}) to destroy them`}
          description="You cannot undo this."
          inputMode="numeric"
          autoComplete="off"
        />
        <div className={rows.actions}>
          <Button type="submit" color="red" loading={form.isSaving}>
            Destroy {pluralise(tickedIds.length, 'Record')}
          </Button>
        </div>
        <StatusLine status={problem ? { kind: 'error', text: problem } : undefined} />
      </div>
    </FormElement>
  );
}

const Outcome = ({ outcome: { destroyed, skipped: skippedRecords } }: { outcome: RetentionOutcome }) => (
  <div role="status">
    <Text fw={600}>
      {pluralise(destroyed.length, 'record')} destroyed. The activity log has a certificate for each.
    </Text>
    {skippedRecords.length > 0 && (
      <>
        <Text>Skipped:</Text>
        <ul>
          {skippedRecords.map(({ label, reason }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: access requests are listed without a name
            <li key={index}>
              {label}: {reason}
            </li>
          ))}
        </ul>
      </>
    )}
  </div>
);

function Statistics({ list: { statistics } }: { list: RetentionList }) {
  if (statistics.length === 0) return null;
  return (
    <details>
      <summary>Destroyed records in numbers</summary>
      <Title order={3} size="h5" mt="sm">
        Counts under 5 are not shown
      </Title>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled with the keyboard */}
      <section className={styles.scroll} tabIndex={0} aria-label="Destroyed records in numbers">
        <table className={styles.table}>
          <thead>
            <tr>
              {['Kind', 'Park', 'Month', 'Status', 'Age', 'Rules', 'Outcome', 'Count'].map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {statistics.map((one) => (
              <tr key={JSON.stringify(one)}>
                <td>{one.kind}</td>
                <td>{one.park}</td>
                <td>{one.month && formatMonth(one.month)}</td>
                <td>{one.status}</td>
                <td>{one.ageBand}</td>
                <td>{one.rules.join(', ')}</td>
                <td>{one.outcome}</td>
                <td>{one.count ?? 'under 5'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}
