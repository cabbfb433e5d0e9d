import { CircleAlert, Clock, Send } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import styles from './OutboxChip.module.css';
import type { OutboxState } from './outbox.ts';
import { getEvictionWarning } from './storageWarning.ts';
import { useOutbox } from './useSubmission.ts';

/** The number and state of waiting items, on every screen; hidden if there are none. */
export function OutboxChip() {
  const outbox = useOutbox();
  const status = getStatus(outbox);
  return (
    status && (
      <Link to="/outbox" className={styles.chip} data-alert={status.isAlert || undefined}>
        <status.icon aria-hidden size={16} />
        <span>
          <span className={styles.start}>{status.start} </span>
          <span className={styles.shortStatus}>{status.rest}</span>
        </span>
      </Link>
    )
  );
}

/** Returns the status in two parts: phones have room for `rest` only. */
function getStatus({ items, progress }: OutboxState) {
  const refusedCount = items.filter(({ state }) => state === 'refused').length;
  const sending = items.findIndex(({ id }) => progress[id]);
  if (sending >= 0) return { start: 'Sending', rest: `${sending + 1} of ${items.length}`, icon: Send };
  if (refusedCount > 0) return { start: 'Needs', rest: `attention: ${refusedCount}`, icon: CircleAlert, isAlert: true };
  return items.length > 0 ? { start: 'Waiting', rest: `to send: ${items.length}`, icon: Clock } : undefined;
}

/** A warning below the navigation bar if the browser may delete waiting items. */
export function OutboxWarning() {
  const { items } = useOutbox();
  const [warning, setWarning] = useState('');
  const isWaiting = items.length > 0;
  useEffect(() => {
    if (isWaiting) void getEvictionWarning().then(setWarning);
  }, [isWaiting]);
  return isWaiting && warning && <p className={styles.warning}>{warning}</p>;
}
