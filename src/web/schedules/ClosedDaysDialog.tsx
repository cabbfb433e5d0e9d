// The days on which parks are closed: nothing is due there.
import { Button, NativeSelect, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api } from '#shared/api.ts';
import { parks } from '#shared/choices.ts';
import { formatDay } from '#shared/dates.ts';
import { type Closure, NewClosure } from '#shared/schedules/schedules.ts';
import { mutationFor, mutationWithRetryFor, queryFor } from '../client/api.ts';
import { readError } from '../client/errors.ts';
import { useUser } from '../client/session.ts';
import { newUuid } from '../newUuid.ts';
import { Dialog } from '../ui/dialogs/Dialog.tsx';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { DateField } from '../ui/forms/DateField.tsx';
import { type FieldErrors, focusFirstError, getFieldErrors } from '../ui/forms/fieldErrors.ts';
import { Loading } from '../ui/loading/Loading.tsx';
import styles from './schedules.module.css';

const formatDays = ({ starts_on, ends_on }: Closure) =>
  starts_on === ends_on ? formatDay(starts_on) : `${formatDay(starts_on)} to ${formatDay(ends_on)}`;

export function ClosedDaysDialog({ onClose }: { onClose: () => void }) {
  const user = useUser();
  const { data, isPending, isError, refetch } = useQuery(queryFor(api.listClosures));
  const empty = { park: user.park || parks[0], starts_on: '', ends_on: '' };
  const [values, setValues] = useState<{ park: string; starts_on: string; ends_on: string }>(empty);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [key, setKey] = useState(newUuid);
  const create = useMutation(mutationWithRetryFor(api.createClosure));
  const remove = useMutation(mutationFor(api.deleteClosure));
  const failure = create.error ?? remove.error;
  const set = (changes: Partial<typeof values>) => {
    setErrors({});
    setValues({ ...values, ...changes });
  };

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const body = { ...values, ends_on: values.ends_on || values.starts_on };
    const show = (found: FieldErrors) => {
      setErrors(found);
      focusFirstError(form);
    };
    const found = getFieldErrors(NewClosure, body);
    if (Object.keys(found).length > 0) return show(found);
    create.mutate(
      { body: body as never, key },
      {
        onSuccess() {
          setValues({ ...empty, park: values.park });
          setKey(newUuid());
        },
        onError: (error) => show(readError(error).fields),
      },
    );
  };

  return (
    <Dialog opened onClose={onClose} title="Closed Days" size="lg">
      <Stack>
        <Text>Nothing is due at a park on days when it is closed. Checks that have come due stay on record.</Text>
        <form onSubmit={submit} noValidate className={styles.form}>
          <div className={styles.pair}>
            <NativeSelect
              label="Park"
              value={values.park}
              data={parks}
              onChange={({ currentTarget }) => set({ park: currentTarget.value })}
            />
            <DateField
              label="Closed from"
              value={values.starts_on}
              error={errors.starts_on}
              onChange={(starts_on) => set({ starts_on })}
            />
            <DateField
              label="Closed to"
              value={values.ends_on}
              error={errors.ends_on}
              onChange={(ends_on) => set({ ends_on })}
            />
          </div>
          <ErrorBox message={failure ? 'This could not be saved' : ''} reason={failure?.message} />
          <Button type="submit" loading={create.isPending} justify="center">
            Add Closed Days
          </Button>
        </form>
        {isPending && <Loading shape="rows" />}
        {isError && <ErrorBox message="The closed days could not be loaded." onRetry={() => refetch()} />}
        {data?.length === 0 && <Text c="dimmed">No park has closed days ahead.</Text>}
        <ul className={styles.list}>
          {data?.map((closure) => (
            <li key={closure.id} className={styles.item}>
              <div className={styles.text}>
                <Text fw={600}>{closure.park}</Text>
                <Text size="sm" c="dimmed">
                  {formatDays(closure)}
                </Text>
              </div>
              <Button
                variant="default"
                loading={remove.isPending && remove.variables.params.id === closure.id}
                aria-label={`Remove ${closure.park}, ${formatDays(closure)}`}
                onClick={() => remove.mutate({ params: { id: closure.id } })}
              >
                Remove
              </Button>
            </li>
          ))}
        </ul>
      </Stack>
    </Dialog>
  );
}
