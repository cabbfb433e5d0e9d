// The login screen of a shared device: the names of its users, who enter a PIN.
import { Anchor, Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { Link } from 'wouter';
import { api } from '#shared/api.ts';
import type { SessionUser } from '#shared/users.ts';
import { queryFor } from '../client/api.ts';
import { readError } from '../client/errors.ts';
import { forgetSharedDevice, getSharedDevice, rememberSharedDevice } from '../client/sharedDevice.ts';
import { canUseSignedOut } from '../client/signedOutUse.ts';
import { startOutbox } from '../outbox/startOutbox.ts';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { RecordList } from '../ui/navigation/RecordList.tsx';
import { PinForm } from './PinForm.tsx';
import styles from './SharedDeviceLogin.module.css';

type SharedDeviceLoginProps = {
  onSignedIn: (role: SessionUser['role']) => Promise<void> | void;
  /** Username and password. */
  children: ReactNode;
};

export function SharedDeviceLogin({ onSignedIn, children }: SharedDeviceLoginProps) {
  const query = useQuery(queryFor(api.getOwnSharedDevice));
  const { data, error } = query;
  const [person, setPerson] = useState<{ id: string; name: string }>();
  const [isSomeoneElse, setSomeoneElse] = useState(false);
  const { code, message } = readError(error);
  const isRemoved = code === 'NOT_SHARED';
  // What waits here is sent no matter who signs in, and also if nobody does.
  useEffect(startOutbox, []);
  useEffect(() => {
    if (data) rememberSharedDevice(data);
    if (isRemoved) forgetSharedDevice();
  }, [data, isRemoved]);

  if (isRemoved) return children;
  if (code === 'NOT_ALLOWED_YET')
    return (
      <Stack>
        <ErrorBox message={message} reason="Under Admin, Shared Devices. Until then, no PIN works here." />
        {children}
      </Stack>
    );
  const { park, name } = data ?? getSharedDevice() ?? { park: '', name: '' };
  const showNames = () => {
    setPerson(undefined);
    setSomeoneElse(false);
  };
  return (
    <Stack>
      <Text ta="center" fw={600}>
        {name}, {park}
      </Text>
      {person ? (
        <PinForm key={person.id} user={person} onSignedIn={onSignedIn} />
      ) : isSomeoneElse ? (
        children
      ) : (
        <>
          <RecordList
            query={{ ...query, data: data?.people, error: !data && error }}
            failed="There is no connection, so no one can sign in."
            empty="No one has a PIN yet. Sign in with your password, and choose one in the menu under your name."
            label="Who are you?"
            className={styles.people}
            row={(one) => (
              <li>
                <Button variant="default" size="lg" fullWidth className={styles.person} onClick={() => setPerson(one)}>
                  {one.name}
                </Button>
              </li>
            )}
          />
          {error && !data && canUseSignedOut('/reporting') && (
            <Button component={Link} to="/reporting" fullWidth>
              Report Without Signing In
            </Button>
          )}
        </>
      )}
      {person || isSomeoneElse ? (
        <Button variant="subtle" onClick={showNames}>
          Back
        </Button>
      ) : (
        <Anchor component="button" type="button" ta="center" onClick={() => setSomeoneElse(true)}>
          Someone Else
        </Anchor>
      )}
    </Stack>
  );
}
