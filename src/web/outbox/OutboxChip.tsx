import { CircleAlert, Clock, Send } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import styles from './OutboxChip.module.css';
import type { OutboxState } from './outbox.ts';
import { getEvictionWarning } from './storageWarning.ts';
import { useOutbox } from './useSubmission.ts';

/** What waits to be sent from this device, on every screen; nothing when nothing waits. */
export function OutboxChip() {
  const outbox = useOutbox();
  const status = getStatus(outbox);
  return (
    status && (
      <Link to="/outbox" className={styles.chip} data-alert={status.isAlert || undefined}>
        <status.icon aria-hidden size={16} />
        <span>
          <span className={styles.label}>{status.label} </span>
          {status.count}
        </span>
      </Link>
    )
  );
}

function getStatus({ items, progress }: OutboxState) {
  const refused = items.filter(({ state }) => state === 'refused').length;
  const sending = items.findIndex(({ id }) => progress[id]);
  if (sending >= 0) return { label: 'Sending', count: `${sending + 1} of ${items.length}`, icon: Send };
  if (refused > 0) return { label: 'Needs attention:', count: refused, icon: CircleAlert, isAlert: true };
  return items.length > 0 ? { label: 'Waiting to send:', count: items.length, icon: Clock } : undefined;
}

/** Below the bar, with what waits on a device that would not keep it. */
export function OutboxWarning() {
  const { items } = useOutbox();
  const [warning, setWarning] = useState('');
  const isWaiting = items.length > 0;
  useEffect(() => {
    if (isWaiting) void getEvictionWarning().then(setWarning);
  }, [isWaiting]);
  return isWaiting && warning && <p className={styles.warning}>{warning}</p>;
}
