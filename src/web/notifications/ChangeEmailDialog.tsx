import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api } from '#shared/api.ts';
import { EmailChange } from '#shared/users.ts';
import { mutationFor } from '../client/api.ts';
import { readError } from '../client/errors.ts';
import { useUser } from '../client/session.ts';
import { Dialog } from '../ui/dialogs/Dialog.tsx';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { type FieldErrors, focusFirstError, getFieldErrors, withoutErrorOf } from '../ui/forms/fieldErrors.ts';
import { PasswordField } from '../ui/forms/PasswordField.tsx';

type ChangeEmailProps = { email: string; onClose: () => void; onDone: (text: string) => void };

/** Changes one's own email address: with the password, and a link sent to the new address. */
export function ChangeEmailDialog({ isOpen, ...form }: ChangeEmailProps & { isOpen: boolean }) {
  return (
    <Dialog
      opened={isOpen}
      onClose={form.onClose}
      title={form.email ? 'Change email address' : 'Add email address'}
      closeOnClickOutside={false}
    >
      <ChangeEmailForm {...form} />
    </Dialog>
  );
}

function ChangeEmailForm({ email, onClose, onDone }: ChangeEmailProps) {
  const { username } = useUser();
  const change = useMutation(mutationFor(api.requestEmailChange));
  const [errors, setErrors] = useState<FieldErrors>({});
  const [error, setError] = useState('');

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const body = Object.fromEntries(new FormData(form)) as { email: string; currentPassword: string };
    const found = getFieldErrors(EmailChange, body);
    if (email === '' && body.email.trim() === '') found.email = 'Enter your email address';
    if (body.currentPassword === '') found.currentPassword = 'Password is required';
    setErrors(found);
    setError('');
    if (Object.keys(found).length > 0) return focusFirstError(form);
    change.mutate(
      { body },
      {
        onSuccess: ({ isLinkSent }) =>
          onDone(isLinkSent ? `Open the link sent to ${body.email.trim()}` : 'Email address removed'),
        onError(error) {
          const { fields } = readError(error);
          setErrors(fields);
          if (Object.keys(fields).length > 0) focusFirstError(form);
          else setError(error.message || 'The link could not be sent. Please try again.');
        },
      },
    );
  };

  return (
    <form onSubmit={submit} onChange={(event) => setErrors((errors) => withoutErrorOf(errors, event))} noValidate>
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
          maxLength={254}
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
        <ErrorBox message={error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={change.isPending}>
            Send Link
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
