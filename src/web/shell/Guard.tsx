import { Text, Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Redirect, useLocation, useSearch } from 'wouter';
import { isAllowed } from '#shared/access.ts';
import type { AccessLevel } from '#shared/contract.ts';
import type { LoginState } from '../auth/LoginPage.tsx';
import { queryClient } from '../client/api.ts';
import { sessionQuery, useSession } from '../client/session.ts';
import { canUseSignedOut, getSignedOutName } from '../client/signedOutUse.ts';
import { isForReviewers } from '../screens.ts';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { Loading } from '../ui/loading/Loading.tsx';
import { lazyComponent } from '../ui/loading/lazyComponent.ts';

const SignedOutScreen = lazyComponent(() => import('./SignedOutScreen.tsx'), 'SignedOutScreen', <Loading />);

/**
 * Shows a screen to users with access; sends others to /login, or to /reporting if their role is
 * not enough.
 */
export function Guard({ access, children }: { access: AccessLevel; children: ReactNode }) {
  const { user, isChecking, isUnreachable } = useSession();
  const [path] = useLocation();
  const search = useSearch();
  const url = search ? `${path}?${search}` : path;
  const checkedUrl = useRef(url);
  // Until a one-time password is replaced, every request of the screen would fail. A screen that is open stays, because
  // it may have input: its user may sign in again with one.
  const [wasOpened, setOpened] = useState(false);
  const mustWait = user?.mustChangePassword === true && !wasOpened;
  if (user && !mustWait && !wasOpened) setOpened(true);

  // The role may have been taken away since, and not every tap sends a request that says so.
  useEffect(() => {
    if (!isForReviewers({ access }) || url === checkedUrl.current) return;
    checkedUrl.current = url;
    void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
  }, [access, url]);

  if (access === 'anyone') return children;
  if (isChecking) return <Loading />;
  // A form that was started signed out stays open when the connection is back, because its input
  // is still to be submitted.
  if (!user && (isUnreachable || getSignedOutName() !== '') && canUseSignedOut(path))
    return <SignedOutScreen>{children}</SignedOutScreen>;
  if (!user && isUnreachable) return <NoConnection />;
  if (!user) {
    const state: LoginState = { isAdminRequired: access !== 'signedIn', from: url + window.location.hash, access };
    return <Redirect to="/login" replace state={state} />;
  }
  if (mustWait) return <Title order={1}>Welcome</Title>;
  return isAllowed(access, user) ? children : <Redirect to="/reporting" replace />;
}

/** The root path: /reporting if signed in, otherwise /login. */
export function Home() {
  const { user, isChecking, isUnreachable } = useSession();
  if (isChecking) return <Loading />;
  if (!user && isUnreachable && !canUseSignedOut('/reporting')) return <NoConnection />;
  return <Redirect to={user || isUnreachable ? '/reporting' : '/login'} replace />;
}

/** Shown if no user is remembered and the server cannot be reached. The page opens once it can. */
const NoConnection = () => (
  <>
    <ErrorBox
      isPage
      message="There is no connection"
      onRetry={() => void queryClient.refetchQueries({ queryKey: sessionQuery.queryKey })}
    />
    <Text mt="md">You can sign in when the connection is back. This page then opens automatically.</Text>
  </>
);
