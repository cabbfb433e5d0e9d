// Who is signed in on this device, kept so that a report can be written where there is no signal; why so little, and for how long, is in
// docs/decisions/008. And a logout that could not be told to the server, until it can be.
import type { SessionUser } from '#shared/users.ts';

const personKey = 'last-person';
const logoutKey = 'logout-owed';

type LastPerson = Pick<SessionUser, 'id' | 'username' | 'role' | 'park'> & {
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
export function keepPerson({ id, username, role, park }: SessionUser, until: number) {
  const kept: LastPerson = { id, username, role, park, until };
  write(personKey, JSON.stringify(kept));
}

export const forgetPerson = () => write(personKey, undefined);

/** Whoever was signed in last, as long as their session may still be running and they have not logged out. */
export function findPerson(): SessionUser | undefined {
  const text = readKey(personKey);
  if (!text || isLogoutOwed()) return undefined;
  const { until, ...person } = JSON.parse(text) as LastPerson;
  if (until > Date.now()) return { ...person, mustChangePassword: false };
  forgetPerson();
  return undefined;
}

export const oweLogout = () => write(logoutKey, '1');
export const settleLogout = () => write(logoutKey, undefined);
export const isLogoutOwed = () => readKey(logoutKey) !== null;
