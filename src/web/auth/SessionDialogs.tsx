// Dialogs over any screen: sign in again, confirm that it is you, change the password, session about
// to end.
import type { api } from '#shared/api.ts';
import type { Reply } from '#shared/contract.ts';
import type { SessionUser } from '#shared/users.ts';
import { confirmationRequired } from '../client/reauthentication.ts';
import { getSharedDevice } from '../client/sharedDevice.ts';
import { lazyComponent } from '../ui/loading/lazyComponent.ts';
import { useStore } from '../useStore.ts';
import { IdleWarning, SharedDeviceIdle } from './IdleDialogs.tsx';
import { SignInDialog } from './SignInDialog.tsx';

const ChangePasswordDialog = lazyComponent(() => import('./ChangePasswordDialog.tsx'), 'ChangePasswordDialog');
const ChoosePinDialog = lazyComponent(() => import('./ChoosePinDialog.tsx'), 'ChoosePinDialog');
const ConfirmIdentityDialog = lazyComponent(() => import('./ConfirmIdentityDialog.tsx'), 'ConfirmIdentityDialog');

type SessionDialogsProps = {
  user: SessionUser;
  /** Undefined while offline. */
  session: Reply<typeof api.getSession> | undefined;
  mustSignIn: boolean;
  onSignedIn: () => Promise<void>;
};

export function SessionDialogs({ user, session, mustSignIn, onSignedIn }: SessionDialogsProps) {
  const mustConfirm = useStore(confirmationRequired);
  const sharedDevice = getSharedDevice();
  return (
    <>
      <SignInDialog isOpen={mustSignIn} user={user} onSignedIn={onSignedIn} />
      {!mustSignIn &&
        user.mustChangePassword &&
        (sharedDevice && user.role === 'None' ? <ChoosePinDialog isForced /> : <ChangePasswordDialog isForced />)}
      {!mustSignIn && sharedDevice && (
        <SharedDeviceIdle username={user.username} idleMinutes={sharedDevice.idleMinutes} />
      )}
      {!mustSignIn && mustConfirm && <ConfirmIdentityDialog />}
      {!mustSignIn && session && <IdleWarning expiresAt={session.expiresAt} canExtend={session.canExtend} />}
    </>
  );
}
