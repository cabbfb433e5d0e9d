// Who is signed in. Everything a screen knows about the person comes from here.
import { queryOptions, useQuery } from '@tanstack/react-query';
import {
  createContext,
  type ReactNode,
  Suspense,
  use,
  useDeferredValue,
  useEffect,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react';
import { api } from '#shared/api.ts';
import { CallFailed } from '#shared/client.ts';
import type { SessionUser } from '#shared/users.ts';
import { mayPass, perform, queryClient, read, serverNow } from './api.ts';
import { findPerson, forgetPerson, isLogoutOwed, keepPerson, oweLogout, settleLogout } from './auth/lastPerson.ts';
import { isGateShut, openGate, watchGate } from './auth/signInGate.ts';
import { onDemand } from './ui/onDemand.ts';

const SessionDialogs = onDemand(() => import('./auth/SessionDialogs.tsx'), 'SessionDialogs');

type Session = {
  /** Nobody, while signed out and while still asking. Without a connection, whoever was signed in last on this device. */
  user: SessionUser | undefined;
  isChecking: boolean;
  /** The server cannot be reached, so that who is signed in could not be checked. */
  isCutOff: boolean;
};

const SessionContext = createContext<Session>({ user: undefined, isChecking: true, isCutOff: false });

export const useSession = () => use(SessionContext);

/** The person signed in, for screens that only they can open. */
export function useUser(): SessionUser {
  const { user } = useSession();
  if (!user) throw new Error('This screen needs a signed-in person');
  return user;
}

const isSignedOut = (error: unknown) => error instanceof CallFailed && error.status === 401;

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

const loggedOut = new BroadcastChannel('logged-out');

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
async function goOn(person: SessionUser) {
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

/** A check that takes longer goes on behind, and the person known on this device need not wait for it. */
const patienceMs = 4000;
const lookAgainMs = 15_000;

export function SessionProvider({ children }: { children: ReactNode }) {
  const { data, error, failureReason, isPending } = useQuery({
    ...sessionCheck,
    // main.tsx has just asked.
    staleTime: 5000,
    retryOnMount: false,
    refetchInterval: ({ state }) => mayPass(state.error) && lookAgainMs,
  });
  const [last] = useState(findPerson);
  const [first, setFirst] = useState<SessionUser>();
  const [isLate, setLate] = useState(false);
  // What main.tsx was told before this was there to hear it.
  const [failedBefore] = useState(() => queryClient.getQueryState(sessionCheck.queryKey)?.fetchFailureReason);
  const isShut = useSyncExternalStore(watchGate, isGateShut);

  const failure = data ? error : (failureReason ?? (isPending ? failedBefore : null));
  const isCutOff = mayPass(failure) || (isPending && isLate && last !== undefined);
  const user = data?.user ?? first ?? (isCutOff ? last : undefined);
  if (user && !first) setFirst(user);
  const isSomeoneElse = user !== undefined && first !== undefined && user.id !== first.id;

  useEffect(() => {
    const timer = setTimeout(() => setLate(true), patienceMs);
    return () => clearTimeout(timer);
  }, []);

  // The connection is back: what could not be loaded is asked for again.
  useEffect(() => {
    if (!isCutOff) void queryClient.refetchQueries({ type: 'active', predicate: ({ state }) => mayPass(state.error) });
  }, [isCutOff]);

  // Someone else signed in, here or in another tab: what is on the screen is not theirs to see.
  useEffect(() => {
    if (isSomeoneElse) window.location.replace('/');
  }, [isSomeoneElse]);

  // Whoever logs out in one tab means all of them.
  useEffect(() => {
    loggedOut.onmessage = () => window.location.replace('/login');
  }, []);

  // A screen that comes up because of it is drawn in slices, in which a slow phone can scroll and type.
  const session = useDeferredValue(
    useMemo(() => ({ user, isChecking: isPending && !isCutOff, isCutOff }), [user, isPending, isCutOff]),
  );

  if (isSomeoneElse) return null;
  return (
    <SessionContext value={session}>
      {children}
      {user && (
        <Suspense>
          <SessionDialogs
            user={user}
            expiresAt={isCutOff ? undefined : data?.expiresAt}
            mustSignIn={isShut || isSignedOut(error)}
            onSignedIn={() => goOn(user)}
          />
        </Suspense>
      )}
    </SessionContext>
  );
}
