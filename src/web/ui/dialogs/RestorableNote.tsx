import { Text } from '@mantine/core';

/** A note in the confirmation of deletions that only an Admin can undo. */
export const RestorableNote = () => (
  <Text c="dimmed" mt="xs">
    You cannot undo this yourself. An Admin can restore it for 30 days.
  </Text>
);
