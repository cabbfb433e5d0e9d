import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api } from '#shared/api.ts';
import { callApi, queryFor } from '../client/api.ts';
import { endConfirmation } from '../client/reauthentication.ts';
import { CurrentPassword, passwordMissing } from '../forms/CurrentPassword.tsx';
import { FormDialog } from '../forms/FormDialog.tsx';
import { useForm } from '../forms/useForm.ts';
import { CodeField } from './CodeField.tsx';
import { codeMissing } from './SecondStepForm.tsx';

type Confirmation = { currentPassword: string; code: string };

/** Asks for the password, and the second factor, before a change that someone else at this device must not make. */
export function ConfirmIdentityDialog() {
  const { data } = useQuery(queryFor(api.getSecondFactors));
  const isCodeNeeded = Boolean(data?.appSince);
  const form = useForm('confirm identity', {
    start: { currentPassword: '', code: '' },
    check: ({ currentPassword, code }) => ({
      ...(currentPassword === '' && { currentPassword: passwordMissing }),
      ...(isCodeNeeded && code.trim() === '' && { code: codeMissing }),
    }),
    send: (body: Confirmation) => callApi(api.confirmIdentity, { body }),
    isOpenedByUser: true,
    onSaved: () => endConfirmation(true),
  });
  return (
    <FormDialog
      form={form}
      title="Confirm that it is you"
      submit="Continue"
      failed={({ message }) => message || 'This could not be checked. Please try again.'}
      onClose={() => endConfirmation(false)}
    >
      <Text>
        This protects your account if someone else has your device. You will not be asked again for ten minutes.
      </Text>
      <CurrentPassword {...form.field('currentPassword')} data-autofocus />
      {isCodeNeeded && <CodeField {...form.field('code')} />}
    </FormDialog>
  );
}
