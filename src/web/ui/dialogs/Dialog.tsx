import { Modal, type ModalProps } from '@mantine/core';
import { useEffect, useState } from 'react';
import { supportsCloseWatcher, useCloseOnBack } from './useCloseOnBack.ts';

type DialogProps = ModalProps & {
  /** Whether its open state is in the URL. */
  isInUrl?: boolean;
};

/**
 * Mantine's Modal, mounted when first opened. Back closes it like Escape; `closeOnEscape={false}`
 * blocks both.
 */
export function Dialog({ opened, closeOnEscape = true, isInUrl = false, ...props }: DialogProps) {
  const [isMade, setMade] = useState(opened);
  useCloseOnBack(opened, () => closeOnEscape && props.onClose(), { isInUrl });

  // Mount it closed for a moment unless it starts open: on opening, it records where to return the
  // focus.
  useEffect(() => {
    if (opened) setMade(true);
  }, [opened]);

  return (
    (opened || isMade) && (
      <Modal {...props} opened={opened && isMade} closeOnEscape={closeOnEscape && !supportsCloseWatcher} />
    )
  );
}
