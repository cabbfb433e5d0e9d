import { Text, TextInput } from '@mantine/core';
import { api } from '#shared/api.ts';
import { textLimits } from '#shared/choices.ts';
import { EmailChange } from '#shared/users.ts';
import { callApi } from '../client/api.ts';
import { describeRejection } from '../client/errors.ts';
import { formNames } from '../formNames.ts';
import { CurrentPassword, passwordMissingMessage, useHasPassword } from '../forms/CurrentPassword.tsx';
import { FormDialog } from '../forms/FormDialog.tsx';
import { useForm } from '../forms/useForm.ts';
import { getFieldErrors } from '../ui/forms/fieldErrors.ts';

type ChangeEmailProps = { email: string; onClose: () => void; onDone: (text: string) => void };

/** Changes the user's own email address: with the password, and a link sent to the new address. */
export function ChangeEmailDialog({ email, onClose, onDone }: ChangeEmailProps) {
  const hasPassword = useHasPassword();
  const form = useForm(formNames.email(), {
    start: { email: '' },
    secrets: { currentPassword: '' },
    check: (values) => ({
      ...getFieldErrors(EmailChange, values),
      ...(email === '' && values.email.trim() === '' && { email: 'Enter your email address' }),
      ...(hasPassword && values.currentPassword === '' && { currentPassword: passwordMissingMessage }),
    }),
    send: ({ email }: { email: string }, _, { currentPassword }) =>
      callApi(api.requestEmailChange, { body: { email, currentPassword } }),
    isOpenedByUser: true,
    onSaved: ({ isLinkSent }, sent) =>
      onDone(isLinkSent ? `Open the link sent to ${sent.email.trim()}` : 'Email address removed'),
  });
  return (
    <FormDialog
      form={form}
      title={email ? 'Change Email Address' : 'Add Email Address'}
      submit="Send Link"
      failed={(error) => describeRejection(error, 'The link could not be sent. Please try again.')}
      onClose={onClose}
    >
      <Text>
        A link is sent to the new address. Open it within 24 hours; until then your address stays as it is.
        {email && ' Leave the field empty to get no emails.'}
      </Text>
      <TextInput
        {...form.field('email')}
        type="email"
        label="New email address"
        maxLength={textLimits.email}
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        data-autofocus
      />
      <CurrentPassword isAsked={hasPassword} {...form.secret('currentPassword')} />
    </FormDialog>
  );
}
