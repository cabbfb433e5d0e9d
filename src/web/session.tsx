// Who is signed in. Everything a screen knows about the person comes from here.
import { queryOptions } from '@tanstack/react-query';
import { createContext, use } from 'react';
import { api } from '#shared/api.ts';
import { ApiError } from '#shared/client.ts';
import type { SessionUser } from '#shared/users.ts';
import { perform, queryClient, read, serverNow } from './api.ts';
import { findPerson, forgetPerson, isLogoutOwed, keepPerson, oweLogout, settleLogout } from './auth/lastPerson.ts';
import { openGate } from './auth/signInGate.ts';

type Session = {
  /** Nobody, while signed out and while still asking. Without a connection, whoever was signed in last on this device. */
  user: SessionUser | undefined;
  isChecking: boolean;
  /** The server cannot be reached, so that who is signed in could not be checked. */
  isCutOff: boolean;
};

export const SessionContext = createContext<Session>({ user: undefined, isChecking: true, isCutOff: false });

export const useSession = () => use(SessionContext);

/** The person signed in, for screens that only they can open. */
export function useUser(): SessionUser {
  const { user } = useSession();
  if (!user) throw new Error('This screen needs a signed-in person');
  return user;
}

export const isSignedOut = (error: unknown) => error instanceof ApiError && error.status === 401;

/** Asks the server who is signed in, for useQuery. What it says is remembered on this device. */
export const sessionCheck = queryOptions({
  ...read(api.getSession),
  async queryFn({ signal }) {
    if (isLogoutOwed()) await perform(api.logout).then(settleLogout);
    try {
      const session = await perform(api.getSession, { signal });
      keepPerson(session.user, Date.parse(session.expiresAt) - serverNow() + Date.now());
      return session;
    } catch (error) {
      if (isSignedOut(error)) forgetPerson();
      throw error;
    }
  },
});

/** At the sign-in, on a device that remembers no one: the form is drawn without waiting for the answer. */
const isSignInLikely = window.location.pathname === '/login' && findPerson() === undefined && !isLogoutOwed();

export const loggedOut = new BroadcastChannel('logged-out');

/** Signs out. Whatever the server says, the next page is a fresh /login; without a connection the server is told later. */
export async function logOut() {
  oweLogout();
  // A failed logout stops nobody; the server's log has it.
  await perform(api.logout)
    .then(settleLogout)
    .catch(() => undefined);
  queryClient.clear();
  forgetPerson();
  loggedOut.postMessage(true);
  window.location.replace('/login');
}

/** After a sign-in over the page: the same person goes on where they were, anybody else starts afresh. */
export async function goOn(person: SessionUser) {
  const session = await queryClient.fetchQuery({ ...sessionCheck, staleTime: 0 });
  if (session.user.id === person.id) openGate();
}

/**
 * Asks who is there for the first time. Resolves when that is known, or that it cannot be asked now: false when nobody is signed in, for
 * whom no screen need be fetched.
 */
export const askWhoIsThere = () =>
  new Promise<boolean>((resolve) => {
    if (isSignInLikely) resolve(true);
    const stop = queryClient.getQueryCache().subscribe(() => {
      const state = queryClient.getQueryState(sessionCheck.queryKey);
      if (!state || (state.status === 'pending' && state.fetchFailureCount === 0)) return;
      stop();
      resolve(!isSignedOut(state.error));
    });
    void queryClient.prefetchQuery(sessionCheck);
  });
