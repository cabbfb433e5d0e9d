// A sign for the door: when a place was checked, and until when that is valid. Not visible on
// screen.
import { useEffect, useEffectEvent } from 'react';
import { createPortal } from 'react-dom';
import { formatLongDay, getToday } from '#shared/dates.ts';
import type { Readiness } from '#shared/schedules/schedules.ts';
import { getOperatorName } from '../operator.ts';
import styles from './schedules.module.css';
import { describeReadiness } from './text.ts';

/**
 * Opens the print dialog. The sign never says "Ready", because the state may change after printing.
 */
export function PrintableSign({ readiness, onPrinted }: { readiness: Readiness; onPrinted: () => void }) {
  const handlePrinted = useEffectEvent(onPrinted);
  useEffect(() => {
    window.addEventListener('afterprint', handlePrinted);
    window.print();
    return () => window.removeEventListener('afterprint', handlePrinted);
  }, []);

  return createPortal(
    <article className={styles.sign}>
      <p>
        {getOperatorName()}, {readiness.park}
      </p>
      <h1 translate="no">{readiness.place}</h1>
      <p className={styles.checked}>{describeReadiness(readiness)}</p>
      <p>{formatLongDay(getToday(new Date(readiness.checked_at ?? '')))}</p>
    </article>,
    document.body,
  );
}
