import { Text } from '@mantine/core';
import { useState } from 'react';
import { api } from '#shared/api.ts';
import { PasswordChange } from '#shared/users.ts';
import { callApi } from '../client/api.ts';
import { describeRejection, somethingWentWrong } from '../client/errors.ts';
import { signOut } from '../client/session.ts';
import { formNames } from '../formNames.ts';
import { CurrentPassword, passwordMissingMessage } from '../forms/CurrentPassword.tsx';
import { FormDialog } from '../forms/FormDialog.tsx';
import { useForm } from '../forms/useForm.ts';
import { getMinPasswordLength } from '../operator.ts';
import { PasswordField } from '../ui/forms/PasswordField.tsx';

type ChangePasswordProps = {
  /** A one-time password must be replaced before anything else. */
  isForced?: boolean;
  onClose?: () => void;
  onChanged?: () => void;
};

export function ChangePasswordDialog({ isForced = false, onClose, onChanged }: ChangePasswordProps) {
  // The current password is not needed right after signing in with a one-time password; the server
  // decides for how long.
  const [isCurrentNeeded, setCurrentNeeded] = useState(!isForced);
  const form = useForm(formNames.password(), {
    start: {},
    secrets: { currentPassword: '', newPassword: '' },
    schema: PasswordChange,
    check: (values) => ({
      ...(isCurrentNeeded && values.currentPassword === '' && { currentPassword: passwordMissingMessage }),
    }),
    send: (_, __, { currentPassword, newPassword }) =>
      callApi(api.changePassword, { body: isCurrentNeeded ? { currentPassword, newPassword } : { newPassword } }),
    isOpenedByUser: true,
    onSaved: onChanged,
    onFailed: ({ fields }) => fields.currentPassword && setCurrentNeeded(true),
  });
  return (
    <FormDialog
      form={form}
      title={isForced ? 'Choose a New Password' : 'Change Password'}
      submit="Save"
      failed={(error) => describeRejection(error, somethingWentWrong)}
      otherWay={isForced ? { label: 'Logout', onClick: signOut } : undefined}
      onClose={() => onClose?.()}
    >
      {isForced && (
        <Text>
          Your password was set by someone else. Please choose one that only you know. It has signed you in once, and
          does not again.
        </Text>
      )}
      <CurrentPassword isAsked={isCurrentNeeded} {...form.secret('currentPassword')} data-autofocus />
      <PasswordField
        {...form.secret('newPassword')}
        label="New password"
        description={`At least ${getMinPasswordLength()} characters`}
        autoComplete="new-password"
        data-autofocus={!isCurrentNeeded || undefined}
      />
    </FormDialog>
  );
}
