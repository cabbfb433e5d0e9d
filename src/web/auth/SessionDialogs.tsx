// The three dialogs that may lie over any screen: sign in again, change the password first, about to be signed out.
import type { SessionUser } from '#shared/users.ts';
import { ChangePasswordDialog } from './ChangePasswordDialog.tsx';
import { IdleWarning } from './IdleWarning.tsx';
import { SignInDialog } from './SignInDialog.tsx';

type SessionDialogsProps = {
  user: SessionUser;
  /** When the session ends unused; nothing while that cannot be asked. */
  expiresAt: string | undefined;
  mustSignIn: boolean;
  onSignedIn: () => Promise<void>;
};

export function SessionDialogs({ user, expiresAt, mustSignIn, onSignedIn }: SessionDialogsProps) {
  return (
    <>
      <SignInDialog isOpen={mustSignIn} username={user.username} onSignedIn={onSignedIn} />
      <ChangePasswordDialog isOpen={!mustSignIn && user.mustChangePassword} isForced />
      {!mustSignIn && expiresAt && <IdleWarning expiresAt={expiresAt} />}
    </>
  );
}
