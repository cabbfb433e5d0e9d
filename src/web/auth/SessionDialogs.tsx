// The three dialogs that may lie over any screen: sign in again, change the password first, about to be signed out.
import { lazy, Suspense } from 'react';
import type { SessionUser } from '../../shared/users.ts';

const SignInDialog = lazy(async () => ({ default: (await import('./SignInDialog.tsx')).SignInDialog }));
const ChangePasswordDialog = lazy(async () => ({
  default: (await import('./ChangePasswordDialog.tsx')).ChangePasswordDialog,
}));
const IdleWarning = lazy(async () => ({ default: (await import('./IdleWarning.tsx')).IdleWarning }));

type SessionDialogsProps = {
  session: { user: SessionUser; expiresAt: string };
  mustSignIn: boolean;
  onSignedIn: () => Promise<void>;
};

export function SessionDialogs({ session, mustSignIn, onSignedIn }: SessionDialogsProps) {
  return (
    <Suspense>
      {mustSignIn && <SignInDialog username={session.user.username} onSignedIn={onSignedIn} />}
      {!mustSignIn && session.user.mustChangePassword && <ChangePasswordDialog isForced />}
      {!mustSignIn && <IdleWarning expiresAt={session.expiresAt} />}
    </Suspense>
  );
}
