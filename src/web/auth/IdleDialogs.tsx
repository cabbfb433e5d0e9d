// What is asked of users who have not used the page for a while.
import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { getLastInputAt, markInput } from '../client/activity.ts';
import { getServerTime } from '../client/api.ts';
import { useNames } from '../client/names.ts';
import { isSendingFiles } from '../client/outboxPresence.ts';
import { waitForSignIn } from '../client/reauthentication.ts';
import { sessionQuery, signOut, switchUser } from '../client/session.ts';
import { connection } from '../offline/connection.ts';
import { Dialog } from '../ui/dialogs/Dialog.tsx';
import { Name } from '../ui/feedback/Name.tsx';
import { leaveUnasked } from '../ui/forms/useAskBeforeLeaving.ts';
import { useStore } from '../useStore.ts';

const warningMs = 2 * 60_000;
const checkIntervalMs = 5_000;

/** Asks whether the user is still there, two minutes before an idle session ends. */
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

const sharedWarningMs = 20_000;

/**
 * Signs the user of a shared device out soon after they have gone. While the device is offline it asks who is using it
 * instead.
 */
export function SharedDeviceIdle({ username, idleMinutes }: { username: string; idleMinutes: number }) {
  const isOffline = useStore(connection) !== 'online';
  const showName = useNames();
  const [leftMs, setLeftMs] = useState(Number.POSITIVE_INFINITY);

  // Checks the clock repeatedly, because a long timer stops while a tablet sleeps. The touch that wakes the
  // tablet may be another person's: once the time is over, only the buttons of the dialog close it.
  useEffect(() => {
    const idleMs = idleMinutes * 60_000;
    let checkedAt = Date.now();
    const check = () => {
      if (isSendingFiles.get()) markInput();
      const now = Date.now();
      const hasSlept = now - checkedAt >= idleMs;
      checkedAt = now;
      const nextMs = hasSlept ? 0 : getLastInputAt() + idleMs - now;
      setLeftMs((leftMs) => (leftMs <= 0 ? leftMs : nextMs));
    };
    const interval = setInterval(check, 1000);
    return () => clearInterval(interval);
  }, [idleMinutes]);

  const isOver = leftMs <= 0;
  useEffect(() => {
    if (!isOver || isOffline) return;
    leaveUnasked();
    void switchUser();
  }, [isOver, isOffline]);

  const stay = () => {
    markInput();
    setLeftMs(Number.POSITIVE_INFINITY);
  };
  return (
    <Dialog
      opened={leftMs <= sharedWarningMs}
      onClose={stay}
      title={isOver ? 'Who is using this device?' : 'Are you still there?'}
      withCloseButton={false}
      closeOnEscape={!isOver}
      closeOnClickOutside={!isOver}
      // Hides the page from the next person.
      isPrivate={isOver}
    >
      <Stack>
        <Text>
          {isOver
            ? 'This device has not been used for a while. What was typed is kept.'
            : 'This device has not been used for a while. In a few seconds it will ask who is using it.'}
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={switchUser}>
            Someone Else
          </Button>
          <Button onClick={stay} data-autofocus>
            <span>
              Continue as <Name>{showName(username)}</Name>
            </span>
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
