// Keeps every screen told of who is signed in, and shows what a session needs over any of them.
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense, useDeferredValue, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { SessionUser } from '#shared/users.ts';
import { mayPass, queryClient } from '../api.ts';
import { findPerson } from '../auth/lastPerson.ts';
import { isGateShut, watchGate } from '../auth/signInGate.ts';
import { goOn, isSignedOut, loggedOut, SessionContext, sessionCheck } from '../session.tsx';
import { onDemand } from '../ui/onDemand.ts';

const SessionDialogs = onDemand(() => import('../auth/SessionDialogs.tsx'), 'SessionDialogs');

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
