import { Text } from '@mantine/core';
import { api } from '#shared/api.ts';
import type { Session } from '#shared/users.ts';
import { callApi } from '../client/api.ts';
import { describeRejection } from '../client/errors.ts';
import { formNames } from '../formNames.ts';
import { CurrentPassword, passwordMissingMessage, useHasPassword } from '../forms/CurrentPassword.tsx';
import { FormDialog } from '../forms/FormDialog.tsx';
import { useForm } from '../forms/useForm.ts';

type EndSessionsProps = { session: Session | undefined; onClose: () => void; onDone: () => void };

/** Ends the given session; without one, all sessions but this device's. */
export function EndSessionsDialog({ session, onClose, onDone }: EndSessionsProps) {
  const hasPassword = useHasPassword();
  const form = useForm(formNames.endSessions(), {
    start: {},
    secrets: { currentPassword: '' },
    check: ({ currentPassword }) =>
      currentPassword || !hasPassword ? {} : { currentPassword: passwordMissingMessage },
    toSent: () => (session ? { id: session.id } : {}),
    send: (which: { id?: string }, _, { currentPassword }) =>
      callApi(api.endSessions, { body: { ...which, currentPassword } }),
    isOpenedByUser: true,
    onSaved: onDone,
  });
  return (
    <FormDialog
      form={form}
      title={session ? `Sign out ${session.device || 'this unknown device'}?` : 'Sign out all other devices?'}
      submit="Sign Out"
      failed={(error) => describeRejection(error, 'This could not be saved. Please try again.')}
      onClose={onClose}
    >
      <Text>Reports that wait to be sent there are kept on that device, and sent after the next sign-in.</Text>
      <CurrentPassword isAsked={hasPassword} {...form.secret('currentPassword')} data-autofocus />
    </FormDialog>
  );
}
