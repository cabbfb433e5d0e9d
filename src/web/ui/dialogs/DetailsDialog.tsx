// The details of one list item, with its actions always visible.
import { Button, type ModalProps } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './DetailsDialog.module.css';
import { Dialog } from './Dialog.tsx';

/** Content first, then DetailsActions. Which item is open is in the URL. */
export const DetailsDialog = (props: ModalProps) => (
  <Dialog
    size={760}
    isInUrl
    // The button below is labelled "Close".
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
