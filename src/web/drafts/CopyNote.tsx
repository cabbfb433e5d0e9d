import { Text } from '@mantine/core';
import { formatInstant } from '#shared/dates.ts';
import { getCopiedAt } from './offlineCopies.ts';

/** Says that the shown data is a copy on this device, and from when. */
export function CopyNote({ of }: { of: object | undefined }) {
  const at = getCopiedAt(of);
  return (
    at !== undefined && (
      <Text c="dimmed" size="sm" mb="md">
        Copy from {formatInstant(new Date(at).toISOString())}. It is updated when you are back online.
      </Text>
    )
  );
}
