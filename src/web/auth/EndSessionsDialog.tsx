import { Button, Group, Stack, Text } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import { api } from '#shared/api.ts';
import type { Session } from '#shared/users.ts';
import { callApi } from '../client/api.ts';
import { useUser } from '../client/session.ts';
import { useSave } from '../client/useSave.ts';
import { Dialog } from '../ui/dialogs/Dialog.tsx';
import { useConfirmDiscard } from '../ui/dialogs/useConfirmDiscard.tsx';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { PasswordField } from '../ui/forms/PasswordField.tsx';

type EndSessionsProps = { session: Session | undefined; onClose: () => void; onDone: () => void };

/**
 * Ends this session, or all other sessions if there is none. Asks for the password, because the
 * device may be unlocked in the hands of another person.
 */
export function EndSessionsDialog({ session, onClose, onDone }: EndSessionsProps) {
  const { username } = useUser();
  const form = useRef<HTMLFormElement>(null);
  const saving = useSave('session', {
    send: (body: { id?: string; currentPassword: string }) => callApi(api.endSessions, { body }),
    isOpenedByUser: true,
    form,
    onSaved: onDone,
  });
  const { errors, failure } = saving;
  const [isTyped, setTyped] = useState(false);
  const discard = useConfirmDiscard(isTyped && !saving.isSaving, () => {
    saving.dismiss();
    onClose();
  });

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const currentPassword = String(new FormData(event.currentTarget).get('currentPassword'));
    const foundErrors: Record<string, string> = currentPassword ? {} : { currentPassword: 'Password is required' };
    if (!saving.showErrors(foundErrors)) saving.save({ currentPassword, ...(session && { id: session.id }) });
  };

  return (
    <Dialog
      opened
      discard={discard}
      title={session ? `Sign out ${session.device || 'this unknown device'}?` : 'Sign out all other devices?'}
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
          <Text>Reports that wait to be sent there are kept on that device, and sent after the next sign-in.</Text>
          {/** Tells password managers the user, because tablets are shared. */}
          <input hidden readOnly autoComplete="username" value={username} />
          <PasswordField
            name="currentPassword"
            label="Current password"
            autoComplete="current-password"
            error={errors.currentPassword}
            data-autofocus
          />
          <ErrorBox message={failure ? failure.message || 'This could not be saved. Please try again.' : ''} />
          <Group justify="flex-end">
            <Button variant="default" onClick={discard.close}>
              Cancel
            </Button>
            <Button type="submit" loading={saving.isSaving}>
              Sign Out
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
