// Signs the user of a shared device out soon after they have gone. While the device is offline it asks
// who is using it instead.
import { Button, Group, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { getLastInputAt, markInput } from '../client/activity.ts';
import { useNames } from '../client/names.ts';
import { isSendingFiles } from '../client/outboxPresence.ts';
import { switchUser } from '../client/session.ts';
import { connection } from '../offline/connection.ts';
import { Dialog } from '../ui/dialogs/Dialog.tsx';
import { Name } from '../ui/feedback/Name.tsx';
import { leaveUnasked } from '../ui/forms/useAskBeforeLeaving.ts';
import { useStore } from '../useStore.ts';

const warningMs = 20_000;

type SharedDeviceIdleProps = { username: string; idleMinutes: number };

export function SharedDeviceIdle({ username, idleMinutes }: SharedDeviceIdleProps) {
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
      opened={leftMs <= warningMs}
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
