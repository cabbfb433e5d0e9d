import { api } from '#shared/api.ts';
import type { Session } from '#shared/users.ts';
import { callApi } from '../client/api.ts';
import { describeRejection } from '../client/errors.ts';
import { formNames } from '../formNames.ts';
import { CurrentPassword, passwordMissingMessage, useHasPassword } from '../forms/CurrentPassword.tsx';
import { RequestDialog } from '../forms/RequestDialog.tsx';

type EndSessionsProps = { session: Session | undefined; onClose: () => void; onDone: () => void };

/** Ends the given session; without one, all sessions but this device's. */
export function EndSessionsDialog({ session, onClose, onDone }: EndSessionsProps) {
  const hasPassword = useHasPassword();
  return (
    <RequestDialog
      name={formNames.endSessions()}
      title={session ? `Sign out ${session.device || 'this unknown device'}?` : 'Sign out all other devices?'}
      text="Reports that wait to be sent there are kept on that device, and sent after the next sign-in."
      start={{}}
      secrets={{ currentPassword: '' }}
      fields={({ secret }) => ({
        currentPassword: <CurrentPassword isAsked={hasPassword} {...secret('currentPassword')} data-autofocus />,
      })}
      check={({ currentPassword }) =>
        currentPassword || !hasPassword ? {} : { currentPassword: passwordMissingMessage }
      }
      send={(_, __, { currentPassword }) =>
        callApi(api.endSessions, { body: { ...(session && { id: session.id }), currentPassword } })
      }
      submit="Sign Out"
      failed={(error) => describeRejection(error, 'This could not be saved. Please try again.')}
      onSaved={onDone}
      onClose={onClose}
    />
  );
}
