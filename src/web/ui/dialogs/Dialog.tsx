import { CloseButton } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import styles from './Dialog.module.css';
import { Modal } from './Modal.tsx';
import { useCloseOnBack } from './useCloseOnBack.ts';

/** What useConfirmDiscard returns. */
export type Discard = {
  /** Closes the dialog: for its Cancel button. Asks first if there is unsaved input. */
  close: () => void;
  /** Does `then` instead of closing. Asks first if there is unsaved input. */
  leave: (then: () => void) => void;
  isAsking: boolean;
  question: ReactNode;
};

type DialogProps = {
  opened: boolean;
  title: ReactNode;
  size?: 'md' | 'lg' | 'xl' | 'wide';
  isFullScreen?: boolean | undefined;
  /** Whether its open state is in the URL. */
  isInUrl?: boolean;
  /** Whether its whole content is read out when it opens: only for a short question. */
  isQuestion?: boolean;
  /** Makes the page behind unreadable, and covers other dialogs. */
  isPrivate?: boolean;
  withCloseButton?: boolean;
  closeLabel?: string;
  /** Buttons beside the one that closes it. */
  headerButtons?: ReactNode;
  /** Whether Escape and Back close it. */
  closeOnEscape?: boolean;
  closeOnClickOutside?: boolean;
  classNames?: { layer?: string | undefined; dialog?: string | undefined; body?: string | undefined };
  children: ReactNode;
} & (
  | { onClose: () => void; discard?: undefined }
  /** Required for a dialog with a form: asks the user before unsaved input is lost. */
  | { discard: Discard; onClose?: undefined }
);

/** A modal dialog with a title. Back closes it like Escape. */
export function Dialog({
  opened,
  title,
  size = 'md',
  isFullScreen = false,
  isInUrl = false,
  isQuestion = false,
  isPrivate = false,
  withCloseButton = true,
  closeLabel = 'Close',
  headerButtons,
  closeOnEscape = true,
  closeOnClickOutside = true,
  classNames = {},
  onClose,
  discard,
  children,
}: DialogProps) {
  const id = useId();
  const close = discard ? discard.close : onClose;
  // While the question is open, Escape closes only the question.
  useCloseOnBack(opened, () => closeOnEscape && !discard?.isAsking && close(), { isInUrl });

  if (!opened) return null;
  return (
    <Modal
      labelledBy={`${id}-title`}
      describedBy={isQuestion ? `${id}-body` : undefined}
      className={classNames.dialog}
      layerClassName={classNames.layer}
      size={isFullScreen ? 'full' : size}
      isPrivate={isPrivate}
      onClickOutside={closeOnClickOutside ? close : undefined}
    >
      {/* A <header> would be a second banner landmark. */}
      <div className={styles.header}>
        <h2 id={`${id}-title`} className={styles.title}>
          {title}
        </h2>
        {headerButtons}
        {withCloseButton && <CloseButton size={44} iconSize={22} aria-label={closeLabel} onClick={close} />}
      </div>
      <div id={`${id}-body`} className={`${styles.body} ${classNames.body ?? ''}`}>
        {children}
      </div>
      {discard?.question}
    </Modal>
  );
}
