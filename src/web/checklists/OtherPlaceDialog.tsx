import { Button, Group, Stack, Text } from '@mantine/core';
import type { CheckedPlace } from '../schedules/dueChecks.ts';
import { Dialog } from '../ui/dialogs/Dialog.tsx';

type OtherPlaceDialogProps = {
  /** Where the answers are from. */
  title: string;
  /** The place that was chosen; null for the park as a whole. */
  to: CheckedPlace | null;
  onClear: () => void;
  onMove: () => void;
  onClose: () => void;
};

/** Asks what happens to begun answers when another place is chosen. Closing it changes nothing. */
export function OtherPlaceDialog({ title, to, onClear, onMove, onClose }: OtherPlaceDialogProps) {
  const name = to ? to.name : 'the Park as a Whole';
  return (
    <Dialog opened title={title} onClose={onClose} closeOnClickOutside={false}>
      <Stack>
        <Text>Clear them if you have not checked {to ? to.name : 'the park as a whole'} yet.</Text>
        <Group justify="flex-end">
          <Button onClick={onClear} data-autofocus>
            Clear Answers
          </Button>
          <Button variant="default" onClick={onMove}>
            They Are from {name}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
