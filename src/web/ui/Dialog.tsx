import { Modal, type ModalProps } from '@mantine/core';
import { useEffect, useState } from 'react';

/** Mantine's Modal, made when it is first opened: a closed one costs the screen under it nothing. */
export function Dialog({ opened, ...props }: ModalProps) {
  const [isMade, setMade] = useState(opened);

  // Unless it begins open it is there closed for a moment: as it opens, it notes where the focus goes back to.
  useEffect(() => {
    if (opened) setMade(true);
  }, [opened]);

  return (opened || isMade) && <Modal {...props} opened={opened && isMade} />;
}
