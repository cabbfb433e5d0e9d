// How the server is set up, for Admins of all parks: what is wrong first.
import { Box, Button, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { CircleAlert, CircleCheck, CircleMinus } from 'lucide-react';
import { api } from '#shared/api.ts';
import { type SystemLine, type SystemTest, systemTests } from '#shared/system/system.ts';
import { mutationFor, queryFor } from '../client/api.ts';
import { describeError } from '../client/errors.ts';
import { type Status, StatusLine } from '../ui/feedback/StatusLine.tsx';
import { BackButton } from '../ui/navigation/BackButton.tsx';
import { PageHeading } from '../ui/navigation/PageHeading.tsx';
import { RecordList } from '../ui/navigation/RecordList.tsx';
import rows from '../ui/theme/rows.module.css';

const states = {
  wrong: { label: 'Wrong', Icon: CircleAlert },
  on: { label: 'On', Icon: CircleCheck },
  off: { label: 'Off', Icon: CircleMinus },
};

const endpoints = {
  email: api.testSystemEmail,
  storage: api.testSystemStorage,
  provider: api.testSystemProvider,
};

export function SystemPage() {
  const lines = useQuery(queryFor(api.getSystem));
  return (
    <>
      <PageHeading
        title="System"
        text="What is set up on this server, and what is wrong. Settings are changed where the server runs, and apply after a restart."
        back={<BackButton to="/admin?tab=users">Back to User Management</BackButton>}
      />
      <RecordList
        query={lines}
        failed="The system could not be loaded."
        row={(line) => <Line key={line.title} line={line} />}
      />
    </>
  );
}

function Line({ line: { title, state, text, settings, test } }: { line: SystemLine }) {
  const { label, Icon } = states[state];
  return (
    <li className={rows.row}>
      <div className={rows.text}>
        <Title order={2} size="h5">
          {title}
        </Title>
        <Text className="line tight strong" my={2} c={state === 'wrong' ? 'var(--mantine-color-error)' : undefined}>
          <Icon aria-hidden size={18} /> {label}
        </Text>
        <Text>{text}</Text>
        {settings.length > 0 && (
          <Text size="sm" c="dimmed">
            {settings.length === 1 ? 'Setting: ' : 'Settings: '}
            {settings.join(', ')}
          </Text>
        )}
      </div>
      {test && <Test name={test} />}
    </li>
  );
}

function Test({ name }: { name: SystemTest }) {
  const { mutate, isPending, data, error } = useMutation(mutationFor(endpoints[name]));
  const status: Status | undefined = error
    ? { kind: 'error', text: describeError(error) ?? '' }
    : data && { kind: data.code ? 'error' : 'success', text: data.code ? `${data.text} (${data.code})` : data.text };
  return (
    <Box maw="24rem">
      <Button variant="default" loading={isPending} onClick={() => mutate({})}>
        {systemTests[name]}
      </Button>
      <StatusLine status={isPending ? undefined : status} />
    </Box>
  );
}
