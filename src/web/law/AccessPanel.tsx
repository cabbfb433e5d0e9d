// People's requests to see their data: open a request, decide about every record, download the
// copy.
import { Anchor, Button, Text, Textarea, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { FileSearch } from 'lucide-react';
import { type FormEvent, useRef, useState } from 'react';
import { api } from '#shared/api.ts';
import { textLimits } from '#shared/choices.ts';
import { formatDay } from '#shared/dates.ts';
import { callApiWithRetry, getServerTime, queryFor } from '../client/api.ts';
import { useNames } from '../client/names.ts';
import { useSave } from '../client/useSave.ts';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { StatusLine } from '../ui/feedback/StatusLine.tsx';
import { DateField } from '../ui/forms/DateField.tsx';
import { changeWithDay, type FormDay, isDayOld, useToday } from '../ui/forms/useToday.ts';
import { Loading } from '../ui/loading/Loading.tsx';
import { useUrlState } from '../ui/navigation/useUrlState.ts';
import rows from '../ui/theme/rows.module.css';
import { AccessChoices } from './AccessChoices.tsx';
import styles from './records.module.css';

export function AccessPanel() {
  const { get, set } = useUrlState();
  const id = get('request');
  if (id) return <AccessChoices key={id} id={id} onBack={() => set({ request: '' })} />;
  return <AccessRequestList onOpen={(request) => set({ request })} />;
}

function AccessRequestList({ onOpen }: { onOpen: (id: string) => void }) {
  const showName = useNames();
  const requests = useQuery(queryFor(api.listAccessRequests));
  return (
    <div className={styles.panel}>
      <Text>
        A person may ask for the data stored about them. This finds every record that names them. You decide which
        records are sent. Nothing is sent automatically.
      </Text>
      {requests.isPending && <Loading text="Loading the requests..." shape="rows" />}
      {requests.isError && <ErrorBox message="The requests could not be loaded." onRetry={() => requests.refetch()} />}
      {requests.data?.length === 0 && <EmptyState icon={FileSearch} text="There are no access requests yet." />}
      <ul className={rows.list}>
        {requests.data?.map((one) => (
          <li key={one.id} className={rows.row}>
            <div className={rows.text}>
              <Text fw={600}>{one.name}</Text>
              <Text size="sm" fw={one.isUrgent ? 600 : undefined}>
                {one.words}
              </Text>
              <Text size="sm" c="dimmed">
                Received {formatDay(one.received_on)}, opened by {showName(one.created_by)}.
              </Text>
            </div>
            <Button variant="default" aria-label={`Open the request of ${one.name}`} onClick={() => onOpen(one.id)}>
              Open
            </Button>
          </li>
        ))}
      </ul>
      <NewRequestForm onCreated={onOpen} />
    </div>
  );
}

type RequestFields = FormDay & {
  name: string;
  spellings: string;
  number: string;
  username: string;
  identityChecked: string;
};

const splitLines = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

function NewRequestForm({ onCreated }: { onCreated: (id: string) => void }) {
  const form = useRef<HTMLFormElement>(null);
  const saving = useSave<RequestFields & { day: string }, { id: string }>('new access request', {
    send: ({ day: receivedOn, givenDay: _, ...variables }, key) =>
      callApiWithRetry(api.createAccessRequest, {
        body: { ...variables, receivedOn, spellings: splitLines(variables.spellings) },
        key,
      }),
    form,
    onSaved: ({ id }) => onCreated(id),
  });
  const { errors, failure } = saving;
  const [values, setValues] = useState<RequestFields>(
    saving.variables ?? {
      name: '',
      spellings: '',
      number: '',
      username: '',
      identityChecked: '',
    },
  );
  const today = useToday(getServerTime);
  const { name, spellings, number, username, day = today, identityChecked } = values;
  const set = (changes: Partial<RequestFields>) => {
    setValues({ ...values, ...changeWithDay(values, changes, today) });
    saving.clearErrors(...Object.keys(changes), ...(changes.day === undefined ? [] : ['receivedOn']));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    saving.save({ ...values, day });
  };
  return (
    <form ref={form} onSubmit={submit} noValidate className={styles.form}>
      <Title order={2} size="h4">
        Find All Records of a Person
      </Title>
      <TextInput
        label="Name"
        value={name}
        maxLength={textLimits.name}
        autoComplete="off"
        error={errors.name}
        onChange={({ currentTarget }) => set({ name: currentTarget.value })}
      />
      <Textarea
        label="Other spellings"
        description="Optional, one on each line. Similar spellings are found anyway and listed as possible matches."
        value={spellings}
        maxLength={textLimits.note}
        autosize
        minRows={2}
        error={errors.spellings}
        onChange={({ currentTarget }) => set({ spellings: currentTarget.value })}
      />
      <TextInput
        label="Contact number"
        description="Optional. Records with the same name and another number are then listed as possible matches."
        inputMode="tel"
        value={number}
        maxLength={textLimits.telephone}
        autoComplete="off"
        error={errors.number}
        onChange={({ currentTarget }) => set({ number: currentTarget.value })}
      />
      <TextInput
        label="Username"
        description="Optional, if they work here"
        value={username}
        maxLength={textLimits.username}
        autoComplete="off"
        error={errors.username}
        onChange={({ currentTarget }) => set({ username: currentTarget.value })}
      />
      <DateField
        label="Request received on"
        value={day}
        note={isDayOld(values, today) && 'You began this form on that day. Check that it is right.'}
        onChange={(day) => set({ day })}
        error={errors.receivedOn}
      />
      <Textarea
        label="How their identity was checked"
        description="Optional. Do not write a document's number here."
        value={identityChecked}
        maxLength={textLimits.reason}
        autosize
        minRows={1}
        error={errors.identityChecked}
        onChange={({ currentTarget }) => set({ identityChecked: currentTarget.value })}
      />
      <div className={rows.actions}>
        <Button type="submit" loading={saving.isSaving}>
          Find Records
        </Button>
        <Anchor href="https://ico.org.uk/for-organisations/" target="_blank" rel="noreferrer">
          Guidance from the ICO
        </Anchor>
      </div>
      <StatusLine
        status={
          failure && {
            kind: 'error',
            text: failure.message || 'The request could not be saved. Please try again.',
          }
        }
      />
    </form>
  );
}
