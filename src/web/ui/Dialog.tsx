import { Modal, type ModalProps } from '@mantine/core';
import { useEffect, useState } from 'react';

/** Mantine's Modal, made when it is first opened: closed, it takes a phone as long to draw as a small form. */
export function Dialog({ opened, ...props }: ModalProps) {
  const [isMade, setMade] = useState(opened);
  const [isOpen, setOpen] = useState(opened);
  if (opened && !isMade) setMade(true);

  // It is there closed before it opens: that is when it notes where the focus goes back to.
  useEffect(() => setOpen(opened), [opened]);

  return isMade && <Modal opened={isOpen} {...props} />;
}
