import { Text } from '@mantine/core';
import { formatInstant } from '#shared/dates.ts';
import { getCopiedAt } from './offlineCopies.ts';

/** Says that the shown data is a copy on this device, and how old it is: that of the reply, or another time. */
export function CopyNote({ reply, at }: { reply?: object | undefined; at?: number | undefined }) {
  const copiedAt = at ?? getCopiedAt(reply);
  return (
    copiedAt !== undefined && (
      <Text c="dimmed" size="sm" mb="md">
        Copy from {formatInstant(new Date(copiedAt).toISOString())}. It is updated when you are back online.
      </Text>
    )
  );
}
