// 'Waiting to Be Let In' in User Management: people whom the provider knows, and who are not users here.
import { Button, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#shared/api.ts';
import { formatInstant } from '#shared/dates.ts';
import type { WaitingIdentity } from '#shared/sign-in/single-sign-on.ts';
import type { User } from '#shared/users.ts';
import { callApi, queryFor } from '../client/api.ts';
import { getProviderName } from '../client/providerName.ts';
import { dangerous, useConfirmed } from '../client/useConfirmed.tsx';
import { formNames } from '../formNames.ts';
import { RequestDialog } from '../forms/RequestDialog.tsx';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import rows from '../ui/theme/rows.module.css';

const getName = ({ name, email }: WaitingIdentity) => name || email || 'Someone without a name';

/** The people waiting to be let in; while nobody waits, only errors and messages. */
export function WaitingIdentities({ users }: { users: User[] }) {
  const { data = [], isError, refetch } = useQuery(queryFor(api.listWaitingIdentities));
  const refusal = useConfirmed<WaitingIdentity>({
    ...dangerous(api.refuseIdentity),
    title: 'Refuse this person?',
    text: (identity) =>
      `${getName(identity)} will be removed from the list. Another attempt to sign in adds them again.`,
    confirm: 'Refuse',
    failed: 'The person could not be removed from the list',
    done: 'The person is no longer in the list',
  });
  const [chosen, setChosen] = useState<WaitingIdentity>();
  return (
    <>
      {isError && (
        <ErrorBox isNotStored message="The people who are waiting could not be loaded." onRetry={() => refetch()} />
      )}
      {data.length > 0 && (
        <Stack component="section" aria-labelledby="waiting">
          <Title order={2} size="h4" id="waiting">
            Waiting to Be Let In ({data.length})
          </Title>
          <ul className={rows.list}>
            {data.map((identity) => (
              <li key={identity.id} className={rows.row}>
                <div className={rows.text}>
                  <Text fw={600}>{getName(identity)}</Text>
                  <Text size="sm" c="dimmed">
                    Waiting since {formatInstant(identity.firstAt)}
                    {identity.name && identity.email && `, ${identity.email}`}
                  </Text>
                </div>
                <div className={rows.actions}>
                  <Button aria-label={`Let In ${getName(identity)}`} onClick={() => setChosen(identity)}>
                    Let In
                  </Button>
                  <Button
                    variant="default"
                    aria-label={`Refuse ${getName(identity)}`}
                    onClick={() => refusal.ask(identity)}
                  >
                    Refuse
                  </Button>
                </div>
              </li>
            ))}
          </ul>
        </Stack>
      )}
      {refusal.dialog}
      {chosen && (
        <LetInDialog
          identity={chosen}
          users={users}
          onClose={() => setChosen(undefined)}
          onDone={(username) => {
            setChosen(undefined);
            refusal.feedback.showSuccess(`${username} can now sign in with ${getProviderName()}`);
          }}
        />
      )}
    </>
  );
}

type LetInProps = {
  identity: WaitingIdentity;
  users: User[];
  onClose: () => void;
  onDone: (username: string) => void;
};

const LetInDialog = ({ identity, users, onClose, onDone }: LetInProps) => (
  <RequestDialog
    name={formNames.identity(identity.id)}
    title={`Let In ${getName(identity)}`}
    text={`This person will sign in with ${getProviderName()} as the user whom you choose. Make sure that they are the same person: the name alone proves nothing.`}
    start={{ user: '' }}
    fields={{
      user: {
        kind: 'choice',
        label: 'User',
        description: 'If they are not in the list, create a user first.',
        data: [
          { value: '', label: 'Choose a user' },
          ...users
            .filter(({ link }) => !link)
            .map(({ id, username, full_name }) => ({
              value: id,
              label: full_name ? `${full_name} (${username})` : username,
            })),
        ],
        'data-autofocus': true,
      },
    }}
    check={({ user }) => (user ? {} : { user: 'Choose a user' })}
    send={(body) => callApi(api.linkIdentity, { params: { id: identity.id }, body })}
    submit="Let In"
    failed={({ message }) => message || 'This could not be saved. Please try again.'}
    onSaved={(_, { user }) => onDone(users.find(({ id }) => id === user)?.username ?? '')}
    onClose={onClose}
  />
);
