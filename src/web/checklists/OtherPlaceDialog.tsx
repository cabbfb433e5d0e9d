import { Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { CheckedPlace } from '#shared/schedules/next-place.ts';
import { Dialog } from '../ui/dialogs/Dialog.tsx';

type OtherPlaceDialogProps = {
  /** Where the answers are from. */
  title: ReactNode;
  /** The place that was chosen; null for the park as a whole. */
  to: CheckedPlace | null;
  onClear: () => void;
  onMove: () => void;
  onClose: () => void;
};

/** Asks what happens to begun answers when another place is chosen. Closing it changes nothing. */
export const OtherPlaceDialog = ({ title, to, onClear, onMove, onClose }: OtherPlaceDialogProps) => (
  <Dialog opened title={title} onClose={onClose} closeOnClickOutside={false}>
    <Stack>
      <Text>
        Clear them if you have not checked {to ? <span translate="no">{to.name}</span> : 'the park as a whole'} yet.
      </Text>
      <Group justify="flex-end">
        <Button onClick={onClear} data-autofocus>
          Clear Answers
        </Button>
        <Button variant="default" onClick={onMove}>
          <span>They Are from {to ? <span translate="no">{to.name}</span> : 'the Park as a Whole'}</span>
        </Button>
      </Group>
    </Stack>
  </Dialog>
);
