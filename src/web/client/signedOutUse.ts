// After the session has ended, new reports and checklists can be started offline on a recently used
// device. They belong to no user until someone signs in and confirms that they are theirs.
import type { SessionUser } from '#shared/users.ts';
import { deviceItems, tabItems } from '../browserItems.ts';
import { isSignOutPending, isSwitchPending } from './offlineSession.ts';
import { signedOutUserId } from './signedOutUserId.ts';

const lastContactKey = 'last-contact';
const nameKey = 'guest-name';
const longestWithoutContactMs = 14 * 24 * 60 * 60_000;

const signedOutPaths = ['/reporting', '/accidentreporting', '/incidentreporting', '/checklists'];

export const saveLastContact = () => deviceItems.write(lastContactKey, String(Date.now()));

/** Call at sign-out: the next user cannot start forms here without signing in. */
export const deleteLastContact = () => deviceItems.write(lastContactKey, undefined);

/**
 * Whether this screen can be used without a session: the server was reached in the last 14 days and
 * nobody signed out.
 */
export const canUseSignedOut = (pathname: string) =>
  signedOutPaths.includes(pathname) &&
  (!isSignOutPending() || isSwitchPending()) &&
  Math.abs(Date.now() - Number(deviceItems.read(lastContactKey) ?? 0)) < longestWithoutContactMs;

/** The name of the person filling in the form, kept while the tab is open. */
export const getSignedOutName = (): string => tabItems.read(nameKey) ?? '';

export const setSignedOutName = (name: string) => tabItems.write(nameKey, name || undefined);

export const createSignedOutUser = (username: string): SessionUser => ({
  id: signedOutUserId,
  username,
  role: 'None',
  park: '',
  parks: null,
  mustChangePassword: false,
});
