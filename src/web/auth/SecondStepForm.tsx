import { Button, Group, Stack, Text } from '@mantine/core';
import { api } from '#shared/api.ts';
import type { SessionUser } from '#shared/users.ts';
import { callApi } from '../client/api.ts';
import { clearPendingSignOut } from '../client/offlineSession.ts';
import { useForm } from '../forms/useForm.ts';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { CodeField } from './CodeField.tsx';

export const codeMissing = 'Enter the code';

type SecondStepProps = {
  onSignedIn: (role: SessionUser['role']) => Promise<void> | void;
  /** Shows the username and password again, with a message if there is one. */
  onBack: (message: string) => void;
};

/** Asks for the second factor once the password was right. */
export function SecondStepForm({ onSignedIn, onBack }: SecondStepProps) {
  const form = useForm('second step', {
    start: { code: '' },
    check: ({ code }) => (code.trim() ? {} : { code: codeMissing }),
    send: (body: { code: string }) => callApi(api.enterCode, { body }),
    isOpenedByUser: true,
    onSaved({ role }) {
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
    <form {...form.props}>
      <Stack>
        <Text>Your password is right. Type the code that the app on your phone shows.</Text>
        <CodeField {...form.field('code')} data-autofocus autoFocus />
        <ErrorBox message={form.failure ? form.failure.message || 'Something went wrong' : ''} />
        <Button type="submit" loading={form.isSaving} fullWidth>
          Continue
        </Button>
        <Group justify="center">
          <Button variant="subtle" onClick={goBack}>
            Back
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
