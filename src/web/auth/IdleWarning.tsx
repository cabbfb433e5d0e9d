// Asks whether the user is still there, two minutes before an idle session ends.
import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { getServerTime } from '../client/api.ts';
import { waitForSignIn } from '../client/reauthentication.ts';
import { sessionQuery, signOut } from '../client/session.ts';
import { Dialog } from '../ui/dialogs/Dialog.tsx';

const warningMs = 2 * 60_000;
const checkIntervalMs = 5_000;

export function IdleWarning({ expiresAt, canExtend }: { expiresAt: string; canExtend: boolean }) {
  const { refetch } = useQuery({ ...sessionQuery, enabled: false });
  const [warnedExpiry, setWarnedExpiry] = useState('');
  const [isStaying, setStaying] = useState(false);

  // Checks the clock repeatedly, because a long timer stops while a tablet sleeps.
  useEffect(() => {
    const isEndNear = (end: string) => Date.parse(end) - getServerTime() <= warningMs;
    const checkExpiry = async () => {
      if (!isEndNear(expiresAt)) return;
      // The end moves if the user has done anything since the last request, here or in another tab.
      const { data } = await refetch();
      if (data && isEndNear(data.expiresAt)) setWarnedExpiry(data.expiresAt);
    };
    const interval = setInterval(checkExpiry, checkIntervalMs);
    return () => clearInterval(interval);
  }, [expiresAt, refetch]);

  const staySignedIn = async () => {
    if (!canExtend) return waitForSignIn();
    setStaying(true);
    await refetch();
    setStaying(false);
  };

  return (
    <Dialog
      opened={warnedExpiry === expiresAt}
      onClose={staySignedIn}
      title="Are you still there?"
      withCloseButton={false}
    >
      <Stack>
        <Text>
          {canExtend
            ? 'You will be signed out in less than two minutes because you have not used this page for a while.'
            : 'You have been signed in for a long time and need to sign in again. What you have typed stays.'}
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={signOut}>
            Logout
          </Button>
          <Button onClick={staySignedIn} loading={isStaying} data-autofocus>
            {canExtend ? 'Stay Signed In' : 'Sign In Again'}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
