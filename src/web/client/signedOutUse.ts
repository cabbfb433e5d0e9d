// When offline after the session has ended, new reports and checklists can be started on a recently
// used device. They belong to no user until someone signs in and confirms that they are theirs.
import type { SessionUser } from '#shared/users.ts';
import { isSignOutPending } from './offlineSession.ts';
import { signedOutUserId } from './signedOutUserId.ts';

const lastContactKey = 'last-contact';
const nameKey = 'guest-name';
const longestWithoutContactMs = 14 * 24 * 60 * 60_000;

const signedOutPaths = ['/reporting', '/accidentreporting', '/incidentreporting', '/checklists'];

function readNumber(key: string): number {
  try {
    return Number(localStorage.getItem(key));
  } catch {
    return 0;
  }
}

export function saveLastContact() {
  try {
    localStorage.setItem(lastContactKey, String(Date.now()));
  } catch {} // without storage no form can be started
}

/** Call at sign-out: the next user cannot start forms here without signing in. */
export function deleteLastContact() {
  try {
    localStorage.removeItem(lastContactKey);
  } catch {}
}

/**
 * Whether this screen can be used without a session: the server was reached in the last 14 days and
 * nobody signed out.
 */
export const canUseSignedOut = (pathname: string) =>
  signedOutPaths.includes(pathname) &&
  !isSignOutPending() &&
  Math.abs(Date.now() - readNumber(lastContactKey)) < longestWithoutContactMs;

/** The name of the person filling in the form, kept while the tab is open. */
export function getSignedOutName(): string {
  try {
    return sessionStorage.getItem(nameKey) ?? '';
  } catch {
    return '';
  }
}

export function setSignedOutName(name: string) {
  try {
    if (name) sessionStorage.setItem(nameKey, name);
    else sessionStorage.removeItem(nameKey);
  } catch {}
}

export const createSignedOutUser = (username: string): SessionUser => ({
  id: signedOutUserId,
  username,
  role: 'None',
  park: '',
  parks: null,
  mustChangePassword: false,
});
