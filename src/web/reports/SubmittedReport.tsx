import { Button, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import { canSendInBackground } from '../outbox/canSendInBackground.ts';
import type { OutboxItem, Receipt } from '../outbox/items.ts';
import { RejectedPhotos } from '../outbox/RejectedPhotos.tsx';
import { formatReceived } from '../outbox/receiptText.ts';
import styles from './ReportForm.module.css';

type SubmittedReportProps = {
  /** Of a report that the server has received. */
  receipt?: Receipt | undefined;
  /** A report that waits on this device. */
  item?: OutboxItem | undefined;
  onNext: () => void;
};

/** The end of a report: its number to quote on the telephone, and whether anything is left to do. */
export function SubmittedReport({ receipt, item, onNext }: SubmittedReportProps) {
  const section = useRef<HTMLElement>(null);
  const isWide = useMediaQuery('(min-width: 48em)', undefined, { getInitialValueInEffect: false });
  const hasMoreToDo = receipt ? receipt.rejected.length > 0 : !canSendInBackground(item);

  // The button that had the focus is gone.
  useEffect(() => {
    if (document.activeElement === document.body) section.current?.focus({ preventScroll: true });
  }, []);

  return (
    <section ref={section} tabIndex={-1} aria-label="Submitted report" className={styles.submitted}>
      {receipt && (
        <>
          {receipt.number && <p className={styles.number}>{receipt.number}</p>}
          <Text className={styles.sentence}>
            {receipt.number ? `${formatReceived(receipt)}.` : 'This report was already received.'}
          </Text>
          <RejectedPhotos receipt={receipt} />
        </>
      )}
      {!hasMoreToDo && <Text>You can put the {isWide ? 'device' : 'phone'} away.</Text>}
      {hasMoreToDo && item && <Text>Open this app again when you have a signal.</Text>}
      <Button size="lg" className={styles.submit} onClick={onNext}>
        Report Another
      </Button>
    </section>
  );
}
