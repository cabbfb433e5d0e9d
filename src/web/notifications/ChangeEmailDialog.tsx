import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import { api } from '#shared/api.ts';
import { textLimits } from '#shared/choices.ts';
import type { Reply } from '#shared/contract.ts';
import { EmailChange } from '#shared/users.ts';
import { callApi } from '../client/api.ts';
import { useUser } from '../client/session.ts';
import { useSave } from '../client/useSave.ts';
import { Dialog } from '../ui/dialogs/Dialog.tsx';
import { useConfirmDiscard } from '../ui/dialogs/useConfirmDiscard.tsx';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { getFieldErrors } from '../ui/forms/fieldErrors.ts';
import { PasswordField } from '../ui/forms/PasswordField.tsx';

type EmailVariables = { email: string; currentPassword: string };
type ChangeEmailProps = { email: string; onClose: () => void; onDone: (text: string) => void };

/** Changes one's own email address: with the password, and a link sent to the new address. */
export function ChangeEmailDialog({ email, onClose, onDone }: ChangeEmailProps) {
  const { username } = useUser();
  const form = useRef<HTMLFormElement>(null);
  const saving = useSave<EmailVariables, Reply<typeof api.requestEmailChange>>('email address', {
    send: (body) => callApi(api.requestEmailChange, { body }),
    isOpenedByUser: true,
    form,
    onSaved: ({ isLinkSent }, variables) =>
      onDone(isLinkSent ? `Open the link sent to ${variables.email.trim()}` : 'Email address removed'),
  });
  const { errors, failure } = saving;
  const [isTyped, setTyped] = useState(false);
  const discard = useConfirmDiscard(isTyped && !saving.isSaving, () => {
    saving.dismiss();
    onClose();
  });

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const body = Object.fromEntries(new FormData(event.currentTarget)) as EmailVariables;
    const foundErrors = getFieldErrors(EmailChange, body);
    if (email === '' && body.email.trim() === '') foundErrors.email = 'Enter your email address';
    if (body.currentPassword === '') foundErrors.currentPassword = 'Password is required';
    if (!saving.showErrors(foundErrors)) saving.save(body);
  };

  return (
    <Dialog
      opened
      discard={discard}
      title={email ? 'Change Email Address' : 'Add Email Address'}
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
          <Text>
            A link is sent to the new address. Open it within 24 hours; until then your address stays as it is.
            {email && ' Leave the field empty to get no emails.'}
          </Text>
          {/** Tells password managers the user, because tablets are shared. */}
          <input hidden readOnly autoComplete="username" value={username} />
          <TextInput
            name="email"
            type="email"
            label="New email address"
            maxLength={textLimits.email}
            error={errors.email}
            autoComplete="email"
            autoCapitalize="none"
            spellCheck={false}
            data-autofocus
          />
          <PasswordField
            name="currentPassword"
            label="Current password"
            autoComplete="current-password"
            error={errors.currentPassword}
          />
          <ErrorBox message={failure ? failure.message || 'The link could not be sent. Please try again.' : ''} />
          <Group justify="flex-end">
            <Button variant="default" onClick={discard.close}>
              Cancel
            </Button>
            <Button type="submit" loading={saving.isSaving}>
              Send Link
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
