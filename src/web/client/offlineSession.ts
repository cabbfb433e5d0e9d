// The signed-in user, remembered so that reports can be written offline (docs/decisions/008), and a
// pending sign-out to send when back online.
import { readParks } from '#shared/access.ts';
import type { DoNow } from '#shared/overview/overview.ts';
import type { SessionUser } from '#shared/users.ts';
import { deviceItems } from '../browserItems.ts';

const { read, write } = deviceItems;
const userKey = 'last-person';
const signOutKey = 'logout-owed';
const copiesKey = 'has-copies';

type RememberedUser = Pick<SessionUser, 'id' | 'username' | 'role' | 'park'> & {
  /** Absent if an earlier version stored the user. */
  parks?: SessionUser['parks'];
  /** When an idle session ends, by this device's clock. */
  until: number;
  doNow?: DoNow | undefined;
};

/** `until` in milliseconds, by this device's clock. */
export function rememberUser({ id, username, role, park, parks }: SessionUser, until: number, doNow?: DoNow) {
  const remembered: RememberedUser = { id, username, role, park, parks, until, doNow };
  const before = readUser();
  write(userKey, JSON.stringify(remembered));
  // Copies for another user or other parks are deleted.
  if (before && (before.id !== id || getParksKey(before) !== getParksKey(remembered))) void deleteOfflineCopies();
}

/** Names all parks of a user, in the keys of their copies. */
export const getParksKey = (user: Pick<RememberedUser, 'park' | 'parks'>): string => readParks(user)?.join() ?? '';

/**
 * Call before copies are stored. Without them, the sign-in screen need not load what deletes them.
 */
export const markCopies = () => write(copiesKey, '1');
export const clearCopiesMark = () => write(copiesKey, undefined);

async function deleteOfflineCopies(): Promise<void> {
  if (!read(copiesKey)) return;
  await import('../database/userCopies.ts')
    .then(({ deleteUserCopies }) => deleteUserCopies())
    .then(clearCopiesMark)
    .catch(() => undefined);
}

function readUser(): RememberedUser | undefined {
  const text = read(userKey);
  return text ? (JSON.parse(text) as RememberedUser) : undefined;
}

/** Deletes the user's offline copies too. */
export function forgetUser(): Promise<void> {
  write(userKey, undefined);
  return deleteOfflineCopies();
}

/** Returns the last signed-in user while their session may last and they have not signed out. */
export function getRememberedUser(): SessionUser | undefined {
  const user = readUser();
  if (!user || isSignOutPending()) return undefined;
  const { until, doNow: _, ...person } = user;
  if (until > Date.now()) return { ...person, parks: readParks(person), mustChangePassword: false };
  void forgetUser();
  return undefined;
}

/** Returns what the remembered user had to do at the last connection. */
export const getRememberedDoNow = (): DoNow | undefined => readUser()?.doNow;

/** `switch`: the next user of a shared device may start forms without signing in. */
export const markSignOutPending = (kind: '1' | 'switch' = '1') => write(signOutKey, kind);
export const clearPendingSignOut = () => write(signOutKey, undefined);
export const isSignOutPending = () => Boolean(read(signOutKey));
export const isSwitchPending = () => read(signOutKey) === 'switch';
