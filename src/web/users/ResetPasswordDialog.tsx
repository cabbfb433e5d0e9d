import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { api } from '#shared/api.ts';
import { textLimits } from '#shared/choices.ts';
import type { PasswordReset, User } from '#shared/users.ts';
import { callApi } from '../client/api.ts';
import { useSave } from '../client/useSave.ts';
import { ConfirmDialog } from '../ui/dialogs/ConfirmDialog.tsx';
import { Dialog } from '../ui/dialogs/Dialog.tsx';
import { useAskBeforeLeaving } from '../ui/forms/useAskBeforeLeaving.ts';
import styles from './ResetPasswordDialog.module.css';

/** Asks first, then shows the new password once. */
export function ResetPasswordDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const [password, setPassword] = useState('');
  const [reason, setReason] = useState('');
  const saving = useSave<PasswordReset, { password: string }>(`new password of ${user.id}`, {
    send: (body) => callApi(api.resetPassword, { body }),
    onSaved: (reply) => setPassword(reply.password),
  });
  const { failure } = saving;
  const hasSecondFactor = (user.secondFactor ?? 'none') !== 'none' || Boolean(saving.errors.reason);
  useAskBeforeLeaving(password !== '');
  return (
    <>
      <ConfirmDialog
        isOpen={password === ''}
        title="Set a new password?"
        confirm="Set New Password"
        isBusy={saving.isSaving}
        error={failure ? failure.message || 'The password could not be set. Please try again.' : ''}
        onConfirm={() => saving.save({ id: user.id, ...(hasSecondFactor && { reason }) })}
        onCancel={() => {
          saving.dismiss();
          onClose();
        }}
      >
        {user.username} will be signed out everywhere. They sign in with the new password once, and then choose their
        own. {hasSecondFactor && 'Their second factor is removed. '}They and other Admins are notified.
        {hasSecondFactor && (
          <Textarea
            label="How did you make sure that it is them?"
            description="For example: they came to the office, or you called the number in their file"
            mt="md"
            autosize
            minRows={2}
            maxLength={textLimits.reason}
            value={reason}
            error={saving.errors.reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
        )}
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
