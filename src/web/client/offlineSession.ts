// The signed-in user, remembered so that reports can be written offline (docs/decisions/008), and a
// pending sign-out to send when back online.
import type { SessionUser } from '#shared/users.ts';

const userKey = 'last-person';
const signOutKey = 'logout-owed';

type RememberedUser = Pick<SessionUser, 'id' | 'username' | 'role' | 'park'> & {
  /** When an idle session ends, by this device's clock. */
  until: number;
};

/** Without storage no user is known offline; everything else works. */
function write(key: string, value: string | undefined) {
  try {
    if (value === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {}
}

function readKey(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** `until` in milliseconds, by this device's clock. */
export function rememberUser({ id, username, role, park }: SessionUser, until: number) {
  const kept: RememberedUser = { id, username, role, park, until };
  write(userKey, JSON.stringify(kept));
}

/** With what was copied for them to read offline. */
export function forgetUser(): Promise<void> {
  write(userKey, undefined);
  return import('../drafts/offlineCopies.ts').then(({ deleteUserCopies }) => deleteUserCopies()).catch(() => undefined);
}

/** Returns the last signed-in user while their session may last and they have not signed out. */
export function getRememberedUser(): SessionUser | undefined {
  const text = readKey(userKey);
  if (!text || isSignOutPending()) return undefined;
  const { until, ...person } = JSON.parse(text) as RememberedUser;
  if (until > Date.now()) return { ...person, mustChangePassword: false };
  void forgetUser();
  return undefined;
}

export const markSignOutPending = () => write(signOutKey, '1');
export const clearPendingSignOut = () => write(signOutKey, undefined);
export const isSignOutPending = () => readKey(signOutKey) !== null;
