import { Button, Group, Stack, Text } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import { api } from '#shared/api.ts';
import { PasswordChange } from '#shared/users.ts';
import { callApi } from '../client/api.ts';
import { signOut, useUser } from '../client/session.ts';
import { useSave } from '../client/useSave.ts';
import { getMinPasswordLength } from '../operator.ts';
import { Dialog } from '../ui/dialogs/Dialog.tsx';
import { useConfirmDiscard } from '../ui/dialogs/useConfirmDiscard.tsx';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { getFieldErrors } from '../ui/forms/fieldErrors.ts';
import { PasswordField } from '../ui/forms/PasswordField.tsx';

type PasswordVariables = { currentPassword?: string; newPassword: string };
type ChangePasswordProps = {
  /** A one-time password must be replaced before anything else. */
  isForced?: boolean;
  onClose?: () => void;
  onChanged?: () => void;
};

export function ChangePasswordDialog({ isForced = false, onClose, onChanged }: ChangePasswordProps) {
  const { username } = useUser();
  const form = useRef<HTMLFormElement>(null);
  // The current password is not needed right after signing in with a one-time password; the server
  // decides for how long.
  const [isCurrentNeeded, setCurrentNeeded] = useState(!isForced);
  const saving = useSave<PasswordVariables, unknown>('password', {
    send: (body) => callApi(api.changePassword, { body }),
    isOpenedByUser: true,
    form,
    onSaved: onChanged,
    onFailed: ({ fields }) => fields.currentPassword && setCurrentNeeded(true),
  });
  const { errors, failure } = saving;
  const [isTyped, setTyped] = useState(false);
  const discard = useConfirmDiscard(isTyped && !isForced && !saving.isSaving, () => {
    saving.dismiss();
    onClose?.();
  });

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    const body = {
      ...(isCurrentNeeded && { currentPassword: String(typed.get('currentPassword')) }),
      newPassword: String(typed.get('newPassword')),
    };
    const foundErrors = getFieldErrors(PasswordChange, body);
    if (body.currentPassword === '') foundErrors.currentPassword = 'Password is required';
    if (!saving.showErrors(foundErrors)) saving.save(body);
  };

  return (
    <Dialog
      opened
      discard={discard}
      title={isForced ? 'Choose a New Password' : 'Change Password'}
      withCloseButton={!isForced}
      closeOnEscape={!isForced}
      closeOnClickOutside={false}
    >
      <form
        ref={form}
        onSubmit={submit}
        onChange={(event) => {
          setTyped(true);
          saving.clearErrorOf(event);
        }}
        noValidate
      >
        <Stack>
          {isForced && <Text>Your password was set by someone else. Please choose one that only you know.</Text>}
          {/** Tells password managers the user, because tablets are shared. */}
          <input hidden readOnly autoComplete="username" value={username} />
          {isCurrentNeeded && (
            <PasswordField
              name="currentPassword"
              label="Current password"
              autoComplete="current-password"
              error={errors.currentPassword}
              data-autofocus
            />
          )}
          <PasswordField
            name="newPassword"
            label="New password"
            description={`At least ${getMinPasswordLength()} characters`}
            autoComplete="new-password"
            error={errors.newPassword}
            data-autofocus={!isCurrentNeeded || undefined}
          />
          <ErrorBox message={failure ? failure.message || 'Something went wrong' : ''} />
          <Group justify="flex-end">
            <Button variant="default" onClick={isForced ? signOut : discard.close}>
              {isForced ? 'Logout' : 'Cancel'}
            </Button>
            <Button type="submit" loading={saving.isSaving}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
