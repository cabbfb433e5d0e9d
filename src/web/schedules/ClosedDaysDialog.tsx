// The days on which parks are closed, when no checks are due.
import { Button, NativeSelect, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { api } from '#shared/api.ts';
import { parks } from '#shared/choices.ts';
import { formatDay } from '#shared/dates.ts';
import { type Closure, NewClosure } from '#shared/schedules/schedules.ts';
import { callApiWithRetry, queryFor } from '../client/api.ts';
import { useUser } from '../client/session.ts';
import { useDeletion } from '../client/useDeletion.ts';
import { useSave } from '../client/useSave.ts';
import { ConfirmDialog } from '../ui/dialogs/ConfirmDialog.tsx';
import { Dialog } from '../ui/dialogs/Dialog.tsx';
import { useConfirmDiscard } from '../ui/dialogs/useConfirmDiscard.tsx';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { DateField } from '../ui/forms/DateField.tsx';
import { getFieldErrors } from '../ui/forms/fieldErrors.ts';
import { Loading } from '../ui/loading/Loading.tsx';
import rows from '../ui/theme/rows.module.css';
import styles from './schedules.module.css';

const formatDays = ({ starts_on, ends_on }: Closure) =>
  starts_on === ends_on ? formatDay(starts_on) : `${formatDay(starts_on)} to ${formatDay(ends_on)}`;

type Days = { park: string; starts_on: string; ends_on: string };

const toBody = (days: Days) => ({ ...days, ends_on: days.ends_on || days.starts_on });

export function ClosedDaysDialog({ onClose }: { onClose: () => void }) {
  const user = useUser();
  const { data, isPending, isError, refetch } = useQuery(queryFor(api.listClosures));
  const empty: Days = { park: user.park || parks[0], starts_on: '', ends_on: '' };
  const form = useRef<HTMLFormElement>(null);
  const saving = useSave<Days, unknown>('closed days', {
    send: (days, key) => callApiWithRetry(api.createClosure, { body: toBody(days) as never, key }),
    form,
    onSaved: (_, { park }) => setValues({ ...empty, park }),
  });
  const { errors } = saving;
  const [values, setValues] = useState(saving.variables ?? empty);
  const isTyped = values.starts_on !== '' || values.ends_on !== '';
  const discard = useConfirmDiscard(isTyped && !saving.isSaving, () => {
    saving.dismiss();
    onClose();
  });
  const removal = useDeletion<Closure>(api.deleteClosure, { failed: 'The closed days could not be removed' });
  const set = (changes: Partial<Days>) => {
    saving.clearErrors(...Object.keys(errors));
    setValues({ ...values, ...changes });
  };

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!saving.showErrors(getFieldErrors(NewClosure, toBody(values)))) saving.save(values);
  };

  return (
    <Dialog opened discard={discard} title="Closed Days" size="lg" closeOnEscape={!removal.chosen}>
      <Stack>
        <Text>No checks are due on days when a park is closed. Checks that were already due stay on record.</Text>
        <form ref={form} onSubmit={submit} noValidate className={styles.form}>
          <div className={styles.pair}>
            <NativeSelect
              label="Park"
              value={values.park}
              data={parks}
              onChange={({ currentTarget }) => set({ park: currentTarget.value })}
            />
            <DateField
              label="First day closed"
              value={values.starts_on}
              error={errors.starts_on}
              onChange={(starts_on) => set({ starts_on })}
            />
            <DateField
              label="Last day closed"
              value={values.ends_on}
              error={errors.ends_on}
              onChange={(ends_on) => set({ ends_on })}
            />
          </div>
          <ErrorBox message={saving.error ? 'This could not be saved' : ''} reason={saving.error?.message} />
          <Button type="submit" loading={saving.isSaving} justify="center">
            Add Closed Days
          </Button>
        </form>
        {isPending && <Loading shape="rows" />}
        {isError && <ErrorBox message="The closed days could not be loaded." onRetry={() => refetch()} />}
        {data?.length === 0 && <Text c="dimmed">No closed days are planned.</Text>}
        <ul className={rows.list}>
          {data?.map((closure) => (
            <li key={closure.id} className={rows.row}>
              <div className={rows.text}>
                <Text fw={600}>{closure.park}</Text>
                <Text size="sm" c="dimmed">
                  {formatDays(closure)}
                </Text>
              </div>
              <Button
                variant="default"
                aria-label={`Remove ${closure.park}, ${formatDays(closure)}`}
                onClick={() => removal.ask(closure)}
              >
                Remove
              </Button>
            </li>
          ))}
        </ul>
      </Stack>
      <ConfirmDialog {...removal.dialog} title="Remove these closed days?" confirm="Remove">
        {removal.chosen && `${removal.chosen.park}, ${formatDays(removal.chosen)}. `}Checks will be due on these days
        again.
      </ConfirmDialog>
    </Dialog>
  );
}
