import { Button, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type ReactNode, useEffect, useRef } from 'react';
import { canSendInBackground } from './canSendInBackground.ts';
import type { OutboxItem, Receipt } from './items.ts';
import { RejectedPhotos } from './RejectedPhotos.tsx';
import { describeReceived } from './receiptText.ts';
import styles from './SubmissionOutcome.module.css';

type Submitted = {
  /** Of what the server has received. */
  receipt?: Receipt | undefined;
  /** What waits on this device. */
  item?: OutboxItem | undefined;
};

type SubmissionReceiptProps = Submitted & {
  label: string;
  /** The text of the button that shows the form again; without it there is none. */
  another?: string | undefined;
  onNext: () => void;
  /** What happens next. */
  children?: ReactNode;
};

/** The end of a form: its number to quote on the telephone, what happens next, and whether anything is left to do. */
export function SubmissionReceipt({ label, another, onNext, children, ...submitted }: SubmissionReceiptProps) {
  const section = useRef<HTMLElement>(null);
  const { receipt } = submitted;

  // The button that had the focus is gone.
  useEffect(() => {
    if (document.activeElement === document.body) section.current?.focus({ preventScroll: true });
  }, []);

  return (
    <section ref={section} tabIndex={-1} aria-label={label} className={styles.receipt}>
      {receipt && (
        <>
          {receipt.number && <p className={styles.number}>{receipt.number}</p>}
          <Text>{describeReceived(receipt)}</Text>
          <RejectedPhotos receipt={receipt} />
        </>
      )}
      {children}
      <PutAwayNote {...submitted} />
      {another && (
        <Button size="lg" className={styles.another} onClick={onNext}>
          {another}
        </Button>
      )}
    </section>
  );
}

/** Whether the phone can be put away. `isLast`: nothing else is to be filled in. */
export function PutAwayNote({ receipt, item, isLast = true }: Submitted & { isLast?: boolean }) {
  const isWide = useMediaQuery('(min-width: 48em)', undefined, { getInitialValueInEffect: false });
  const hasMoreToDo = receipt ? receipt.rejected.length > 0 : !canSendInBackground(item);
  if (!hasMoreToDo) return isLast && <Text>You can put the {isWide ? 'device' : 'phone'} away.</Text>;
  return item ? <Text>Open this app again when you have a signal.</Text> : null;
}
