import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { api } from '#shared/api.ts';
import type { User } from '#shared/users.ts';
import { mutationFor } from '../client/api.ts';
import { ConfirmDialog } from '../ui/dialogs/ConfirmDialog.tsx';
import { Dialog } from '../ui/dialogs/Dialog.tsx';
import { useAskBeforeLeaving } from '../ui/forms/useAskBeforeLeaving.ts';
import styles from './ResetPasswordDialog.module.css';

type ResetPasswordDialogProps = { user: User | undefined; onClose: () => void };

/** Asks first, then shows the new password once. */
export function ResetPasswordDialog({ user, onClose }: ResetPasswordDialogProps) {
  const reset = useMutation(mutationFor(api.resetPassword));
  const close = () => {
    onClose();
    reset.reset();
  };
  useAskBeforeLeaving(reset.isSuccess);
  return (
    <>
      <ConfirmDialog
        isOpen={user !== undefined && !reset.isSuccess}
        title="Set a new password?"
        confirm="Set new password"
        isBusy={reset.isPending}
        error={reset.error ? reset.error.message || 'The password could not be set. Please try again.' : ''}
        onConfirm={() => user && reset.mutate({ body: { id: user.id } })}
        onCancel={close}
      >
        {user?.username} is signed out everywhere, signs in with the new password once, and then chooses their own.
      </ConfirmDialog>
      <Dialog
        opened={user !== undefined && reset.isSuccess}
        onClose={close}
        title={`New password for ${user?.username ?? ''}`}
        closeOnEscape={false}
        closeOnClickOutside={false}
      >
        <Stack>
          <Text>You will not see this password again. Write it down now.</Text>
          <output className={styles.password}>{reset.data?.password}</output>
          <Group justify="flex-end">
            <Button onClick={close} data-autofocus>
              Done
            </Button>
          </Group>
        </Stack>
      </Dialog>
    </>
  );
}
