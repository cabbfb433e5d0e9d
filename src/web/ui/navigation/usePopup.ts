import { useClickOutside } from '@mantine/hooks';
import { type FocusEvent, type KeyboardEvent, useId, useRef, useState } from 'react';

/**
 * The state of a popup, and the props of its container and button. Escape, a click outside and moving the
 * focus away close the popup.
 */
export function usePopup() {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const ref = useClickOutside<HTMLDivElement>(() => setOpen(false));
  const id = useId();

  const hide = () => setOpen(false);
  /** Moves the focus to the button first, so that a dialog opened next can return it. */
  const close = () => {
    button.current?.focus();
    hide();
  };
  return {
    isOpen,
    id,
    hide,
    close,
    container: {
      ref,
      onKeyDown: ({ key }: KeyboardEvent) => key === 'Escape' && isOpen && close(),
      onBlur({ currentTarget, relatedTarget }: FocusEvent) {
        if (relatedTarget && !currentTarget.contains(relatedTarget)) hide();
      },
    },
    button: {
      ref: button,
      'aria-expanded': isOpen,
      'aria-controls': isOpen ? id : undefined,
      onClick: () => setOpen(!isOpen),
    },
  };
}
