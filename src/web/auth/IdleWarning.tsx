// Asks whether the user is still there, two minutes before an idle session ends.
import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { getLastResponseTime, getServerTime } from '../client/api.ts';
import { waitForSignIn } from '../client/reauthentication.ts';
import { sessionQuery, signOut } from '../client/session.ts';
import { Dialog } from '../ui/dialogs/Dialog.tsx';

const warningMs = 2 * 60_000;
const checkIntervalMs = 5_000;

export function IdleWarning({ expiresAt }: { expiresAt: string }) {
  const { refetch, dataUpdatedAt, isFetching } = useQuery({ ...sessionQuery, enabled: false });
  const [warnedExpiry, setWarnedExpiry] = useState('');

  const expiry = Date.parse(expiresAt);
  const requestedAt = dataUpdatedAt + getServerTime() - Date.now();
  // If a request in the last two minutes did not move the end, the session cannot be extended.
  const isAtAbsoluteLimit = expiry - requestedAt <= warningMs;

  // Checks the clock repeatedly, because a long timer stops while a tablet sleeps.
  useEffect(() => {
    let hasInput = false;
    const recordInput = () => {
      hasInput = true;
    };
    const checkExpiry = () => {
      const left = expiry - getServerTime();
      if (left > warningMs) return;
      const isInUse = hasInput || getLastResponseTime() > dataUpdatedAt;
      if (left <= 0 || (isInUse && !isAtAbsoluteLimit)) void refetch();
      else setWarnedExpiry(expiresAt);
    };
    const interval = setInterval(checkExpiry, checkIntervalMs);
    window.addEventListener('pointerdown', recordInput);
    window.addEventListener('keydown', recordInput);
    return () => {
      clearInterval(interval);
      window.removeEventListener('pointerdown', recordInput);
      window.removeEventListener('keydown', recordInput);
    };
  }, [expiresAt, expiry, dataUpdatedAt, isAtAbsoluteLimit, refetch]);

  const staySignedIn = () => (isAtAbsoluteLimit ? void waitForSignIn() : void refetch());

  return (
    <Dialog
      opened={warnedExpiry === expiresAt}
      onClose={staySignedIn}
      title="Are you still there?"
      withCloseButton={false}
    >
      <Stack>
        <Text>
          {isAtAbsoluteLimit
            ? 'You have been signed in for a long time and need to sign in again. What you have typed stays.'
            : 'You will be signed out in less than two minutes because nothing has happened here for a while.'}
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={signOut}>
            Logout
          </Button>
          <Button onClick={staySignedIn} loading={isFetching} data-autofocus>
            {isAtAbsoluteLimit ? 'Sign In Again' : 'Stay Signed In'}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
