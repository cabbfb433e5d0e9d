// The days on which parks are closed, when no checks are due.
import { Button, NativeSelect, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#shared/api.ts';
import { formatDay } from '#shared/dates.ts';
import { listOpenParks } from '#shared/park-list.ts';
import { type Closure, NewClosure } from '#shared/schedules/schedules.ts';
import { callApiWithRetry, queryFor } from '../client/api.ts';
import { useUser } from '../client/session.ts';
import { dangerous, useConfirmed } from '../client/useConfirmed.tsx';
import { formNames } from '../formNames.ts';
import { FormElement } from '../forms/FormElement.tsx';
import { useForm } from '../forms/useForm.ts';
import { Dialog } from '../ui/dialogs/Dialog.tsx';
import { useConfirmDiscard } from '../ui/dialogs/useConfirmDiscard.tsx';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { DateField } from '../ui/forms/DateField.tsx';
import { getFieldErrors } from '../ui/forms/fieldErrors.ts';
import { RecordList } from '../ui/navigation/RecordList.tsx';
import { RecordRow } from '../ui/navigation/RecordRow.tsx';
import styles from './schedules.module.css';

const formatDays = ({ starts_on, ends_on }: Closure) =>
  starts_on === ends_on ? formatDay(starts_on) : `${formatDay(starts_on)} to ${formatDay(ends_on)}`;

type Days = { park: string; starts_on: string; ends_on: string };

const toBody = (days: Days) => ({ ...days, ends_on: days.ends_on || days.starts_on });

export function ClosedDaysDialog({ onClose }: { onClose: () => void }) {
  const user = useUser();
  const closures = useQuery(queryFor(api.listClosures));
  const [lastPark, setLastPark] = useState(user.park || (listOpenParks()[0] ?? ''));
  const form = useForm<Days>(formNames.closedDays(), {
    start: { park: lastPark, starts_on: '', ends_on: '' },
    check: (days) => getFieldErrors(NewClosure, toBody(days)),
    send: (days, key) => callApiWithRetry(api.createClosure, { body: toBody(days) as never, key }),
    onSaved: (_, { park }) => setLastPark(park),
  });
  const isTyped = form.values.starts_on !== '' || form.values.ends_on !== '';
  const discard = useConfirmDiscard(isTyped && !form.isSaving, () => {
    form.discard();
    onClose();
  });
  const removal = useConfirmed<Closure>({
    ...dangerous(api.deleteClosure),
    title: 'Remove these closed days?',
    text: (days) => `${days.park}, ${formatDays(days)}. Checks will be due on these days again.`,
    confirm: 'Remove',
    failed: 'The closed days could not be removed',
  });
  return (
    <Dialog opened discard={discard} title="Closed Days" size="lg" closeOnEscape={!removal.asked}>
      <Stack>
        <Text>No checks are due on days when a park is closed. Checks that were already due stay on record.</Text>
        <FormElement form={form} className="column">
          <div className={styles.pair}>
            <NativeSelect {...form.field('park')} label="Park" data={[...listOpenParks(form.values.park)]} />
            <DateField {...form.field('starts_on')} label="First day closed" />
            <DateField {...form.field('ends_on')} label="Last day closed" />
          </div>
          <ErrorBox message={form.error ? 'This could not be saved' : ''} reason={form.error?.message} />
          <Button type="submit" loading={form.isSaving} justify="center">
            Add Closed Days
          </Button>
        </FormElement>
        <RecordList
          query={closures}
          failed="The closed days could not be loaded."
          empty="No closed days are planned."
          row={(closure) => (
            <RecordRow title={closure.park} details={[formatDays(closure)]}>
              <Button
                variant="default"
                aria-label={`Remove ${closure.park}, ${formatDays(closure)}`}
                onClick={() => removal.ask(closure)}
              >
                Remove
              </Button>
            </RecordRow>
          )}
        />
      </Stack>
      {removal.dialog}
    </Dialog>
  );
}
