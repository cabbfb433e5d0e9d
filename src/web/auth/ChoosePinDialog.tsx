import { Text } from '@mantine/core';
import { useState } from 'react';
import { api } from '#shared/api.ts';
import { PinChange } from '#shared/sign-in/shared-devices.ts';
import { callApi, queryClient } from '../client/api.ts';
import { describeRejection, somethingWentWrong } from '../client/errors.ts';
import { sessionQuery, switchUser } from '../client/session.ts';
import { formNames } from '../formNames.ts';
import { CurrentPassword, passwordMissingMessage, useHasPassword } from '../forms/CurrentPassword.tsx';
import { FormDialog } from '../forms/FormDialog.tsx';
import { useForm } from '../forms/useForm.ts';
import { PinField } from './PinField.tsx';

type ChoosePinProps = {
  /** On a shared device, a PIN takes the place of a one-time password before anything else. */
  isForced?: boolean;
  onClose?: () => void;
  onChosen?: () => void;
};

export function ChoosePinDialog({ isForced = false, onClose, onChosen }: ChoosePinProps) {
  const hasPassword = useHasPassword();
  const [isAskedAgain, setAskedAgain] = useState(false);
  const isPasswordNeeded = isAskedAgain || (hasPassword && !isForced);
  const form = useForm(formNames.newPin(), {
    start: {},
    secrets: { currentPassword: '', pin: '' },
    schema: PinChange,
    check: (values) => ({
      ...(isPasswordNeeded && values.currentPassword === '' && { currentPassword: passwordMissingMessage }),
    }),
    send: (_, __, { currentPassword, pin }) =>
      callApi(api.setPin, { body: isPasswordNeeded ? { currentPassword, pin } : { pin } }),
    isOpenedByUser: true,
    onSaved() {
      void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
      onChosen?.();
    },
    onFailed: ({ fields }) => fields.currentPassword && setAskedAgain(true),
  });
  return (
    <FormDialog
      form={form}
      title="Choose a PIN"
      submit="Save"
      failed={(error) => describeRejection(error, somethingWentWrong)}
      otherWay={isForced ? { label: 'Switch User', onClick: switchUser } : undefined}
      onClose={() => onClose?.()}
    >
      <Text>You sign in with it on the shared devices of your park, instead of a password.</Text>
      <CurrentPassword isAsked={isPasswordNeeded} {...form.secret('currentPassword')} data-autofocus />
      <PinField
        {...form.secret('pin')}
        label="New PIN"
        description="6 to 12 digits. No date, no sequence, no pattern on the keypad, and not the same digits again and again."
        autoComplete="new-password"
        data-autofocus={!isPasswordNeeded || undefined}
      />
    </FormDialog>
  );
}
