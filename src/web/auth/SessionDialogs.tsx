// The three dialogs that may lie over any screen: sign in again, change the password first, about to be signed out.
import type { SessionUser } from '../../shared/users.ts';
import { ChangePasswordDialog } from './ChangePasswordDialog.tsx';
import { IdleWarning } from './IdleWarning.tsx';
import { SignInDialog } from './SignInDialog.tsx';

type SessionDialogsProps = {
  session: { user: SessionUser; expiresAt: string };
  mustSignIn: boolean;
  onSignedIn: () => Promise<void>;
};

export function SessionDialogs({ session: { user, expiresAt }, mustSignIn, onSignedIn }: SessionDialogsProps) {
  return (
    <>
      <SignInDialog isOpen={mustSignIn} username={user.username} onSignedIn={onSignedIn} />
      <ChangePasswordDialog isOpen={!mustSignIn && user.mustChangePassword} isForced />
      {!mustSignIn && <IdleWarning expiresAt={expiresAt} />}
    </>
  );
}
