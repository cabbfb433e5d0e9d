// Who is signed in. Everything a screen knows about the person comes from here.
import { useQuery } from '@tanstack/react-query';
import { createContext, lazy, type ReactNode, Suspense, use, useEffect, useState, useSyncExternalStore } from 'react';
import { api } from '../shared/api.ts';
import { CallFailed } from '../shared/client.ts';
import type { SessionUser } from '../shared/users.ts';
import { perform, queryClient, read } from './api.ts';
import { isGateShut, openGate, watchGate } from './auth/signInGate.ts';

const SessionDialogs = lazy(async () => ({ default: (await import('./auth/SessionDialogs.tsx')).SessionDialogs }));

export type Session = {
  /** Nobody, while signed out and while still asking. */
  user: SessionUser | undefined;
  isChecking: boolean;
};

const SessionContext = createContext<Session>({ user: undefined, isChecking: true });

export const useSession = () => use(SessionContext);

/** The person signed in, for screens that only they can open. */
export function useUser(): SessionUser {
  const { user } = useSession();
  if (!user) throw new Error('This screen needs a signed-in person');
  return user;
}

const loggedOut = new BroadcastChannel('logged-out');

/** Signs out. Whatever the server says, the next page is a fresh /login. */
export async function logOut() {
  // §8: a failed logout stops nobody; the server's log has it.
  await perform(api.logout).catch(() => undefined);
  queryClient.clear();
  loggedOut.postMessage(true);
  window.location.replace('/login');
}

/** After a sign-in over the page: the same person goes on where they were, anybody else starts afresh. */
async function goOn(person: SessionUser) {
  const session = await queryClient.fetchQuery({ ...read(api.getSession), staleTime: 0 });
  if (session.user.id === person.id) openGate();
}

export function SessionProvider({ children }: { children: ReactNode }) {
  const { data, error, isPending } = useQuery({ ...read(api.getSession), staleTime: 5000 });
  const [first, setFirst] = useState<SessionUser>();
  const isShut = useSyncExternalStore(watchGate, isGateShut);

  const user = data?.user;
  if (user && !first) setFirst(user);
  const isSomeoneElse = user !== undefined && first !== undefined && user.id !== first.id;

  // Someone else signed in, here or in another tab: what is on the screen is not theirs to see.
  useEffect(() => {
    if (isSomeoneElse) window.location.replace('/');
  }, [isSomeoneElse]);

  // Whoever logs out in one tab means all of them.
  useEffect(() => {
    loggedOut.onmessage = () => window.location.replace('/login');
  }, []);

  if (isSomeoneElse) return null;
  const hasEnded = error instanceof CallFailed && error.status === 401;
  return (
    <SessionContext value={{ user, isChecking: isPending }}>
      {children}
      {data && (
        <Suspense>
          <SessionDialogs session={data} mustSignIn={isShut || hasEnded} onSignedIn={() => goOn(data.user)} />
        </Suspense>
      )}
    </SessionContext>
  );
}
