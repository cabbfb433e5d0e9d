// Who is signed in. Everything a screen knows about the person comes from here.
import { queryOptions } from '@tanstack/react-query';
import { createContext, use } from 'react';
import { api } from '#shared/api.ts';
import { ApiError } from '#shared/client.ts';
import type { SessionUser } from '#shared/users.ts';
import { callApi, getServerTime, queryClient, queryFor } from './api.ts';
import {
  clearPendingSignOut,
  forgetUser,
  getRememberedUser,
  isSignOutPending,
  markSignOutPending,
  rememberUser,
} from './offlineSession.ts';
import { resumeRequests } from './reauthentication.ts';

type Session = {
  /** Nobody, while signed out and while still asking. Without a connection, whoever was signed in last on this device. */
  user: SessionUser | undefined;
  isChecking: boolean;
  /** The server cannot be reached, so that who is signed in could not be checked. */
  isUnreachable: boolean;
};

export const SessionContext = createContext<Session>({ user: undefined, isChecking: true, isUnreachable: false });

export const useSession = () => use(SessionContext);

/** The person signed in, for screens that only they can open. */
export function useUser(): SessionUser {
  const { user } = useSession();
  if (!user) throw new Error('This screen needs a signed-in person');
  return user;
}

export const isSignedOut = (error: unknown) => error instanceof ApiError && error.status === 401;

/** Asks the server who is signed in, for useQuery. What it says is remembered on this device. */
export const sessionQuery = queryOptions({
  ...queryFor(api.getSession),
  async queryFn({ signal }) {
    if (isSignOutPending()) await callApi(api.logout).then(clearPendingSignOut);
    try {
      const session = await callApi(api.getSession, { signal });
      rememberUser(session.user, Date.parse(session.expiresAt) - getServerTime() + Date.now());
      return session;
    } catch (error) {
      if (isSignedOut(error)) forgetUser();
      throw error;
    }
  },
});

/** At the sign-in, on a device that remembers no one: the form is drawn without waiting for the answer. */
const isSignInLikely =
  window.location.pathname === '/login' && getRememberedUser() === undefined && !isSignOutPending();

export const signOutChannel = new BroadcastChannel('logged-out');

/** Signs out. Whatever the server says, the next page is a fresh /login; without a connection the server is told later. */
export async function signOut() {
  markSignOutPending();
  // A failed logout stops nobody; the server's log has it.
  await callApi(api.logout)
    .then(clearPendingSignOut)
    .catch(() => undefined);
  queryClient.clear();
  forgetUser();
  signOutChannel.postMessage(true);
  window.location.replace('/login');
}

/** After a sign-in over the page: the same person goes on where they were, anybody else starts afresh. */
export async function resumeSession(person: SessionUser) {
  const session = await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
  if (session.user.id === person.id) resumeRequests();
}

/**
 * Asks who is there for the first time. Resolves when that is known, or that it cannot be asked now: false when nobody is signed in, for
 * whom no screen need be fetched.
 */
export const checkSession = () =>
  new Promise<boolean>((resolve) => {
    if (isSignInLikely) resolve(true);
    const stop = queryClient.getQueryCache().subscribe(() => {
      const state = queryClient.getQueryState(sessionQuery.queryKey);
      if (!state || (state.status === 'pending' && state.fetchFailureCount === 0)) return;
      stop();
      resolve(!isSignedOut(state.error));
    });
    void queryClient.prefetchQuery(sessionQuery);
  });
