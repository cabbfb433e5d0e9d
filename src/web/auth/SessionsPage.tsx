// Where the user is signed in, and how to sign out elsewhere.
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { LogOut } from 'lucide-react';
import { useState } from 'react';
import { api } from '#shared/api.ts';
import { formatInstant } from '#shared/dates.ts';
import type { Session } from '#shared/users.ts';
import { queryFor } from '../client/api.ts';
import { Toast } from '../ui/feedback/Toast.tsx';
import { useToast } from '../ui/feedback/useFeedback.ts';
import { IconButton } from '../ui/forms/IconButton.tsx';
import { PageHeading } from '../ui/navigation/PageHeading.tsx';
import { RecordList } from '../ui/navigation/RecordList.tsx';
import { RecordRow } from '../ui/navigation/RecordRow.tsx';
import { EndSessionsDialog } from './EndSessionsDialog.tsx';

export function SessionsPage() {
  const sessions = useQuery(queryFor(api.listSessions));
  /** The session to end; `all` for all others. */
  const [ending, setEnding] = useState<Session | 'all'>();
  const toast = useToast();
  const isSignedInElsewhere = sessions.data?.some(({ isThis }) => !isThis);
  return (
    <>
      <PageHeading title="Where You Are Signed In" text="Sign out on a device that you no longer use or do not know.">
        {isSignedInElsewhere && (
          <IconButton icon={LogOut} onClick={() => setEnding('all')}>
            Sign Out All Others
          </IconButton>
        )}
      </PageHeading>
      <RecordList
        query={sessions}
        failed="Your devices could not be loaded."
        isNotStored
        row={(session) => (
          <RecordRow
            title={`${session.device || 'Unknown device'}${session.isThis ? ' (this device)' : ''}`}
            details={[
              `Signed in ${formatInstant(session.signedInAt)} with ${session.method}`,
              `last used ${formatInstant(session.lastUsedAt)}`,
            ]}
          >
            {!session.isThis && (
              <Button
                variant="default"
                aria-label={`Sign Out: ${session.device || 'unknown device'}, signed in ${formatInstant(session.signedInAt)}`}
                onClick={() => setEnding(session)}
              >
                Sign Out
              </Button>
            )}
          </RecordRow>
        )}
      />
      {ending && (
        <EndSessionsDialog
          session={ending === 'all' ? undefined : ending}
          onClose={() => setEnding(undefined)}
          onDone={() => {
            toast.showSuccess(ending === 'all' ? 'All other devices are signed out' : 'The device is signed out');
            setEnding(undefined);
            void sessions.refetch();
          }}
        />
      )}
      <Toast feedback={toast} />
    </>
  );
}
