import { Modal, type ModalProps } from '@mantine/core';
import { useEffect, useState } from 'react';
import { supportsCloseWatcher, useCloseOnBack } from './useCloseOnBack.ts';

type DialogProps = ModalProps & {
  /** That it is open is part of the address. */
  isInUrl?: boolean;
};

/**
 * Mantine's Modal, made when it is first opened: a closed one costs the screen under it nothing. Back closes it as Escape
 * does; one with `closeOnEscape={false}` lets neither through.
 */
export function Dialog({ opened, closeOnEscape = true, isInUrl = false, ...props }: DialogProps) {
  const [isMade, setMade] = useState(opened);
  useCloseOnBack(opened, () => closeOnEscape && props.onClose(), { isInUrl });

  // Unless it begins open it is there closed for a moment: as it opens, it notes where the focus goes back to.
  useEffect(() => {
    if (opened) setMade(true);
  }, [opened]);

  return (
    (opened || isMade) && (
      <Modal {...props} opened={opened && isMade} closeOnEscape={closeOnEscape && !supportsCloseWatcher} />
    )
  );
}
