// People's requests to see their data: open a request, decide about every record, download the
// copy.
import { Anchor, Button, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { FileSearch } from 'lucide-react';
import { api } from '#shared/api.ts';
import { textLimits } from '#shared/choices.ts';
import type { EndpointInput } from '#shared/client.ts';
import { formatDay } from '#shared/dates.ts';
import { callApiWithRetry, getServerTime, queryFor } from '../client/api.ts';
import { useNames } from '../client/names.ts';
import { formNames } from '../formNames.ts';
import { Fields, line, lines } from '../forms/Fields.tsx';
import { FormElement } from '../forms/FormElement.tsx';
import { useForm } from '../forms/useForm.ts';
import { Name } from '../ui/feedback/Name.tsx';
import { StatusLine, toStatus } from '../ui/feedback/StatusLine.tsx';
import { changeWithDay, type FormDay, showDay, useToday } from '../ui/forms/useToday.ts';
import { RecordList } from '../ui/navigation/RecordList.tsx';
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
      <RecordList
        query={requests}
        failed="The requests could not be loaded."
        loading="Loading the requests..."
        empty={{ icon: FileSearch, text: 'There are no access requests yet.' }}
        row={(one) => (
          <li className={rows.row}>
            <div className={rows.text}>
              <Text fw={600}>{one.name}</Text>
              <Text size="sm" fw={one.isUrgent ? 600 : undefined}>
                {one.words}
              </Text>
              <Text size="sm" c="dimmed">
                Received {formatDay(one.received_on)}, opened by <Name>{showName(one.created_by)}</Name>.
              </Text>
            </div>
            <Button variant="default" aria-label={`Open the request of ${one.name}`} onClick={() => onOpen(one.id)}>
              Open
            </Button>
          </li>
        )}
      />
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
  const today = useToday(getServerTime);
  const form = useForm<RequestFields, { id: string }, EndpointInput<typeof api.createAccessRequest>['body']>(
    formNames.accessRequest(),
    {
      start: { name: '', spellings: '', number: '', username: '', identityChecked: '' },
      toChanges: (values, changes) => changeWithDay(values, changes, today),
      toSent: ({ day: receivedOn = today, givenDay: _, spellings, ...fields }) => ({
        ...fields,
        receivedOn,
        spellings: splitLines(spellings),
      }),
      send: (body, key) => callApiWithRetry(api.createAccessRequest, { body, key }),
      toFieldErrors: ({ receivedOn, ...others }) => (receivedOn ? { ...others, day: receivedOn } : others),
      onSaved: ({ id }) => onCreated(id),
    },
  );
  const { values, failure } = form;
  return (
    <FormElement form={form} className={styles.form}>
      <Title order={2} size="h4">
        Find All Records of a Person
      </Title>
      <Fields
        form={form}
        fields={{
          name: line('Name', textLimits.name, { autoComplete: 'off' }),
          spellings: lines('Other spellings', textLimits.note, {
            description:
              'Optional, one on each line. Similar spellings are found anyway and listed as possible matches.',
            minRows: 2,
          }),
          number: line('Contact number', textLimits.telephone, {
            description: 'Optional. Records with the same name and another number are then listed as possible matches.',
            inputMode: 'tel',
            autoComplete: 'off',
          }),
          username: line('Username', textLimits.username, {
            description: 'Optional, if they work here',
            autoComplete: 'off',
          }),
          day: { kind: 'day', label: 'Request received on', ...showDay(values, today) },
          identityChecked: lines('How their identity was checked', textLimits.reason, {
            description: "Optional. Do not write a document's number here.",
            minRows: 1,
          }),
        }}
      />
      <div className={rows.actions}>
        <Button type="submit" loading={form.isSaving}>
          Find Records
        </Button>
        <Anchor href="https://ico.org.uk/for-organisations/" target="_blank" rel="noreferrer">
          Guidance from the ICO
        </Anchor>
      </div>
      <StatusLine
        status={toStatus(failure && (failure.message || 'The request could not be saved. Please try again.'))}
      />
    </FormElement>
  );
}
