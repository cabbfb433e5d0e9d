// Keeps every screen told of who is signed in, and shows what a session needs over any of them.
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense, useDeferredValue, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { SessionUser } from '#shared/users.ts';
import { isTransientError, queryClient } from '../client/api.ts';
import { getRememberedUser } from '../client/offlineSession.ts';
import { isSignInRequired, subscribeToSignIn } from '../client/reauthentication.ts';
import { isSignedOut, resumeSession, SessionContext, sessionQuery, signOutChannel } from '../client/session.ts';
import { lazyComponent } from '../ui/loading/lazyComponent.ts';

const SessionDialogs = lazyComponent(() => import('../auth/SessionDialogs.tsx'), 'SessionDialogs');

/** A check that takes longer goes on behind, and the person known on this device need not wait for it. */
const slowCheckMs = 4000;
const recheckMs = 15_000;

export function SessionProvider({ children }: { children: ReactNode }) {
  const { data, error, failureReason, isPending } = useQuery({
    ...sessionQuery,
    // main.tsx has just asked.
    staleTime: 5000,
    retryOnMount: false,
    refetchInterval: ({ state }) => isTransientError(state.error) && recheckMs,
  });
  const [last] = useState(getRememberedUser);
  const [first, setFirst] = useState<SessionUser>();
  const [isLate, setLate] = useState(false);
  // What main.tsx was told before this was there to hear it.
  const [failedBefore] = useState(() => queryClient.getQueryState(sessionQuery.queryKey)?.fetchFailureReason);
  const isSignInRequiredNow = useSyncExternalStore(subscribeToSignIn, isSignInRequired);

  const failure = data ? error : (failureReason ?? (isPending ? failedBefore : null));
  const isUnreachable = isTransientError(failure) || (isPending && isLate && last !== undefined);
  const user = data?.user ?? first ?? (isUnreachable ? last : undefined);
  if (user && !first) setFirst(user);
  const isSomeoneElse = user !== undefined && first !== undefined && user.id !== first.id;

  useEffect(() => {
    const timer = setTimeout(() => setLate(true), slowCheckMs);
    return () => clearTimeout(timer);
  }, []);

  // The connection is back: what could not be loaded is asked for again.
  useEffect(() => {
    if (!isUnreachable)
      void queryClient.refetchQueries({ type: 'active', predicate: ({ state }) => isTransientError(state.error) });
  }, [isUnreachable]);

  // Someone else signed in, here or in another tab: what is on the screen is not theirs to see.
  useEffect(() => {
    if (isSomeoneElse) window.location.replace('/');
  }, [isSomeoneElse]);

  // Whoever logs out in one tab means all of them.
  useEffect(() => {
    signOutChannel.onmessage = () => window.location.replace('/login');
  }, []);

  // A screen that comes up because of it is drawn in slices, in which a slow phone can scroll and type.
  const session = useDeferredValue(
    useMemo(() => ({ user, isChecking: isPending && !isUnreachable, isUnreachable }), [user, isPending, isUnreachable]),
  );

  if (isSomeoneElse) return null;
  return (
    <SessionContext value={session}>
      {children}
      {user && (
        <Suspense>
          <SessionDialogs
            user={user}
            expiresAt={isUnreachable ? undefined : data?.expiresAt}
            mustSignIn={isSignInRequiredNow || isSignedOut(error)}
            onSignedIn={() => resumeSession(user)}
          />
        </Suspense>
      )}
    </SessionContext>
  );
}
