import { Button, Stack, Title } from '@mantine/core';
import { api } from '#shared/api.ts';
import type { SessionUser } from '#shared/users.ts';
import { callApi } from '../client/api.ts';
import { describeRejection, somethingWentWrong } from '../client/errors.ts';
import { clearPendingSignOut } from '../client/offlineSession.ts';
import { formNames } from '../formNames.ts';
import { FormElement } from '../forms/FormElement.tsx';
import { useForm } from '../forms/useForm.ts';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { PinField } from './PinField.tsx';

type PinFormProps = {
  user: { id: string; name: string };
  onSignedIn: (role: SessionUser['role']) => Promise<void> | void;
};

/** A user of a shared device enters their PIN. */
export function PinForm({ user, onSignedIn }: PinFormProps) {
  const form = useForm(formNames.pin(user.id), {
    start: {},
    secrets: { pin: '' },
    check: ({ pin }) => (pin ? {} : { pin: 'Enter your PIN' }),
    send: (_, __, { pin }) => callApi(api.signInWithPin, { body: { user: user.id, pin } }),
    isOpenedByUser: true,
    meta: { refreshes: false },
    onSaved({ role }) {
      clearPendingSignOut();
      void onSignedIn(role);
    },
  });
  return (
    <FormElement form={form} aria-label={user.name}>
      <Stack>
        <Title order={2} size="h4">
          {user.name}
        </Title>
        <PinField {...form.secret('pin')} label="PIN" autoComplete="off" autoFocus data-autofocus />
        <ErrorBox message={form.failure ? describeRejection(form.failure, somethingWentWrong) : ''} />
        <Button type="submit" loading={form.isSaving} fullWidth>
          Sign In
        </Button>
      </Stack>
    </FormElement>
  );
}
