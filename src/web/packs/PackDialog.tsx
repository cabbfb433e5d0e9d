// Requests a pack of all listed reports, or of the ones the user ticks.
import { Button, Checkbox, Group, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQueries } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import { api } from '#shared/api.ts';
import { textLimits } from '#shared/choices.ts';
import type { Query } from '#shared/contract.ts';
import { formatDay } from '#shared/dates.ts';
import { NewPack, packLimits } from '#shared/packs.ts';
import type { Report } from '#shared/reports.ts';
import { mutationWithRetryFor, queryFor } from '../client/api.ts';
import { readError } from '../client/errors.ts';
import { newUuid } from '../newUuid.ts';
import { Dialog } from '../ui/dialogs/Dialog.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { type Status, StatusLine } from '../ui/feedback/StatusLine.tsx';
import { type FieldErrors, focusFirstError, getFieldErrors } from '../ui/forms/fieldErrors.ts';
import { Loading } from '../ui/loading/Loading.tsx';
import styles from './packs.module.css';

type PackDialogProps = {
  /** The lists on the screen, with their filters and searches. */
  lists: Query<typeof api.listReports, 'input'>[];
  onClose: () => void;
};

export function PackDialog({ lists, onClose }: PackDialogProps) {
  // One more than a pack may have, to detect that there are too many.
  const limit = packLimits.reports + 1;
  const { reports, isPending, isError, refetch } = useQueries({
    queries: lists.map((list) => queryFor(api.listReports, { query: { ...list, limit } })),
    combine: (results) => ({
      reports: results.flatMap(({ data }) => data ?? []),
      isPending: results.some((result) => result.isPending),
      isError: results.some((result) => result.isError && !result.data),
      refetch: () => results.map((result) => result.refetch()),
    }),
  });
  return (
    <Dialog opened onClose={onClose} title="Make Pack" size="lg">
      {isPending ? (
        <Loading shape="rows" />
      ) : isError ? (
        <ErrorBox isNotKept message="The reports could not be loaded." onRetry={refetch} />
      ) : reports.length === 0 ? (
        <EmptyState text="No reports found." hint="Close this and change the filters." />
      ) : (
        <PackForm reports={reports.toSorted(byDay)} onClose={onClose} />
      )}
    </Dialog>
  );
}

/** Newest first. */
const byDay = (a: Report, b: Report) => (`${a.date} ${a.time}` < `${b.date} ${b.time}` ? 1 : -1);

function PackForm({ reports: found, onClose }: { reports: Report[]; onClose: () => void }) {
  const navigate = useNavigate();
  const make = useMutation(mutationWithRetryFor(api.createPack));
  const isTooMany = found.length > packLimits.reports;
  const reports = found.slice(0, packLimits.reports);
  const [ticked, setTicked] = useState<readonly string[]>(isTooMany ? [] : reports.map(({ id }) => id));
  const [recipient, setRecipient] = useState('');
  const [purpose, setPurpose] = useState('');
  const [withoutNames, setWithoutNames] = useState(false);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [status, setStatus] = useState<Status>();
  const [key] = useState(newUuid);

  const showErrors = (fields: FieldErrors, message = '') => {
    setErrors(fields);
    const text = fields.reports ?? (Object.keys(fields).length > 0 ? '' : message);
    setStatus(text ? { kind: 'error', text } : undefined);
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const body = { recipient, purpose, withoutNames, reports: [...ticked] };
    const found = getFieldErrors(NewPack, body);
    showErrors(found);
    if (Object.keys(found).length > 0) return focusFirstError(event.currentTarget);
    make.mutate(
      { body, key },
      {
        onSuccess: () => navigate('/packs'),
        onError(error) {
          const { fields, message } = readError(error);
          showErrors(fields, message);
        },
      },
    );
  };
  const toggle = (id: string) =>
    setTicked(ticked.includes(id) ? ticked.filter((other) => other !== id) : [...ticked, id]);

  return (
    <form onSubmit={submit} noValidate className={styles.form}>
      <TextInput
        label="Who is it for?"
        description="For example an inspector, an insurer or a council"
        value={recipient}
        maxLength={textLimits.name}
        autoComplete="off"
        data-autofocus
        error={errors.recipient}
        onChange={({ currentTarget }) => setRecipient(currentTarget.value)}
      />
      <Textarea
        label="Why do they need it?"
        description="Both are printed in the pack as you type them, also in a pack without names, and kept in the activity log."
        value={purpose}
        maxLength={500}
        autosize
        minRows={2}
        error={errors.purpose}
        onChange={({ currentTarget }) => setPurpose(currentTarget.value)}
      />
      <div>
        <Checkbox
          label="Without names"
          description="Leaves out names, contact numbers, ages, types, locations, details, signatures, photos and answers."
          checked={withoutNames}
          onChange={({ currentTarget }) => setWithoutNames(currentTarget.checked)}
        />
        <div role="status">
          {withoutNames && (
            <p className={styles.warning}>
              <TriangleAlert aria-hidden size={18} />
              Who it is for and why are printed as you type them. Do not name the people in the reports there.
            </p>
          )}
        </div>
      </div>
      <fieldset className={styles.chosen}>
        <legend>
          {ticked.length} of {reports.length} reports chosen
        </legend>
        {isTooMany && (
          <p>
            The filters find more than {packLimits.reports} reports. These are the newest; filter more closely for
            others.
          </p>
        )}
        <Group gap="xs" mt="xs">
          <Button variant="default" size="compact-md" onClick={() => setTicked(reports.map(({ id }) => id))}>
            Tick All
          </Button>
          <Button variant="subtle" size="compact-md" onClick={() => setTicked([])} disabled={ticked.length === 0}>
            Untick All
          </Button>
        </Group>
        <ul className={styles.reports}>
          {reports.map(({ id, number, name, date, selectedPlace, type }) => (
            <li key={id}>
              <label className={styles.tick}>
                <input type="checkbox" checked={ticked.includes(id)} onChange={() => toggle(id)} />
                <span>
                  {number}, {name || 'No name'}
                  <span className={styles.facts}>
                    {[formatDay(date), selectedPlace, type].filter(Boolean).join(' · ')}
                  </span>
                </span>
              </label>
            </li>
          ))}
        </ul>
      </fieldset>
      <StatusLine status={status} hasErrorColour />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" loading={make.isPending}>
          Make Pack
        </Button>
      </Group>
    </form>
  );
}
