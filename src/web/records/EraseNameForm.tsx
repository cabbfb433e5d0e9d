// Erases the name of the person of an access request inside records that are kept.
import { Button, NativeSelect, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
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
import { formNames } from '../formNames.ts';
import { toData } from '../forms/Fields.tsx';
import { FormElement } from '../forms/FormElement.tsx';
import { useForm } from '../forms/useForm.ts';
import { type Status, StatusLine } from '../ui/feedback/StatusLine.tsx';
import type { FieldErrors } from '../ui/forms/fieldErrors.ts';
import { RecordList } from '../ui/navigation/RecordList.tsx';
import rows from '../ui/theme/rows.module.css';
import styles from './records.module.css';

type ErasureValues = { ids: string[]; reason: ErasureReason | ''; count: string };
type ErasureVariables = { ids: string[]; count: number; reason: ErasureReason; labels: Record<string, string> };

export function EraseNameForm({ accessRequest }: { accessRequest: AccessRequestHits }) {
  const [status, setStatus] = useState<Status>();
  const [skippedRecords, setSkippedRecords] = useState<{ id: string; text: string }[]>([]);
  const params = { id: accessRequest.id };
  // A username is not erased, because it belongs to an account.
  const hits = accessRequest.hits.filter(
    ({ thing, where }) => isErasable(thing) && where.some((field) => !accountFields.includes(field)),
  );
  const form = useForm<ErasureValues, ErasureOutcome, ErasureVariables>(formNames.erasure(accessRequest.id), {
    start: { ids: [], reason: '', count: '' },
    check: ({ ids, reason, count }): FieldErrors => {
      if (ids.length === 0) return { ids: 'Tick the records in which the name is erased' };
      return {
        ...(reason === '' && { reason: 'Choose a reason' }),
        ...(Number(count) !== ids.length && { count: `You ticked ${ids.length}. Type that number to erase the name.` }),
      };
    },
    toSent: ({ ids, reason }) => ({
      ids,
      count: ids.length,
      reason: reason as ErasureReason,
      labels: Object.fromEntries(hits.map(({ id, label }) => [id, label])),
    }),
    send: ({ labels: _, ...body }, key) => callApiWithRetry(api.blankNames, { params, body, key }),
    onSaved(outcome, { labels }) {
      void queryClient.invalidateQueries({ queryKey: [api.getAccessRequest.path] });
      setSkippedRecords(
        outcome.skipped.map(({ id, reason }) => ({ id, text: `${labels[id] ?? 'A record'}: ${reason}.` })),
      );
      setStatus({
        kind: outcome.blanked.length > 0 ? 'success' : 'error',
        text: `The name was erased in ${pluralise(outcome.blanked.length, 'record')}.`,
      });
    },
  });
  const { ids: tickedIds } = form.values;
  const toggle = (id: string) => {
    setStatus(undefined);
    form.set({ ids: tickedIds.includes(id) ? tickedIds.filter((other) => other !== id) : [...tickedIds, id] });
  };
  const problem =
    form.errors.ids ?? (form.failure && (form.failure.message || 'The name could not be erased. Please try again.'));
  return (
    <details>
      <summary>Erase the name in records that are kept</summary>
      <FormElement form={form} className={styles.panel}>
        <Text size="sm">
          The name, its other spellings and the contact number are replaced with “erased” and the day. A name of one
          word is erased only where it begins with a capital letter. The records stay. A report keeps its names until
          its legal period is over. Photos are not changed.
        </Text>
        <RecordList
          query={{ data: hits }}
          empty="The name is not in the text of any record."
          row={(hit) => (
            <li className={rows.row}>
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
                    {hit.isPossible ? 'May be someone else. ' : ''}Found in: {hit.where.join(', ')}.
                  </Text>
                </span>
              </label>
            </li>
          )}
        />
        <div className={styles.form}>
          <NativeSelect {...form.field('reason')} label="Reason" data={toData(erasureReasons, 'Choose a reason')} />
          <TextInput
            {...form.field('count')}
            label={`Type how many you ticked (${tickedIds.length}) to erase the name in them`}
            description="You cannot undo this."
            inputMode="numeric"
            autoComplete="off"
          />
          <div className={rows.actions}>
            <Button type="submit" color="red" loading={form.isSaving}>
              Erase the Name in {pluralise(tickedIds.length, 'Record')}
            </Button>
          </div>
          <StatusLine status={problem ? { kind: 'error', text: problem } : status} />
          <RecordList query={{ data: skippedRecords }} row={({ text }) => <li>{text}</li>} />
        </div>
      </FormElement>
    </details>
  );
}
