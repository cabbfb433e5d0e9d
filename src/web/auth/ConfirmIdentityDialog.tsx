import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#shared/api.ts';
import { callApi, queryFor } from '../client/api.ts';
import { canUsePasskeys } from '../client/canUsePasskeys.ts';
import { describeRejection } from '../client/errors.ts';
import { getProviderName } from '../client/providerName.ts';
import { endConfirmation, getTypedPassword } from '../client/reauthentication.ts';
import { formNames } from '../formNames.ts';
import { CurrentPassword, passwordMissingMessage, useHasPassword } from '../forms/CurrentPassword.tsx';
import { FormDialog } from '../forms/FormDialog.tsx';
import { useForm } from '../forms/useForm.ts';
import { CodeField } from './CodeField.tsx';
import { toProof } from './loadPasskeys.ts';
import { ProviderTabButton } from './ProviderTabButton.tsx';
import { codeMissing } from './SecondStepForm.tsx';

/**
 * Asks for a passkey, the provider, or the password and a code, before a change that someone else at this
 * device must not make.
 */
export function ConfirmIdentityDialog() {
  const [typedPassword, setTypedPassword] = useState(() => getTypedPassword() ?? '');
  const hasPassword = useHasPassword();
  const { data } = useQuery(queryFor(api.getSecondFactors));
  const hasPasskey = canUsePasskeys() && Boolean(data?.passkeys.some(({ isUsable }) => isUsable));
  const hasApp = Boolean(data?.appSince);
  const isCodeNeeded = hasApp || Boolean(data?.passkeys.length);
  const form = useForm(formNames.confirmIdentity(), {
    start: {},
    secrets: { currentPassword: typedPassword, code: '' },
    check: ({ currentPassword, code }) => ({
      ...(currentPassword === '' && { currentPassword: passwordMissingMessage }),
      ...(isCodeNeeded && code.trim() === '' && { code: codeMissing }),
    }),
    toSent: () => 'password' as const,
    send: async (way: 'password' | 'passkey', _, typed) =>
      callApi(api.confirmIdentity, { body: await toProof(way === 'passkey' ? way : typed) }),
    isOpenedByUser: true,
    onSaved: () => endConfirmation(true),
    onFailed: () => setTypedPassword(''),
  });
  const isLinked = Boolean(data?.isLinked);
  // A password typed in the form behind this dialog is used once.
  const isPasswordAsked = typedPassword === '';
  return (
    <FormDialog
      form={form}
      title="Confirm that it is you"
      submit={hasPassword ? 'Continue' : undefined}
      failed={(error) => describeRejection(error, 'This could not be checked. Please try again.')}
      onClose={() => endConfirmation(false)}
    >
      <Text>
        This protects your account if someone else has your device. You will not be asked again for ten minutes.
      </Text>
      {isLinked && (
        <ProviderTabButton
          purpose="confirm"
          label={`Continue with ${getProviderName()}`}
          onDone={() => endConfirmation(true)}
        />
      )}
      {hasPasskey && (
        <Button loading={form.isSaving} fullWidth onClick={() => form.save('passkey')}>
          Use a Passkey
        </Button>
      )}
      {hasPassword && (isLinked || hasPasskey) && (
        <Text>
          Or type {[isPasswordAsked && 'your password', isCodeNeeded && 'a code'].filter(Boolean).join(' and ')}:
        </Text>
      )}
      {hasPassword && isPasswordAsked && <CurrentPassword {...form.secret('currentPassword')} data-autofocus />}
      {hasPassword && isCodeNeeded && (
        <CodeField {...form.secret('code')} hasApp={hasApp} data-autofocus={!isPasswordAsked || undefined} />
      )}
    </FormDialog>
  );
}
