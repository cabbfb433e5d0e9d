import { Text } from '@mantine/core';
import { cutOffText } from '#shared/cut-off.ts';

/** Below a small photo: the end of its file is missing. `isNew` is one that can still be added again. */
export const CutOffNote = ({ isNew = false }) => (
  <Text span display="block" maw="8rem" mx="auto" mt={4} size="xs" fw={600} ta="center">
    {cutOffText}
    {isNew && '. Remove it, copy it again and add the copy.'}
  </Text>
);
