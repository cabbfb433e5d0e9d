import { Text } from '@mantine/core';

/** What the person who deletes cannot undo, an Admin still can. */
export const RestorableNote = () => (
  <Text c="dimmed" mt="xs">
    An Admin can bring it back for 30 days.
  </Text>
);
