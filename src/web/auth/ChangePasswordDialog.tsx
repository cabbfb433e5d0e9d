import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api } from '#shared/api.ts';
import { PasswordChange } from '#shared/users.ts';
import { mutationFor } from '../client/api.ts';
import { readError } from '../client/errors.ts';
import { signOut, useUser } from '../client/session.ts';
import { getMinPasswordLength } from '../operator.ts';
import { Dialog } from '../ui/dialogs/Dialog.tsx';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { type FieldErrors, focusFirstError, getFieldErrors, withoutErrorOf } from '../ui/forms/fieldErrors.ts';
import { PasswordField } from '../ui/forms/PasswordField.tsx';

type FormProps = {
  /** A one-time password must be replaced before anything else. */
  isForced?: boolean;
  onClose?: () => void;
  onChanged?: () => void;
};

export function ChangePasswordDialog({ isOpen, ...form }: FormProps & { isOpen: boolean }) {
  const { isForced = false, onClose } = form;
  return (
    <Dialog
      opened={isOpen}
      onClose={() => onClose?.()}
      title={isForced ? 'Choose a new password' : 'Change password'}
      withCloseButton={!isForced}
      closeOnEscape={!isForced}
      closeOnClickOutside={false}
    >
      <ChangePasswordForm {...form} />
    </Dialog>
  );
}

function ChangePasswordForm({ isForced = false, onClose, onChanged }: FormProps) {
  const { username } = useUser();
  const change = useMutation(mutationFor(api.changePassword));
  const [errors, setErrors] = useState<FieldErrors>({});
  const [error, setError] = useState('');
  // Not needed right after signing in with a one-time password; the server decides how long.
  const [asksForCurrent, setAsksForCurrent] = useState(!isForced);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const typed = new FormData(form);
    const body = {
      ...(asksForCurrent && { currentPassword: String(typed.get('currentPassword')) }),
      newPassword: String(typed.get('newPassword')),
    };
    const found = getFieldErrors(PasswordChange, body);
    if (body.currentPassword === '') found.currentPassword = 'Password is required';
    setErrors(found);
    setError('');
    if (Object.keys(found).length > 0) return focusFirstError(form);
    change.mutate(
      { body },
      {
        onSuccess: onChanged,
        onError(error) {
          const named = readError(error).fields;
          setErrors(named);
          if (named.currentPassword) setAsksForCurrent(true);
          if (Object.keys(named).length > 0) focusFirstError(form);
          else setError(error.message || 'Something went wrong');
        },
      },
    );
  };

  return (
    <form onSubmit={submit} onChange={(event) => setErrors((errors) => withoutErrorOf(errors, event))} noValidate>
      <Stack>
        {isForced && <Text>Your password was set by someone else. Please choose one that only you know.</Text>}
        {/** Tells password managers the user, because tablets are shared. */}
        <input hidden readOnly autoComplete="username" value={username} />
        {asksForCurrent && (
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
          data-autofocus={!asksForCurrent || undefined}
        />
        <ErrorBox message={error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={isForced ? signOut : onClose}>
            {isForced ? 'Logout' : 'Cancel'}
          </Button>
          <Button type="submit" loading={change.isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
