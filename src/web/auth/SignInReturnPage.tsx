// The provider sends users back here, with a query that works for one sign-in.
import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, Redirect, useLocation } from 'wouter';
import { api } from '#shared/api.ts';
import type { SecondFactorMethod } from '#shared/sign-in/second-factors.ts';
import { type ProviderPurpose, signInAgainMessage } from '#shared/sign-in/single-sign-on.ts';
import type { SessionUser } from '#shared/users.ts';
import { callApi } from '../client/api.ts';
import { readError, unreachable } from '../client/errors.ts';
import { clearPendingSignOut } from '../client/offlineSession.ts';
import { getProviderName } from '../client/providerName.ts';
import { useSession } from '../client/session.ts';
import { homePath } from '../screens.ts';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { Loading } from '../ui/loading/Loading.tsx';
import { AuthCard } from './AuthCard.tsx';
import { openTarget, readTarget, storeTarget } from './afterSignIn.ts';
import { createProviderChannel } from './provider.ts';
import { SecondStepForm } from './SecondStepForm.tsx';

/** Taken out of the address at once, so that neither the history nor a reload has it. */
const query = window.location.search.slice(1);
window.history.replaceState(window.history.state, '', window.location.pathname);

/** Continues in this tab, or closes it if a dialog opened it. Returns whether this tab continues. */
function finish(role: SessionUser['role'], purpose: ProviderPurpose): boolean {
  clearPendingSignOut();
  const target = readTarget();
  storeTarget(undefined);
  if (target) openTarget(target, role);
  else {
    createProviderChannel().postMessage(purpose);
    window.close();
  }
  return target !== undefined;
}

/** Sends the query. Has no AbortSignal, which would end the request when React draws the screen twice. */
async function complete() {
  const { role, purpose } = await callApi(api.completeProviderSignIn, { body: { query } });
  return finish(role, purpose);
}

const waitingText =
  'Your name is now in the list under Admin, User Management. Sign in again when you have been let in.';

export const SignInReturnPage = () => (
  <AuthCard title={`Sign In with ${getProviderName()}`}>
    <Outcome />
  </AuthCard>
);

function Outcome() {
  const { user, isChecking } = useSession();
  // A sign-out that waits is sent first. A later check must not send the query again.
  const [isChecked, setChecked] = useState(!isChecking);
  if (!isChecking && !isChecked) setChecked(true);
  const completion = useQuery({
    queryKey: ['return from the provider'],
    queryFn: complete,
    enabled: query !== '' && isChecked,
    retry: false,
    retryOnMount: false,
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
  });
  const [continuesAfterStep, setContinuesAfterStep] = useState<boolean>();
  const [isTooLate, setTooLate] = useState(query === '');
  const continuesHere = continuesAfterStep ?? completion.data;
  const { status, code, message, body } = readError(completion.error);
  const [, navigate] = useLocation();

  if (query === '' && user) return <Redirect to={homePath} replace />;
  if (continuesHere === false)
    return (
      <>
        <Text role="status">Thank you. You can close this tab and continue where you were.</Text>
        <Button component={Link} to={homePath} variant="default">
          Go to Reporting
        </Button>
      </>
    );
  if (code === 'SECOND_FACTOR' && !isTooLate && !continuesHere)
    return (
      <SecondStepForm
        firstStep={`${getProviderName()} has confirmed who you are.`}
        methods={body.methods as SecondFactorMethod[]}
        onSignedIn={(role) => setContinuesAfterStep(finish(role, body.purpose as ProviderPurpose))}
        onBack={() => setTooLate(true)}
      />
    );
  if (continuesHere || !isChecked || (!completion.error && !isTooLate)) return <Loading text="Signing you in..." />;
  return (
    <>
      <ErrorBox
        message={isTooLate ? signInAgainMessage : message || unreachable}
        reason={code === 'ASK_ADMIN' ? waitingText : undefined}
        {...(status === 0 && !isTooLate && { onRetry: () => void completion.refetch() })}
      />
      <Button
        variant="default"
        onClick={() => navigate(user ? (readTarget()?.from ?? homePath) : '/login', { state: readTarget() })}
      >
        {user ? 'Continue' : 'Login'}
      </Button>
    </>
  );
}
