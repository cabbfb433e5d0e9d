// The details of one list item, with its actions always visible.
import { Button } from '@mantine/core';
import type { ComponentProps, ReactNode } from 'react';
import styles from './DetailsDialog.module.css';
import { Dialog } from './Dialog.tsx';

/** Content first, then DetailsActions. Which item is open is in the URL. */
export const DetailsDialog = (props: ComponentProps<typeof Dialog>) => (
  <Dialog
    size="xl"
    isInUrl
    // The button below is labelled "Close".
    closeLabel="Dismiss"
    classNames={{ dialog: styles.dialog, body: styles.body }}
    {...props}
  />
);

export const DetailsActions = ({ children, onClose }: { children: ReactNode; onClose: () => void }) => (
  <div className={styles.actions}>
    {children}
    <Button variant="default" onClick={onClose} className={styles.close} data-autofocus>
      Close
    </Button>
  </div>
);
