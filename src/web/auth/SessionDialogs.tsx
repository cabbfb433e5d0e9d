// Dialogs over any screen: sign in again, change the password, session about to end.
import type { SessionUser } from '#shared/users.ts';
import { ChangePasswordDialog } from './ChangePasswordDialog.tsx';
import { IdleWarning } from './IdleWarning.tsx';
import { SignInDialog } from './SignInDialog.tsx';

type SessionDialogsProps = {
  user: SessionUser;
  /** When the session ends if idle; undefined while offline. */
  expiresAt: string | undefined;
  mustSignIn: boolean;
  onSignedIn: () => Promise<void>;
};

export function SessionDialogs({ user, expiresAt, mustSignIn, onSignedIn }: SessionDialogsProps) {
  return (
    <>
      <SignInDialog isOpen={mustSignIn} username={user.username} onSignedIn={onSignedIn} />
      {!mustSignIn && user.mustChangePassword && <ChangePasswordDialog isForced />}
      {!mustSignIn && expiresAt && <IdleWarning expiresAt={expiresAt} />}
    </>
  );
}
