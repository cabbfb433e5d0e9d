// Where the user is signed in, and how to sign out elsewhere.
import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { LogOut } from 'lucide-react';
import { useState } from 'react';
import { api } from '#shared/api.ts';
import { formatInstant } from '#shared/dates.ts';
import type { Session } from '#shared/users.ts';
import { queryFor } from '../client/api.ts';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { Toast } from '../ui/feedback/Toast.tsx';
import { useToast } from '../ui/feedback/useFeedback.ts';
import { Loading } from '../ui/loading/Loading.tsx';
import { PageHeading } from '../ui/navigation/PageHeading.tsx';
import rows from '../ui/theme/rows.module.css';
import { EndSessionsDialog } from './EndSessionsDialog.tsx';

export function SessionsPage() {
  const { data, isPending, isError, refetch } = useQuery(queryFor(api.listSessions));
  /** The session to end; `all` for all others. */
  const [ending, setEnding] = useState<Session | 'all'>();
  const toast = useToast();
  const isSignedInElsewhere = data?.some(({ isThis }) => !isThis);
  return (
    <>
      <PageHeading title="Where You Are Signed In" text="Sign out on a device that you no longer use or do not know.">
        {isSignedInElsewhere && (
          <Button variant="default" leftSection={<LogOut aria-hidden size={18} />} onClick={() => setEnding('all')}>
            Sign Out All Others
          </Button>
        )}
      </PageHeading>
      {isPending && <Loading shape="rows" />}
      {isError && !data && (
        <ErrorBox isNotStored message="Your devices could not be loaded." onRetry={() => refetch()} />
      )}
      <ul className={rows.list}>
        {data?.map((session) => (
          <li key={session.id} className={rows.row}>
            <div className={rows.text}>
              <Text fw={600}>
                {session.device || 'Unknown device'}
                {session.isThis && ' (this device)'}
              </Text>
              <Text size="sm" c="dimmed">
                Signed in {formatInstant(session.signedInAt)} with {session.method}, last used{' '}
                {formatInstant(session.lastUsedAt)}
              </Text>
            </div>
            {!session.isThis && (
              <Button
                variant="default"
                aria-label={`Sign Out: ${session.device || 'unknown device'}, signed in ${formatInstant(session.signedInAt)}`}
                onClick={() => setEnding(session)}
              >
                Sign Out
              </Button>
            )}
          </li>
        ))}
      </ul>
      {ending && (
        <EndSessionsDialog
          session={ending === 'all' ? undefined : ending}
          onClose={() => setEnding(undefined)}
          onDone={() => {
            toast.showSuccess(ending === 'all' ? 'All other devices are signed out' : 'The device is signed out');
            setEnding(undefined);
            void refetch();
          }}
        />
      )}
      <Toast feedback={toast} />
    </>
  );
}
