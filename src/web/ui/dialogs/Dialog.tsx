import { Modal, type ModalProps } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { supportsCloseWatcher, useCloseOnBack } from './useCloseOnBack.ts';

/** From useConfirmDiscard. */
export type Discard = {
  /** Closes the dialog: for its Cancel button. Asks first if there is unsaved input. */
  close: () => void;
  /** The same with something else to do instead of closing. */
  leave: (then: () => void) => void;
  isAsking: boolean;
  question: ReactNode;
};

type DialogProps = Omit<ModalProps, 'onClose'> & {
  /** Whether its open state is in the URL. */
  isInUrl?: boolean;
} & (
    | { onClose: () => void; discard?: undefined }
    /** Required for a dialog with a form: asks the user before unsaved input is lost. */
    | { discard: Discard; onClose?: undefined }
  );

/**
 * Mantine's Modal, mounted when first opened. Back closes it like Escape; `closeOnEscape={false}`
 * blocks both.
 */
export function Dialog({
  opened,
  closeOnEscape = true,
  isInUrl = false,
  onClose,
  discard,
  children,
  ...props
}: DialogProps) {
  const [isMounted, setMounted] = useState(opened);
  const close = discard ? discard.close : onClose;
  // Escape is the question's own while it is open.
  const canDismiss = closeOnEscape && !discard?.isAsking;
  useCloseOnBack(opened, () => canDismiss && close(), { isInUrl });

  // Mount it closed for a moment unless it starts open: on opening, it records where to return the
  // focus.
  useEffect(() => {
    if (opened) setMounted(true);
  }, [opened]);

  return (
    (opened || isMounted) && (
      <Modal
        {...props}
        opened={opened && isMounted}
        onClose={close}
        closeOnEscape={canDismiss && !supportsCloseWatcher}
      >
        {children}
        {discard?.question}
      </Modal>
    )
  );
}
