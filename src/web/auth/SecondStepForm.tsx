import { Button, Group, Stack, Text } from '@mantine/core';
import { api } from '#shared/api.ts';
import type { SecondFactorMethod } from '#shared/sign-in/second-factors.ts';
import type { SessionUser } from '#shared/users.ts';
import { callApi } from '../client/api.ts';
import { canUsePasskeys } from '../client/canUsePasskeys.ts';
import { describeRejection, somethingWentWrong } from '../client/errors.ts';
import { clearPendingSignOut } from '../client/offlineSession.ts';
import { formNames } from '../formNames.ts';
import { FormElement } from '../forms/FormElement.tsx';
import { useForm } from '../forms/useForm.ts';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { CodeField } from './CodeField.tsx';
import { toProof } from './loadPasskeys.ts';
import { getSignInKey, renewSignInKey } from './signInKey.ts';

export const codeMissing = 'Enter the code';

type SecondStepProps = {
  /** Says that the first step is done. */
  firstStep?: string;
  methods: SecondFactorMethod[];
  onSignedIn: (role: SessionUser['role']) => Promise<void> | void;
  /** Shows the username and password again, with a message if there is one. */
  onBack: (message: string) => void;
};

/** Asks for the second factor once the password was right, or the provider has confirmed who the user is. */
export function SecondStepForm({
  firstStep = 'Your password is right.',
  methods,
  onSignedIn,
  onBack,
}: SecondStepProps) {
  const hasPasskey = methods.includes('passkey') && canUsePasskeys();
  const hasApp = methods.includes('app');
  const hasCode = hasApp || methods.includes('recoveryCode');
  const form = useForm(formNames.secondStep(), {
    start: {},
    secrets: { code: '' },
    check: ({ code }) => (code.trim() ? {} : { code: codeMissing }),
    toSent: () => 'code' as const,
    send: async (way: 'code' | 'passkey', _, { code }) =>
      callApi(api.enterCode, {
        body: await toProof(way === 'passkey' ? way : { code }),
        key: getSignInKey(),
      }),
    isOpenedByUser: true,
    meta: { refreshes: false },
    onSaved({ role }) {
      renewSignInKey();
      clearPendingSignOut();
      void onSignedIn(role);
    },
    onFailed({ code, message }) {
      if (code !== 'SIGN_IN_AGAIN') return;
      form.discard();
      onBack(message);
    },
  });
  const goBack = () => {
    form.discard();
    onBack('');
  };
  return (
    <FormElement form={form}>
      <Stack>
        <Text>
          {firstStep} {describeNext(hasPasskey, hasApp, hasCode)}
        </Text>
        {hasPasskey && (
          <Button loading={form.isSaving} fullWidth data-autofocus autoFocus onClick={() => form.save('passkey')}>
            Use a Passkey
          </Button>
        )}
        {hasCode && <CodeField {...form.secret('code')} hasApp={hasApp} {...(!hasPasskey && focused)} />}
        <ErrorBox message={form.failure ? describeRejection(form.failure, somethingWentWrong) : ''} />
        {hasCode && (
          <Button type="submit" variant={hasPasskey ? 'default' : 'filled'} loading={form.isSaving} fullWidth>
            Continue
          </Button>
        )}
        <Group justify="center">
          <Button variant="subtle" onClick={goBack}>
            Back
          </Button>
        </Group>
      </Stack>
    </FormElement>
  );
}

const focused = { 'data-autofocus': true, autoFocus: true };

function describeNext(hasPasskey: boolean, hasApp: boolean, hasCode: boolean): string {
  const code = hasApp ? 'the code that the app on your phone shows' : 'one of your recovery codes';
  if (hasPasskey) return hasCode ? `Use your passkey, or type ${code}.` : 'Use your passkey.';
  return hasCode
    ? `Type ${code}.`
    : 'Your passkey does not work here, and you have no recovery codes left. Ask an Admin for a new password.';
}
