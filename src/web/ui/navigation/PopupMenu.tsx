import { Box, Button } from '@mantine/core';
import { Ellipsis } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './PopupMenu.module.css';
import { usePopup } from './usePopup.ts';

type PopupMenuProps = {
  /** For screen readers, if "More" alone does not say what it belongs to. */
  label?: string;
  /** Full-width buttons; `andClose` wraps an action, so that it also closes the menu and returns the focus. */
  children: (andClose: (action: () => void) => () => void) => ReactNode;
};

/** Actions that are needed less often, behind one button. */
export function PopupMenu({ label, children }: PopupMenuProps) {
  const { isOpen, id, close, container, button } = usePopup();
  return (
    <Box {...container} pos="relative">
      <Button variant="default" aria-label={label} leftSection={<Ellipsis aria-hidden size={18} />} {...button}>
        More
      </Button>
      {isOpen && (
        <div id={id} className={styles.menu}>
          {children((action) => () => {
            close();
            action();
          })}
        </div>
      )}
    </Box>
  );
}
