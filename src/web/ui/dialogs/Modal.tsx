// Covers the page while it is open. Mantine's Modal weighs nine times as much (decision 21).
import { useFocusTrap } from '@mantine/hooks';
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import styles from './Modal.module.css';
import { openLayer } from './openLayer.ts';

type ModalProps = {
  labelledBy: string;
  describedBy?: string | undefined;
  /** The classes of the dialog, and of all that covers the page. */
  className?: string | undefined;
  layerClassName?: string | undefined;
  size?: 'md' | 'lg' | 'xl' | 'wide' | 'full';
  /** Makes the page behind unreadable, and covers other dialogs. */
  isPrivate?: boolean;
  onClickOutside?: (() => void) | undefined;
  children: ReactNode;
};

/**
 * Keeps the focus inside, from `data-autofocus` or the first control on, and returns it when it closes. What lies
 * below is inert.
 */
export function Modal({
  labelledBy,
  describedBy,
  className = '',
  layerClassName = '',
  size = 'md',
  isPrivate = false,
  onClickOutside,
  children,
}: ModalProps) {
  const layer = useRef<HTMLDivElement>(null);
  const trapFocus = useFocusTrap();

  // Ends before `FocusReturn` returns the focus, which the page below can take only when it is no longer inert.
  useLayoutEffect(() => openLayer(layer.current as HTMLDivElement, { isAbove: isPrivate }), [isPrivate]);

  return createPortal(
    <div
      ref={layer}
      className={`${styles.layer} ${layerClassName}`}
      data-size={size}
      data-private={isPrivate || undefined}
    >
      {/* biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/noStaticElementInteractions: for the keyboard there are Escape and the buttons */}
      <div className={styles.backdrop} onClick={onClickOutside} />
      <section
        ref={trapFocus}
        role="dialog"
        aria-modal
        aria-labelledby={labelledBy}
        aria-describedby={describedBy}
        tabIndex={-1}
        className={`${styles.modal} ${className}`}
      >
        {children}
        <FocusReturn />
      </section>
    </div>,
    document.body,
  );
}

/** Returns the focus on unmount, unless something else has it by then. */
function FocusReturn() {
  // Before the first control of the dialog gets the focus.
  const [opener] = useState(() => document.activeElement as HTMLElement | null);

  useEffect(
    () => () => {
      const { activeElement } = document;
      if (activeElement === document.body || activeElement?.closest('[role="dialog"]'))
        opener?.focus({ preventScroll: true });
    },
    [opener],
  );

  return null;
}
