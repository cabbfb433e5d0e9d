// The user's packs, for an Admin of all parks all packs: the progress of each, and its download.
import { Button, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Download, PackageOpen, RotateCw } from 'lucide-react';
import { Link } from 'wouter';
import { api } from '#shared/api.ts';
import { formatInstant } from '#shared/dates.ts';
import { isInProgress, type Pack, packLimits } from '#shared/packs.ts';
import { pluralise } from '#shared/pluralise.ts';
import { mutationFor, queryFor } from '../client/api.ts';
import { useNames } from '../client/names.ts';
import { dangerous, useConfirmed } from '../client/useConfirmed.tsx';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { Name } from '../ui/feedback/Name.tsx';
import { DeleteButton } from '../ui/forms/DeleteButton.tsx';
import { BackButton } from '../ui/navigation/BackButton.tsx';
import { PageHeading } from '../ui/navigation/PageHeading.tsx';
import { RecordList } from '../ui/navigation/RecordList.tsx';
import rows from '../ui/theme/rows.module.css';
import styles from './packs.module.css';

const pollMs = 1500;

export function PacksPage() {
  const packs = useQuery({
    ...queryFor(api.listPacks),
    refetchInterval: ({ state }) => (state.data?.some(isInProgress) ? pollMs : false),
  });
  const deletion = useConfirmed<Pack>({
    ...dangerous(api.deletePack),
    title: ({ recipient }) => `Delete the pack for ${recipient}?`,
    text: 'The reports themselves are kept. Downloaded copies are not deleted.',
    failed: 'The pack could not be deleted. Please try again.',
    done: 'Pack deleted',
  });
  return (
    <>
      <PageHeading
        title="Packs"
        text={`Copies of reports for inspectors and insurers. Each is kept for ${packLimits.days} days.`}
        back={<BackButton to="/get-reports">Reports</BackButton>}
      />
      <RecordList
        query={packs}
        failed="The packs could not be loaded."
        isNotStored
        empty={{
          icon: PackageOpen,
          text: 'You have no packs.',
          hint: 'Filter the reports, then choose Make Pack.',
          children: (
            <Button component={Link} to="/get-reports">
              Reports
            </Button>
          ),
        }}
        row={(pack) => (
          <li>
            <PackCard pack={pack} onDelete={() => deletion.ask(pack)} />
          </li>
        )}
      />
      {deletion.dialog}
    </>
  );
}

function PackCard({ pack, onDelete }: { pack: Pack; onDelete: () => void }) {
  const { id, recipient, purpose, withoutNames, reports, state, created_at, created_by } = pack;
  const again = useMutation(mutationFor(api.makePackAgain));
  const showName = useNames();
  return (
    <article className={rows.row} aria-label={`Pack for ${recipient}`}>
      <div className={rows.text}>
        <Text fw={600}>
          For {recipient}
          {withoutNames && ', without names'}
        </Text>
        <Text size="sm" className={styles.purpose}>
          {purpose}
        </Text>
        <Text size="sm" c="dimmed">
          {pluralise(reports, 'report')}. Requested by <Name>{showName(created_by)}</Name>, {formatInstant(created_at)}
        </Text>
        <div role="status">
          <PackStatus pack={pack} />
        </div>
        <ErrorBox message={again.error ? 'The pack could not be made again.' : ''} reason={again.error?.message} />
      </div>
      <div className={rows.actions}>
        {state === 'ready' && (
          <Button
            component="a"
            href={`/api/packs/${id}/file`}
            download
            leftSection={<Download aria-hidden size={18} />}
            aria-label={`Download the pack for ${recipient}`}
          >
            Download
          </Button>
        )}
        {(state === 'failed' || state === 'expired') && (
          <Button
            variant="default"
            px="md"
            leftSection={<RotateCw aria-hidden size={18} />}
            loading={again.isPending}
            aria-label={`Make Again: the pack for ${recipient}`}
            onClick={() => again.mutate({ params: { id } })}
          >
            Make Again
          </Button>
        )}
        <DeleteButton label={`Delete the pack for ${recipient}`} onClick={onDelete} />
      </div>
    </article>
  );
}

function PackStatus({ pack: { state, done, total, problem, bytes, expires_at } }: { pack: Pack }) {
  if (state === 'waiting') return <Text size="sm">Waiting for other packs</Text>;
  if (state === 'making')
    return (
      <div className={styles.progress}>
        <progress value={done} max={total} aria-label="Progress" />
        <Text size="sm">
          Step {Math.min(done + 1, total)} of {total}. You can leave this page.
        </Text>
      </div>
    );
  if (state === 'ready')
    return (
      <Text size="sm" fw={600}>
        Ready, {formatBytes(bytes ?? 0)}. Kept until {formatInstant(expires_at ?? '')}
      </Text>
    );
  return (
    <Text size="sm" c={state === 'failed' ? 'var(--mantine-color-error)' : undefined} fw={600}>
      {state === 'failed' ? 'Failed' : 'Expired'}. {problem ?? 'Its file was deleted. Make it again if you need it.'}
    </Text>
  );
}

const megabyte = 1_000_000;
const formatBytes = (bytes: number) =>
  bytes < megabyte ? `${Math.max(1, Math.round(bytes / 1000))} KB` : `${(bytes / megabyte).toFixed(1)} MB`;
