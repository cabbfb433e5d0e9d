// One's own second factors: codes from an app, and recovery codes.
import { Button, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { KeyRound, Smartphone } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { api } from '#shared/api.ts';
import { formatInstant } from '#shared/dates.ts';
import type { AppKey } from '#shared/second-factors.ts';
import { mutationFor, queryFor } from '../client/api.ts';
import { readError } from '../client/errors.ts';
import { ConfirmDialog } from '../ui/dialogs/ConfirmDialog.tsx';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { Toast } from '../ui/feedback/Toast.tsx';
import { useToast } from '../ui/feedback/useFeedback.ts';
import { Loading } from '../ui/loading/Loading.tsx';
import { PageHeading } from '../ui/navigation/PageHeading.tsx';
import rows from '../ui/theme/rows.module.css';
import { EndSessionsDialog } from './EndSessionsDialog.tsx';
import { RecoveryCodesDialog } from './RecoveryCodesDialog.tsx';
import { SetUpAppDialog } from './SetUpAppDialog.tsx';

/** Users who do not confirm that it is them need not be told that they have not. */
const isConfirmationMissing = (error: unknown) => readError(error).code === 'CONFIRMATION_NEEDED';

export function SecondFactorsPage() {
  const { data, isPending, isError, refetch } = useQuery(queryFor(api.getSecondFactors));
  const [appKey, setAppKey] = useState<AppKey>();
  const [recoveryCodes, setRecoveryCodes] = useState<string[]>();
  const [isRemoving, setRemoving] = useState(false);
  const [isOfferingSignOut, setOfferingSignOut] = useState(false);
  const sessions = useQuery(queryFor(api.listSessions));
  const isElsewhere = sessions.data?.some(({ isThis }) => !isThis);
  const toast = useToast();
  const start = useMutation(mutationFor(api.startAppSetUp));
  const renew = useMutation(mutationFor(api.createRecoveryCodes));
  const remove = useMutation(mutationFor(api.removeApp));
  const hasApp = Boolean(data?.appSince);

  const showFailure = (error: Error) => {
    if (!isConfirmationMissing(error)) toast.showError(error.message || 'This did not work. Please try again.');
  };
  return (
    <>
      <PageHeading
        title="Two-Factor Sign-In"
        text="A password can be stolen. If you also need a code from your phone, nobody can sign in as you with the password alone."
      />
      {isPending && <Loading shape="rows" />}
      {isError && !data && <ErrorBox message="This could not be loaded." onRetry={() => refetch()} />}
      {data && (
        <ul className={rows.list}>
          <FactorRow
            title="Codes from an app"
            text={data.appSince ? `On since ${formatInstant(data.appSince)}` : 'Off'}
          >
            {hasApp ? (
              <Button variant="default" onClick={() => setRemoving(true)}>
                Remove
              </Button>
            ) : (
              <Button
                leftSection={<Smartphone aria-hidden size={18} />}
                loading={start.isPending}
                onClick={() => start.mutate({}, { onSuccess: setAppKey, onError: showFailure })}
              >
                Set Up
              </Button>
            )}
          </FactorRow>
          {hasApp && (
            <FactorRow
              title="Recovery codes"
              text={`${data.recoveryCodes} of 10 left. With one of them you can sign in without your phone.`}
            >
              <Button
                variant="default"
                leftSection={<KeyRound aria-hidden size={18} />}
                loading={renew.isPending}
                onClick={() =>
                  renew.mutate(
                    {},
                    { onSuccess: ({ recoveryCodes }) => setRecoveryCodes(recoveryCodes), onError: showFailure },
                  )
                }
              >
                New Recovery Codes
              </Button>
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
            setRecoveryCodes(codes);
          }}
        />
      )}
      {recoveryCodes && (
        <RecoveryCodesDialog
          codes={recoveryCodes}
          onClose={() => setRecoveryCodes(undefined)}
          onDone={() => {
            setRecoveryCodes(undefined);
            setOfferingSignOut(!hasApp);
            toast.showSuccess(hasApp ? 'You have new recovery codes' : 'You now sign in with your password and a code');
          }}
        />
      )}
      <ConfirmDialog
        isOpen={isRemoving}
        title="Remove codes from the app?"
        confirm="Remove"
        isDangerous
        isBusy={remove.isPending}
        error={
          remove.error && !isConfirmationMissing(remove.error)
            ? remove.error.message || 'This could not be removed. Please try again.'
            : ''
        }
        onConfirm={() =>
          remove.mutate(
            {},
            {
              onSuccess: () => {
                setRemoving(false);
                setOfferingSignOut(true);
              },
            },
          )
        }
        onCancel={() => setRemoving(false)}
      >
        You then sign in with your password alone. Your recovery codes no longer work.
      </ConfirmDialog>
      {isOfferingSignOut && isElsewhere && (
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

function FactorRow({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <li className={rows.row}>
      <div className={rows.text}>
        <Text fw={600}>{title}</Text>
        <Text size="sm" c="dimmed">
          {text}
        </Text>
      </div>
      {children}
    </li>
  );
}
