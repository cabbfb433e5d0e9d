// Provides the session to all screens, and shows its dialogs over them.
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useDeferredValue, useEffect, useMemo, useState } from 'react';
import { isAllowed } from '#shared/access.ts';
import type { PersonName, SessionUser } from '#shared/users.ts';
import { queryClient } from '../client/api.ts';
import { isSignedOut, isTransientError } from '../client/errors.ts';
import { createShowName, NamesContext, namesQuery, PeopleContext } from '../client/names.ts';
import { getRememberedDoNow, getRememberedUser } from '../client/offlineSession.ts';
import { sendingUserId, waitingItems } from '../client/outboxPresence.ts';
import { signInRequired } from '../client/reauthentication.ts';
import { resumeSession, SessionContext, sessionQuery, signOutChannel } from '../client/session.ts';
import { isOnline } from '../offline/connection.ts';
import { cacheReviewerScreens } from '../offline/updates.ts';
import { foundForms } from '../ui/forms/typedInput.ts';
import { lazyComponent } from '../ui/loading/lazyComponent.ts';
import { useStore } from '../useStore.ts';

const SessionDialogs = lazyComponent(() => import('../auth/SessionDialogs.tsx'), 'SessionDialogs');

/** A slower check continues in the background, and the remembered user need not wait for it. */
const slowSessionCheckMs = 4000;
const recheckIntervalMs = 15_000;
/** Late enough not to delay the first screen. */
const offlineCopyDelayMs = 10_000;

// Outside the component, because the React Compiler cannot compile an import.
const loadAndStartOutbox = async () => (await import('../outbox/startOutbox.ts')).startOutbox();
const keepTypedInput = async (userId: string) => (await import('../drafts/keptInput.ts')).keepTypedInput(userId);
const copyAuditsForOffline = async (user: SessionUser) =>
  (await import('../audits/copyForOffline.ts')).copyForOffline(user);
const findCopiedNames = async () => {
  const { findUserCopy } = await import('../drafts/offlineCopies.ts');
  return (await findUserCopy<PersonName[]>(namesQuery.queryKey)) ?? [];
};

const noPeople: PersonName[] = [];

export function SessionProvider({ children }: { children: ReactNode }) {
  const { data, error, failureReason, isPending } = useQuery({
    ...sessionQuery,
    // main.tsx has just requested it.
    staleTime: 5000,
    retryOnMount: false,
    refetchInterval: ({ state }) => isTransientError(state.error) && recheckIntervalMs,
  });
  const [rememberedUser] = useState(getRememberedUser);
  const [rememberedDoNow] = useState(getRememberedDoNow);
  const [firstUser, setFirstUser] = useState<SessionUser>();
  const [isSlow, setSlow] = useState(false);
  // The result that main.tsx received before this was mounted.
  const [failedBeforeMount] = useState(() => queryClient.getQueryState(sessionQuery.queryKey)?.fetchFailureReason);
  const isSignInRequiredNow = useStore(signInRequired);

  const failure = data ? error : (failureReason ?? (isPending ? failedBeforeMount : null));
  const isUnreachable = isTransientError(failure) || (isPending && isSlow && rememberedUser !== undefined);
  const user = data?.user ?? firstUser ?? (isUnreachable ? rememberedUser : undefined);
  const doNow = data ? data.doNow : rememberedDoNow;
  if (user && !firstUser) setFirstUser(user);
  const isSomeoneElse = user !== undefined && firstUser !== undefined && user.id !== firstUser.id;

  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), slowSessionCheckMs);
    return () => clearTimeout(timer);
  }, []);

  // Refetch failed queries when the server is reachable again.
  useEffect(() => {
    if (!isUnreachable)
      void queryClient.refetchQueries({ type: 'active', predicate: ({ state }) => isTransientError(state.error) });
  }, [isUnreachable]);

  // Another user signed in, here or in another tab: they must not see this screen.
  useEffect(() => {
    if (isSomeoneElse) window.location.replace('/');
  }, [isSomeoneElse]);

  // Waiting items on this device are sent once the signed-in user is known. Until a one-time
  // password is replaced, the server rejects them.
  const hasWaitingItems = useStore(waitingItems);
  const sender = isSignedOut(error) || user?.mustChangePassword ? undefined : user?.id;
  useEffect(() => {
    sendingUserId.set(sender);
    if (sender && hasWaitingItems) void loadAndStartOutbox();
  }, [sender, hasWaitingItems]);

  const signedInUser = data?.user;
  const isReviewer = signedInUser !== undefined && isAllowed('reviewer', signedInUser);
  useEffect(() => (isReviewer ? cacheReviewerScreens() : undefined), [isReviewer]);

  // What the user typed into forms is brought back, and kept from now on.
  const keeper = user?.mustChangePassword ? undefined : user?.id;
  useEffect(() => {
    if (!keeper) return;
    const keeping = keepTypedInput(keeper).catch(() => foundForms.set(undefined));
    return () => void keeping.then((stop) => stop?.());
  }, [keeper]);

  // Data for offline use is copied while there is a connection.
  useEffect(() => {
    if (!signedInUser || signedInUser.mustChangePassword) return;
    const timer = setTimeout(() => {
      if (isOnline()) void copyAuditsForOffline(signedInUser).catch(() => undefined);
    }, offlineCopyDelayMs);
    return () => clearTimeout(timer);
  }, [signedInUser]);

  const names = useQuery({ ...namesQuery, enabled: signedInUser !== undefined && !signedInUser.mustChangePassword });
  const copiedNames = useQuery({
    queryKey: ['copied names', user?.id],
    queryFn: findCopiedNames,
    enabled: user !== undefined && isUnreachable && !names.data,
  });
  const people = names.data ?? copiedNames.data ?? noPeople;
  const showName = useMemo(() => createShowName(people), [people]);

  // Sign out all open tabs.
  useEffect(() => {
    signOutChannel.onmessage = () => window.location.replace('/login');
  }, []);

  // Render the resulting screen at low priority, so that slow phones can still scroll and type.
  const session = useDeferredValue(
    useMemo(
      () => ({ user, isChecking: isPending && !isUnreachable, isUnreachable, doNow, firstSteps: data?.firstSteps }),
      [user, isPending, isUnreachable, doNow, data?.firstSteps],
    ),
  );

  if (isSomeoneElse) return null;
  return (
    <SessionContext value={session}>
      <NamesContext value={showName}>
        <PeopleContext value={people}>{children}</PeopleContext>
        {user && (
          <SessionDialogs
            user={user}
            session={isUnreachable ? undefined : data}
            mustSignIn={isSignInRequiredNow || isSignedOut(error)}
            onSignedIn={() => resumeSession(user)}
          />
        )}
      </NamesContext>
    </SessionContext>
  );
}
