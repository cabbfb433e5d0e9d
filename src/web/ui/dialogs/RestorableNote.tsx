import { Text } from '@mantine/core';

/** In the confirmation of a deletion, unless it has the specified text that it cannot be undone. */
export const RestorableNote = () => (
  <Text c="dimmed" mt="xs">
    An Admin can restore it for 30 days.
  </Text>
);
