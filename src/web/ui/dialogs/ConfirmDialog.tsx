import { Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { ErrorBox } from '../feedback/ErrorBox.tsx';
import { Dialog } from './Dialog.tsx';

type ConfirmDialogProps = {
  isOpen: boolean;
  title: string;
  /** Describes the consequences. */
  children: ReactNode;
  /** The labels of its buttons. */
  confirm: string;
  cancel?: string;
  isDangerous?: boolean;
  isBusy?: boolean;
  error?: string;
  reason?: string | undefined;
  onConfirm: () => void;
  onCancel: () => void;
};

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { isOpen, title, children, confirm, isDangerous = false, isBusy = false, error = '' } = props;
  return (
    <Dialog opened={isOpen} onClose={props.onCancel} title={title} isQuestion>
      <Stack>
        <Text component="div">{children}</Text>
        <ErrorBox message={error} reason={props.reason} />
        <Group justify="flex-end">
          <Button variant="default" onClick={props.onCancel} data-autofocus>
            {props.cancel ?? 'Cancel'}
          </Button>
          <Button color={isDangerous ? 'red' : undefined} loading={isBusy} onClick={props.onConfirm}>
            {confirm}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
