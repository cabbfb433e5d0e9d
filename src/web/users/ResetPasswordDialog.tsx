import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { api } from '#shared/api.ts';
import type { User } from '#shared/users.ts';
import { callApi } from '../client/api.ts';
import { useSave } from '../client/useSave.ts';
import { ConfirmDialog } from '../ui/dialogs/ConfirmDialog.tsx';
import { Dialog } from '../ui/dialogs/Dialog.tsx';
import { useAskBeforeLeaving } from '../ui/forms/useAskBeforeLeaving.ts';
import styles from './ResetPasswordDialog.module.css';

type ResetPasswordDialogProps = { user: User; onClose: () => void };

/** Asks first, then shows the new password once. */
export function ResetPasswordDialog({ user, onClose }: ResetPasswordDialogProps) {
  const [password, setPassword] = useState('');
  const saving = useSave<string, { password: string }>(`new password of ${user.id}`, {
    send: (id) => callApi(api.resetPassword, { body: { id } }),
    onSaved: (reply) => setPassword(reply.password),
  });
  const { error } = saving;
  useAskBeforeLeaving(password !== '');
  return (
    <>
      <ConfirmDialog
        isOpen={password === ''}
        title="Set a new password?"
        confirm="Set New Password"
        isBusy={saving.isSaving}
        error={error ? error.message || 'The password could not be set. Please try again.' : ''}
        onConfirm={() => saving.save(user.id)}
        onCancel={() => {
          saving.dismiss();
          onClose();
        }}
      >
        {user.username} is signed out everywhere, signs in with the new password once, and then chooses their own.
      </ConfirmDialog>
      <Dialog
        opened={password !== ''}
        onClose={onClose}
        title={`New Password for ${user.username}`}
        closeOnEscape={false}
        closeOnClickOutside={false}
      >
        <Stack>
          <Text>You will not see this password again. Write it down now.</Text>
          <output className={styles.password}>{password}</output>
          <Group justify="flex-end">
            <Button onClick={onClose} data-autofocus>
              Done
            </Button>
          </Group>
        </Stack>
      </Dialog>
    </>
  );
}
