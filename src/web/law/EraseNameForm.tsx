// Erases the name of the person of an access request inside records that are kept.
import { Button, NativeSelect, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { api } from '#shared/api.ts';
import { type AccessRequestHits, accountFields } from '#shared/people/access-requests.ts';
import {
  type ErasureOutcome,
  type ErasureReason,
  erasureReasons,
  isErasable,
  maxErasedRecords,
} from '#shared/people/name-erasure.ts';
import { pluralise } from '#shared/pluralise.ts';
import { callApiWithRetry, queryClient } from '../client/api.ts';
import { useSave } from '../client/useSave.ts';
import { type Status, StatusLine } from '../ui/feedback/StatusLine.tsx';
import rows from '../ui/theme/rows.module.css';
import styles from './records.module.css';

type ErasureVariables = { ids: string[]; count: number; reason: ErasureReason; labels: Record<string, string> };

export function EraseNameForm({ accessRequest }: { accessRequest: AccessRequestHits }) {
  const [tickedIds, setTickedIds] = useState<readonly string[]>([]);
  const [reason, setReason] = useState<ErasureReason | ''>('');
  const [typedCount, setTypedCount] = useState('');
  const [status, setStatus] = useState<Status>();
  const [skippedRecords, setSkippedRecords] = useState<{ id: string; text: string }[]>([]);
  const params = { id: accessRequest.id };
  const saving = useSave<ErasureVariables, ErasureOutcome>(`erase a name ${accessRequest.id}`, {
    send: ({ labels: _, ...body }, key) => callApiWithRetry(api.blankNames, { params, body, key }),
    onSaved(outcome, { labels }) {
      void queryClient.invalidateQueries({ queryKey: [api.getAccessRequest.path] });
      setTickedIds([]);
      setTypedCount('');
      setSkippedRecords(
        outcome.skipped.map(({ id, reason }) => ({ id, text: `${labels[id] ?? 'A record'}: ${reason}.` })),
      );
      setStatus({
        kind: outcome.blanked.length > 0 ? 'success' : 'error',
        text: `The name was erased in ${pluralise(outcome.blanked.length, 'record')}.`,
      });
    },
    onFailed: ({ message }) =>
      setStatus({ kind: 'error', text: message || 'The name could not be erased. Please try again.' }),
  });
  // A username is not erased, because it belongs to an account.
  const hits = accessRequest.hits.filter(
    ({ thing, where }) => isErasable(thing) && where.some((field) => !accountFields.includes(field)),
  );
  const toggle = (id: string) => {
    setStatus(undefined);
    setTickedIds(tickedIds.includes(id) ? tickedIds.filter((other) => other !== id) : [...tickedIds, id]);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const errors = {
      ...(reason === '' && { reason: 'Choose a reason' }),
      ...(Number(typedCount) !== tickedIds.length && {
        count: `You ticked ${tickedIds.length}. Type that number to erase the name.`,
      }),
    };
    if (tickedIds.length === 0)
      return setStatus({ kind: 'error', text: 'Tick the records in which the name is erased' });
    if (saving.showErrors(errors) || reason === '') return;
    const labels = Object.fromEntries(hits.map(({ id, label }) => [id, label]));
    saving.save({ ids: [...tickedIds], count: tickedIds.length, reason, labels });
  };
  return (
    <details>
      <summary>Erase the name in records that are kept</summary>
      <form onSubmit={submit} noValidate className={styles.panel}>
        <Text size="sm">
          The name, its other spellings and the contact number are replaced with “erased” and the day. A name of one
          word is erased only where it begins with a capital letter. The records stay. A report keeps its names until
          its legal period is over. Photos are not changed.
        </Text>
        {hits.length === 0 && <Text>The name is not in the text of any record.</Text>}
        <ul className={rows.list}>
          {hits.map((hit) => (
            <li key={hit.id} className={rows.row}>
              <label className={rows.tick}>
                <input
                  type="checkbox"
                  checked={tickedIds.includes(hit.id)}
                  disabled={tickedIds.length >= maxErasedRecords && !tickedIds.includes(hit.id)}
                  onChange={() => toggle(hit.id)}
                />
                <span>
                  <Text component="span" fw={600} display="block">
                    {hit.label}
                  </Text>
                  <Text component="span" size="sm" c="dimmed" display="block">
                    {hit.isPossible ? 'Perhaps someone else. ' : ''}Found in: {hit.where.join(', ')}.
                  </Text>
                </span>
              </label>
            </li>
          ))}
        </ul>
        <div className={styles.form}>
          <NativeSelect
            label="Reason"
            value={reason}
            error={saving.errors.reason}
            data={[
              { value: '', label: 'Choose a reason' },
              ...Object.entries(erasureReasons).map(([value, label]) => ({ value, label })),
            ]}
            onChange={({ currentTarget }) => {
              saving.clearErrors('reason');
              setReason(currentTarget.value as ErasureReason | '');
            }}
          />
          <TextInput
            label={`Type how many you ticked (${tickedIds.length}) to erase the name in them`}
            description="You cannot undo this."
            inputMode="numeric"
            autoComplete="off"
            value={typedCount}
            error={saving.errors.count}
            onChange={({ currentTarget }) => {
              saving.clearErrors('count');
              setTypedCount(currentTarget.value.trim());
            }}
          />
          <div className={rows.actions}>
            <Button type="submit" color="red" loading={saving.isSaving}>
              Erase the Name in {pluralise(tickedIds.length, 'Record')}
            </Button>
          </div>
          <StatusLine status={status} />
          {skippedRecords.length > 0 && (
            <ul className={rows.list}>
              {skippedRecords.map(({ id, text }) => (
                <li key={id}>{text}</li>
              ))}
            </ul>
          )}
        </div>
      </form>
    </details>
  );
}
