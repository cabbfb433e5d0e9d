import { Text } from '@mantine/core';

/** What the person who deletes cannot undo, an Admin still can. */
export const RestorableNote = () => (
  <Text c="dimmed" mt="xs">
    For 30 days an Admin can bring it back.
  </Text>
);
