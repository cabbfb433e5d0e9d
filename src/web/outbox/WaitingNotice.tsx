import { Text } from '@mantine/core';
import { useEffect } from 'react';
import { describeWaiting } from './receiptText.ts';
import { startOutbox } from './startOutbox.ts';
import { useOutbox } from './useSubmission.ts';

/** For users who are not signed in: how many items wait for a sign-in. */
export function WaitingNotice() {
  const { items } = useOutbox();
  useEffect(startOutbox, []);
  return items.length > 0 && <Text ta="center">{describeWaiting(items)}</Text>;
}
