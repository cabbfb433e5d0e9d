import { Text } from '@mantine/core';

/** What the person who deletes cannot undo, an Admin still can. */
export const RestorableNote = () => (
  <Text c="dimmed" mt="xs">
    You cannot undo this yourself. An Admin can restore it for 30 days.
  </Text>
);
