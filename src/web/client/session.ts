// The session: who is signed in.
import { queryOptions } from '@tanstack/react-query';
import { createContext, use } from 'react';
import { api } from '#shared/api.ts';
import { ApiError } from '#shared/client.ts';
import type { DoNow } from '#shared/overview/overview.ts';
import type { Progress } from '#shared/system/first-steps.ts';
import type { SessionUser } from '#shared/users.ts';
import { callApi, getServerTime, queryClient, queryFor } from './api.ts';
import { isSignedOut } from './errors.ts';
import { deleteReporters } from './lastReporter.ts';
import {
  clearPendingSignOut,
  forgetUser,
  getRememberedUser,
  isSignOutPending,
  markSignOutPending,
  rememberUser,
} from './offlineSession.ts';
import { waitingItems } from './outboxPresence.ts';
import { saveParkList } from './parkList.ts';
import { unsubscribe } from './pushSubscription.ts';
import { resumeRequests } from './reauthentication.ts';
import { deleteLastContact, saveLastContact, setSignedOutName } from './signedOutUse.ts';

type Session = {
  /** Undefined while signed out or loading. Offline, the last user signed in on this device. */
  user: SessionUser | undefined;
  isChecking: boolean;
  /** Whether the session could not be checked, because the server is unreachable. */
  isUnreachable: boolean;
  /** How much the user should do now; if the server is unreachable, as it was at the last connection. */
  doNow?: DoNow | undefined;
  /** What is left of the first steps, for Admins of all parks. */
  firstSteps?: Progress | undefined;
};

export const SessionContext = createContext<Session>({ user: undefined, isChecking: true, isUnreachable: false });

export const useSession = () => use(SessionContext);

/** Returns the signed-in user, for screens that require one. */
export function useUser(): SessionUser {
  const { user } = useSession();
  if (!user) throw new Error('This screen requires a signed-in user');
  return user;
}

/** The session query. Remembers the user on this device. */
export const sessionQuery = queryOptions({
  ...queryFor(api.getSession),
  async queryFn({ signal }) {
    try {
      if (isSignOutPending()) {
        await callApi(api.logout).then(clearPendingSignOut);
        await withPendingSignOut(({ deletePendingSignOut }) => deletePendingSignOut());
        // The reply that the page has preloaded may be from before the sign-out. The browser gives it to the
        // next request, so this one takes it, and it is ignored.
        await callApi(api.getSession, { signal }).catch(() => undefined);
        throw new ApiError(401, '');
      }
      const session = await callApi(api.getSession, { signal });
      await withPendingSignOut(({ deletePendingSignOut }) => deletePendingSignOut());
      saveLastContact();
      setSignedOutName('');
      void unsubscribe(session.user.id).catch(() => undefined);
      saveParkList(session.parks);
      const until = Date.parse(session.expiresAt) - getServerTime() + Date.now();
      rememberUser(session.user, until, session.doNow);
      return session;
    } catch (error) {
      if (isSignedOut(error)) void forgetUser();
      throw error;
    }
  },
});

/** Whether the login page is drawn without waiting for the session. */
const isSignInLikely =
  window.location.pathname === '/login' && getRememberedUser() === undefined && !isSignOutPending();

export const signOutChannel = new BroadcastChannel('logged-out');

/** The browser's database may not respond, and a sign-out is not to wait for it. */
const waitBriefly = (work: Promise<unknown>) =>
  Promise.race([work, new Promise((resolve) => setTimeout(resolve, 1000))]);

/** Tells the service worker of a sign-out too, because it may be about to send waiting items. */
async function withPendingSignOut(work: (store: typeof import('../database/pendingSignOut.ts')) => Promise<void>) {
  if (waitingItems.get()) await waitBriefly(import('../database/pendingSignOut.ts').then(work).catch(() => undefined));
}

/** Signs out and opens a fresh /login, even if the request fails; offline it is sent later. */
export function signOut() {
  markSignOutPending();
  deleteLastContact();
  return endSession();
}

/** Leaves a shared device to its next user, who can start forms there offline too. */
export function switchUser() {
  markSignOutPending('switch');
  return endSession();
}

async function endSession() {
  await withPendingSignOut(({ storePendingSignOut }) => storePendingSignOut());
  // A failed request does not stop the sign-out; the server logs it.
  await callApi(api.logout)
    .then(() => withPendingSignOut(({ deletePendingSignOut }) => deletePendingSignOut()))
    .then(clearPendingSignOut)
    .catch(() => undefined);
  await leaveDevice();
}

/** Deletes what this device stores for its user, whose session has ended, and opens a fresh /login in all tabs. */
export async function leaveDevice() {
  deleteReporters();
  queryClient.clear();
  // The copies are hidden even if they are not deleted.
  await waitBriefly(Promise.allSettled([forgetUser(), unsubscribe()]));
  signOutChannel.postMessage(true);
  window.location.replace('/login');
}

/** Resumes after a sign-in in the dialog, if it is the same user. */
export async function resumeSession(person: SessionUser) {
  const session = await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
  if (session.user.id === person.id) resumeRequests();
}

/**
 * Checks the session for the first time. Resolves when it is known or cannot be checked now; false
 * if signed out, so that no screen needs to be loaded.
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
