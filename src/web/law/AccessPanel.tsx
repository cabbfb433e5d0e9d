// People's requests to see their data: open a request, decide about every record, download the
// copy.
import { Anchor, Button, Text, Textarea, TextInput, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { FileSearch } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { api } from '#shared/api.ts';
import { ApiError } from '#shared/client.ts';
import { formatDay, getToday } from '#shared/dates.ts';
import { getServerTime, mutationWithRetryFor, queryFor } from '../client/api.ts';
import { useNames } from '../client/names.ts';
import { newUuid } from '../newUuid.ts';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { type Status, StatusLine } from '../ui/feedback/StatusLine.tsx';
import { DateField } from '../ui/forms/DateField.tsx';
import { Loading } from '../ui/loading/Loading.tsx';
import { useUrlState } from '../ui/navigation/useUrlState.ts';
import { AccessChoices } from './AccessChoices.tsx';
import styles from './records.module.css';

export function AccessPanel() {
  const { get, set } = useUrlState();
  const id = get('request');
  if (id) return <AccessChoices key={id} id={id} onBack={() => set({ request: '' })} />;
  return <AccessList onOpen={(request) => set({ request })} />;
}

function AccessList({ onOpen }: { onOpen: (id: string) => void }) {
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
      <ul className={styles.list}>
        {requests.data?.map((one) => (
          <li key={one.id} className={styles.row}>
            <div className={styles.text}>
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

function NewRequestForm({ onCreated }: { onCreated: (id: string) => void }) {
  const create = useMutation(mutationWithRetryFor(api.createAccessRequest));
  const [name, setName] = useState('');
  const [spellings, setSpellings] = useState('');
  const [number, setNumber] = useState('');
  const [username, setUsername] = useState('');
  const [identityChecked, setIdentityChecked] = useState('');
  const [receivedOn, setReceivedOn] = useState(getToday(new Date(getServerTime())));
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [status, setStatus] = useState<Status>();
  const [key] = useState(newUuid);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setStatus(undefined);
    const lines = spellings
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean);
    create.mutate(
      { body: { name, spellings: lines, number, username, receivedOn, identityChecked }, key },
      {
        onSuccess: ({ id }) => onCreated(id),
        onError(error) {
          const fields = error instanceof ApiError ? error.fields : {};
          setErrors(fields);
          if (Object.keys(fields).length === 0)
            setStatus({ kind: 'error', text: error.message || 'The request could not be saved. Please try again.' });
        },
      },
    );
  };
  return (
    <form onSubmit={submit} noValidate className={styles.form}>
      <Title order={2} size="h4">
        Find All Records of a Person
      </Title>
      <TextInput
        label="Name"
        value={name}
        maxLength={120}
        autoComplete="off"
        error={errors.name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <Textarea
        label="Other spellings"
        description="Optional, one on each line. Similar spellings are found anyway and listed as possible."
        value={spellings}
        maxLength={2000}
        autosize
        minRows={2}
        error={errors.spellings}
        onChange={({ currentTarget }) => setSpellings(currentTarget.value)}
      />
      <TextInput
        label="Contact number"
        description="Optional. Records with the same name and another number are then listed as possible."
        inputMode="tel"
        value={number}
        maxLength={40}
        autoComplete="off"
        error={errors.number}
        onChange={({ currentTarget }) => setNumber(currentTarget.value)}
      />
      <TextInput
        label="Username"
        description="Optional, if they work here"
        value={username}
        maxLength={60}
        autoComplete="off"
        error={errors.username}
        onChange={({ currentTarget }) => setUsername(currentTarget.value)}
      />
      <DateField label="Received on" value={receivedOn} onChange={setReceivedOn} error={errors.receivedOn} />
      <Textarea
        label="How their identity was checked"
        description="Optional. Do not write a document's number here."
        value={identityChecked}
        maxLength={500}
        autosize
        minRows={1}
        error={errors.identityChecked}
        onChange={({ currentTarget }) => setIdentityChecked(currentTarget.value)}
      />
      <div className={styles.actions}>
        <Button type="submit" loading={create.isPending}>
          Find Records
        </Button>
        <Anchor href="https://ico.org.uk/for-organisations/" target="_blank" rel="noreferrer">
          Guidance of the ICO
        </Anchor>
      </div>
      <StatusLine status={status} />
    </form>
  );
}
