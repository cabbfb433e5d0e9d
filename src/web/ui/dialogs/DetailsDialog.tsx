// One thing opened from a list, read from top to bottom, with what can be done about it always within reach.
import { Button, type ModalProps } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './DetailsDialog.module.css';
import { Dialog } from './Dialog.tsx';

/** What is read comes first in it, then its DetailsActions. Which one is open is part of the address. */
export const DetailsDialog = (props: ModalProps) => (
  <Dialog
    size={760}
    isInUrl
    // "Close" is the button below.
    closeButtonProps={{ 'aria-label': 'Dismiss' }}
    classNames={{ content: styles.content, body: styles.body }}
    {...props}
  />
);

export function DetailsActions({ children, onClose }: { children: ReactNode; onClose: () => void }) {
  return (
    <div className={styles.actions}>
      {children}
      <Button variant="default" onClick={onClose} className={styles.close} data-autofocus>
        Close
      </Button>
    </div>
  );
}
