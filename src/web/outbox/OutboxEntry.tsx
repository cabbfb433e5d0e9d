import { Button, Text } from '@mantine/core';
import { Download, PenLine, Send, Trash2 } from 'lucide-react';
import { useLocation } from 'wouter';
import { formatInstant } from '#shared/dates.ts';
import { Joined, Name } from '../ui/feedback/Name.tsx';
import { getErrorReason } from './getErrorReason.ts';
import type { OutboxItem } from './items.ts';
import { listCompletionDifferences } from './listDifferences.ts';
import { OtherFolderChoice } from './OtherFolderChoice.tsx';
import styles from './OutboxPage.module.css';
import { openForCorrection, sendNow } from './outbox.ts';
import { kindLabels } from './receiptText.ts';
import type { Progress } from './sendItem.ts';
import { useSaveCopy } from './useSaveCopy.ts';
import { useOutbox } from './useSubmission.ts';

/** A waiting item, and the actions on it. */
export function OutboxEntry({ item, onDelete }: { item: OutboxItem; onDelete: () => void }) {
  const { progress } = useOutbox();
  const [, navigate] = useLocation();
  const copy = useSaveCopy(item);
  const { id, kind, park, place, title, createdAt, state, error } = item;
  const versions = listCompletionDifferences(item);
  const isSending = progress[id] !== undefined;
  const isRefused = state === 'refused' && !isSending;
  /** Whether the form cannot be opened, because the new audit's folder or the audit to complete is gone. */
  const isTargetGone = isRefused && (kind === 'audit' || kind === 'completion') && error?.status === 404;
  const icon = { 'aria-hidden': true, size: 18 } as const;

  return (
    <li className={styles.entry} data-alert={isRefused || undefined}>
      <div>
        <Text fw={600}>
          <Joined parts={[kindLabels[kind], place && <Name>{place}</Name>, park && <Name>{park}</Name>]} />
        </Text>
        <Text>{title}</Text>
        <Text size="sm" c="dimmed">
          Submitted {formatInstant(new Date(createdAt).toISOString())}
        </Text>
      </div>
      <Text role="status" c={isRefused ? 'var(--mantine-color-error)' : undefined}>
        {formatState(item, progress[id])}
      </Text>
      {isRefused && error && Object.keys(error.fields).length > 0 && (
        <ul className={styles.fields}>
          {Object.entries(error.fields).map(([field, message]) => (
            <li key={field}>{message}</li>
          ))}
        </ul>
      )}
      {isRefused && versions.length > 0 && (
        <ul className={styles.fields}>
          {versions.map(({ label, mine, theirs }) => (
            <li key={label}>
              {label}: you entered “{mine || '–'}”, and it is “{theirs || '–'}” now
            </li>
          ))}
        </ul>
      )}
      {isTargetGone && kind === 'audit' && <OtherFolderChoice item={item} />}
      {copy.error && <Text c="var(--mantine-color-error)">{copy.error}</Text>}
      <div className="wrap tight">
        {!isSending && (
          <Button variant="default" leftSection={<Send {...icon} />} onClick={() => sendNow(id)}>
            Send Now
          </Button>
        )}
        {isRefused && !isTargetGone && (
          <Button
            leftSection={<PenLine {...icon} />}
            onClick={() => openForCorrection(item).then(() => navigate(item.address))}
          >
            Open and Correct
          </Button>
        )}
        <Button variant="default" leftSection={<Download {...icon} />} loading={copy.isSaving} onClick={copy.save}>
          Save a Copy
        </Button>
        {!isSending && (
          <Button variant="default" leftSection={<Trash2 {...icon} />} onClick={onDelete}>
            Delete
          </Button>
        )}
      </div>
    </li>
  );
}

function formatState({ state, error, username, nextAttemptAt }: OutboxItem, progress: Progress | undefined): string {
  if (progress)
    return progress.sent < progress.total ? `Sending photo ${progress.sent + 1} of ${progress.total}` : 'Sending';
  if (state === 'signIn') return `Waiting for ${username} to sign in`;
  if (state === 'refused') return `Needs attention: ${error ? getErrorReason(error) : 'it was rejected'}`;
  if (!error || error.status === 0) return 'Waiting for a connection';
  const at = formatInstant(new Date(nextAttemptAt).toISOString()).slice(-5);
  return `Not sent yet: ${getErrorReason(error)} It will be tried again at ${at}.`;
}
