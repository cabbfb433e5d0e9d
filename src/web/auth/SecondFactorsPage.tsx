// The second factors of the signed-in user: passkeys, codes from an app, and recovery codes.
import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Fingerprint, KeyRound, Smartphone } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { api } from '#shared/api.ts';
import { formatInstant } from '#shared/dates.ts';
import type { AppKey, Passkey } from '#shared/sign-in/second-factors.ts';
import { callApi, mutationFor, queryFor } from '../client/api.ts';
import { canUsePasskeys } from '../client/canUsePasskeys.ts';
import { readError } from '../client/errors.ts';
import { getProviderName } from '../client/providerName.ts';
import { QueryState } from '../client/QueryState.tsx';
import { useConfirmed } from '../client/useConfirmed.tsx';
import { Toast } from '../ui/feedback/Toast.tsx';
import { useToast } from '../ui/feedback/useFeedback.ts';
import { IconButton } from '../ui/forms/IconButton.tsx';
import { PageHeading } from '../ui/navigation/PageHeading.tsx';
import { RecordRow } from '../ui/navigation/RecordRow.tsx';
import { useFirstStepsLink } from '../ui/navigation/useFirstStepsLink.tsx';
import rows from '../ui/theme/rows.module.css';
import { EndSessionsDialog } from './EndSessionsDialog.tsx';
import { PasskeyNameDialog, RecoveryCodesDialog, SetUpAppDialog } from './FactorDialogs.tsx';
import { ProviderButton } from './ProviderButton.tsx';
import { goToProvider } from './provider.ts';

/** Whether the user closed the dialog in which they confirm their identity: they need no message about that. */
const isConfirmationMissing = (error: unknown) => readError(error).code === 'CONFIRMATION_NEEDED';

export function SecondFactorsPage() {
  const query = useQuery(queryFor(api.getSecondFactors));
  const { data } = query;
  const [appKey, setAppKey] = useState<AppKey>();
  const [recoveryCodes, setRecoveryCodes] = useState<string[]>();
  const [naming, setNaming] = useState<Passkey | 'new'>();
  const [isOfferingSignOut, setOfferingSignOut] = useState(false);
  const sessions = useQuery(queryFor(api.listSessions));
  const isSignedInElsewhere = sessions.data?.some(({ isThis }) => !isThis);
  const toast = useToast();
  const start = useMutation(mutationFor(api.startAppSetUp));
  const renew = useMutation(mutationFor(api.createRecoveryCodes));
  const hasApp = Boolean(data?.appSince);
  const passkeys = data?.passkeys ?? [];
  const factorCount = passkeys.length + Number(hasApp);

  const showFailure = (error: Error) => {
    if (!isConfirmationMissing(error)) toast.showError(error.message || 'This did not work. Please try again.');
  };
  /** The user's first second factor comes with recovery codes. */
  const showAdded = (codes: string[] | undefined, message: string) => {
    if (codes) return setRecoveryCodes(codes);
    toast.showSuccess(message);
    setOfferingSignOut(true);
  };
  const removal = useConfirmed<Passkey | 'app'>({
    title: (factor) => (factor === 'app' ? 'Remove codes from the app?' : `Remove the passkey ${factor.name}?`),
    text: (factor) =>
      (factorCount > 1
        ? 'You can no longer sign in with it.'
        : 'You then sign in with your password alone. Your recovery codes no longer work.') +
      (factor === 'app' ? '' : ' Remove it from your device too, which otherwise still offers it.'),
    confirm: 'Remove',
    isDangerous: true,
    send: (factor) =>
      factor === 'app' ? callApi(api.removeApp) : callApi(api.removePasskey, { params: { id: factor.id } }),
    failed: (error) =>
      isConfirmationMissing(error) ? '' : error.message || 'This could not be removed. Please try again.',
    onDone: () => setOfferingSignOut(true),
  });
  return (
    <>
      <PageHeading
        title="Two-Factor Sign-In"
        back={useFirstStepsLink()}
        text="A password can be stolen. If you also need a passkey or a code from your phone, nobody can sign in as you with the password alone."
      />
      <QueryState query={query} failed="This could not be loaded." />
      {data && (
        <ul className={rows.list}>
          {passkeys.map((passkey) => (
            <FactorRow key={passkey.id} title={passkey.name} text={describePasskey(passkey)}>
              <Button
                variant="default"
                aria-label={`Rename passkey ${passkey.name}`}
                onClick={() => setNaming(passkey)}
              >
                Rename
              </Button>
              <Button
                variant="default"
                aria-label={`Remove passkey ${passkey.name}`}
                onClick={() => removal.ask(passkey)}
              >
                Remove
              </Button>
            </FactorRow>
          ))}
          {canUsePasskeys() && (
            <FactorRow
              title={passkeys.length > 0 ? 'Another passkey' : 'Passkeys'}
              text="You sign in with your fingerprint, your face or the PIN of your device, or with a security key, and need no password. A fake sign-in page cannot steal a passkey."
            >
              <IconButton icon={Fingerprint} variant="filled" onClick={() => setNaming('new')}>
                Add a Passkey
              </IconButton>
            </FactorRow>
          )}
          <FactorRow
            title="Codes from an app"
            text={data.appSince ? `On since ${formatInstant(data.appSince)}` : 'Off'}
          >
            {hasApp ? (
              <Button variant="default" aria-label="Remove codes from an app" onClick={() => removal.ask('app')}>
                Remove
              </Button>
            ) : (
              <IconButton
                icon={Smartphone}
                variant="filled"
                loading={start.isPending}
                onClick={() => start.mutate({}, { onSuccess: setAppKey, onError: showFailure })}
              >
                Set Up
              </IconButton>
            )}
          </FactorRow>
          {factorCount > 0 && (
            <FactorRow
              title="Recovery codes"
              text={`${data.recoveryCodes} of 10 left. With your password and one of them you can sign in without your phone.`}
            >
              <IconButton
                icon={KeyRound}
                loading={renew.isPending}
                onClick={() =>
                  renew.mutate(
                    {},
                    { onSuccess: ({ recoveryCodes }) => setRecoveryCodes(recoveryCodes), onError: showFailure },
                  )
                }
              >
                New Recovery Codes
              </IconButton>
            </FactorRow>
          )}
          {getProviderName() && (
            <FactorRow
              title={`${getProviderName()} account`}
              text={
                data.isLinked
                  ? 'Linked. You sign in with it.'
                  : 'Not linked. Once it is, you sign in with it instead of your password.'
              }
            >
              {!data.isLinked && (
                <ProviderButton
                  label={`Link Your ${getProviderName()} Account`}
                  onPress={() => goToProvider('link', { from: '/second-factors', access: 'signedIn' })}
                />
              )}
            </FactorRow>
          )}
        </ul>
      )}
      {appKey && (
        <SetUpAppDialog
          appKey={appKey}
          onClose={() => setAppKey(undefined)}
          onChecked={(codes) => {
            setAppKey(undefined);
            showAdded(codes, 'You can now sign in with a code from your app');
          }}
        />
      )}
      {naming && (
        <PasskeyNameDialog
          passkey={naming === 'new' ? undefined : naming}
          device={sessions.data?.find(({ isThis }) => isThis)?.device ?? ''}
          onClose={() => setNaming(undefined)}
          onSaved={(codes) => {
            setNaming(undefined);
            if (naming === 'new') showAdded(codes, 'You can now sign in with the new passkey');
            else toast.showSuccess('The passkey is renamed');
            void query.refetch();
          }}
        />
      )}
      {recoveryCodes && (
        <RecoveryCodesDialog
          codes={recoveryCodes}
          isFirst={factorCount === 0}
          onClose={() => setRecoveryCodes(undefined)}
          onDone={(usedUp) => {
            setRecoveryCodes(undefined);
            setOfferingSignOut(factorCount === 0);
            toast.showSuccess(
              `${factorCount > 0 ? 'You have new recovery codes' : 'Two-factor sign-in is on'}. ${usedUp}`,
            );
          }}
        />
      )}
      {removal.dialog}
      {isOfferingSignOut && isSignedInElsewhere && (
        <EndSessionsDialog
          session={undefined}
          onClose={() => setOfferingSignOut(false)}
          onDone={() => {
            setOfferingSignOut(false);
            toast.showSuccess('All other devices are signed out');
          }}
        />
      )}
      <Toast feedback={toast} />
    </>
  );
}

const describePasskey = ({ created_at, last_used_at, isUsable, isSynced }: Passkey) =>
  [
    `Passkey, added ${formatInstant(created_at)}`,
    last_used_at ? `last used ${formatInstant(last_used_at)}` : 'never used',
    isUsable ? isSynced && 'copied to your other devices' : 'does not work at this address',
  ]
    .filter(Boolean)
    .join(', ');

const FactorRow = ({ title, text, children }: { title: string; text: string; children: ReactNode }) => (
  <RecordRow title={title} details={[text]}>
    <div className={rows.actions}>{children}</div>
  </RecordRow>
);
