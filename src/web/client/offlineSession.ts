// Who is signed in on this device, kept so that a report can be written where there is no signal; why so little, and for how long, is in
// docs/decisions/008. And a logout that could not be told to the server, until it can be.
import type { SessionUser } from '#shared/users.ts';

const userKey = 'last-person';
const signOutKey = 'logout-owed';

type RememberedUser = Pick<SessionUser, 'id' | 'username' | 'role' | 'park'> & {
  /** When the session ends if it is not used, by this device's clock. */
  until: number;
};

/** Where the browser keeps nothing, nobody is known without a connection, and everything else works. */
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

export const forgetUser = () => write(userKey, undefined);

/** Whoever was signed in last, as long as their session may still be running and they have not logged out. */
export function getRememberedUser(): SessionUser | undefined {
  const text = readKey(userKey);
  if (!text || isSignOutPending()) return undefined;
  const { until, ...person } = JSON.parse(text) as RememberedUser;
  if (until > Date.now()) return { ...person, mustChangePassword: false };
  forgetUser();
  return undefined;
}

export const markSignOutPending = () => write(signOutKey, '1');
export const clearPendingSignOut = () => write(signOutKey, undefined);
export const isSignOutPending = () => readKey(signOutKey) !== null;
