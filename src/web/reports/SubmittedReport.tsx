import { Button, Text } from '@mantine/core';
import type { Receipt } from '../outbox/items.ts';
import { RejectedPhotos } from '../outbox/RejectedPhotos.tsx';
import { formatReceived } from '../outbox/receiptText.ts';
import styles from './ReportForm.module.css';

/**
 * A received report: its number to quote on the telephone, the received files, and the next steps.
 */
export function SubmittedReport({ receipt, onNext }: { receipt: Receipt; onNext: () => void }) {
  const { number } = receipt;
  return (
    <section aria-label="Submitted report" className={styles.submitted}>
      {number && <p className={styles.number}>{number}</p>}
      <Text>{number ? `${number} ${formatReceived(receipt)}.` : 'This report was already received.'}</Text>
      <RejectedPhotos receipt={receipt} />
      <Text>
        Your Health & Safety Manager can read it now. {receipt.rejected.length === 0 && nothingToDoText} Write the
        number down if someone may ask you about this report.
      </Text>
      <Button variant="default" onClick={onNext}>
        Report Another
      </Button>
    </section>
  );
}

const nothingToDoText = 'You do not need to do anything else.';
