import { api } from '#shared/api.ts';
import { textLimits } from '#shared/choices.ts';
import { EmailChange } from '#shared/users.ts';
import { callApi } from '../client/api.ts';
import { describeRejection } from '../client/errors.ts';
import { formNames } from '../formNames.ts';
import { CurrentPassword, passwordMissingMessage, useHasPassword } from '../forms/CurrentPassword.tsx';
import { line } from '../forms/Fields.tsx';
import { RequestDialog } from '../forms/RequestDialog.tsx';

type ChangeEmailProps = { email: string; onClose: () => void; onDone: (text: string) => void };

/** Changes the user's own email address: with the password, and a link sent to the new address. */
export function ChangeEmailDialog({ email, onClose, onDone }: ChangeEmailProps) {
  const hasPassword = useHasPassword();
  return (
    <RequestDialog
      name={formNames.email()}
      title={email ? 'Change Email Address' : 'Add Email Address'}
      text={`A link is sent to the new address. Open it within 24 hours; until then your address stays as it is.${email && ' Leave the field empty to get no emails.'}`}
      start={{ email: '' }}
      secrets={{ currentPassword: '' }}
      fields={({ secret }) => ({
        email: line('New email address', textLimits.email, {
          type: 'email',
          autoComplete: 'email',
          autoCapitalize: 'none',
          spellCheck: false,
          'data-autofocus': true,
        }),
        currentPassword: <CurrentPassword isAsked={hasPassword} {...secret('currentPassword')} />,
      })}
      schema={EmailChange}
      check={(values) => ({
        ...(email === '' && values.email.trim() === '' && { email: 'Enter your email address' }),
        ...(hasPassword && values.currentPassword === '' && { currentPassword: passwordMissingMessage }),
      })}
      send={({ email }, _, { currentPassword }) =>
        callApi(api.requestEmailChange, { body: { email, currentPassword } })
      }
      submit="Send Link"
      failed={(error) => describeRejection(error, 'The link could not be sent. Please try again.')}
      onSaved={({ isLinkSent }, sent) =>
        onDone(isLinkSent ? `Open the link sent to ${sent.email.trim()}` : 'Email address removed')
      }
      onClose={onClose}
    />
  );
}
