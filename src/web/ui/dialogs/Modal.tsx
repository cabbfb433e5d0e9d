// Covers the page while it is open. Mantine's Modal weighs nine times as much (decision 21).
import { useFocusTrap } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { createPortal } from 'react-dom';
import styles from './Modal.module.css';

type ModalProps = {
  labelledBy: string;
  describedBy?: string;
  /** The classes of the dialog, and of all that covers the page. */
  className?: string | undefined;
  layerClassName?: string | undefined;
  size?: 'md' | 'lg' | 'xl' | 'wide' | 'full';
  /** Stays mounted, but is not shown. */
  isHidden?: boolean;
  /** Makes the page behind unreadable, and covers other dialogs. */
  isPrivate?: boolean;
  onClickOutside?: (() => void) | undefined;
  children: ReactNode;
};

/** Keeps the focus inside; it starts at `data-autofocus`, otherwise at the first control. */
export function Modal({
  labelledBy,
  describedBy,
  className = '',
  layerClassName = '',
  size = 'md',
  isHidden = false,
  isPrivate = false,
  onClickOutside,
  children,
}: ModalProps) {
  const trapFocus = useFocusTrap(!isHidden);
  return createPortal(
    <div
      className={`${styles.layer} ${layerClassName}`}
      hidden={isHidden}
      data-size={size}
      data-private={isPrivate || undefined}
    >
      {/* biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/noStaticElementInteractions: for the keyboard there are Escape and the buttons */}
      <div className={styles.backdrop} onClick={onClickOutside} />
      <section
        ref={trapFocus}
        role="dialog"
        aria-modal={!isHidden}
        aria-labelledby={labelledBy}
        aria-describedby={describedBy}
        tabIndex={-1}
        className={`${styles.modal} ${className}`}
      >
        {children}
      </section>
    </div>,
    document.body,
  );
}
