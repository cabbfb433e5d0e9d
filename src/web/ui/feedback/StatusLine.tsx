// The line under a form. One text colour whatever it says: the icon and the role tell an error from a success.
import { CircleAlert, CircleCheck, LoaderCircle } from 'lucide-react';
import styles from './StatusLine.module.css';

export type Status = {
  kind: 'progress' | 'success' | 'error';
  text: string;
  /** More about it, in a line of its own. */
  hint?: string;
};

const icons = { progress: LoaderCircle, success: CircleCheck, error: CircleAlert };

export function StatusLine({ status }: { status: Status | undefined }) {
  const Icon = status && icons[status.kind];
  const content = Icon && (
    <div className={styles.line} data-kind={status.kind}>
      <Icon aria-hidden className={styles.icon} />
      <p className={styles.text}>{status.text}</p>
      {status.hint && <p className={styles.hint}>{status.hint}</p>}
    </div>
  );
  const isError = status?.kind === 'error';
  // Both regions are always there: screen readers only announce what changes inside one they know.
  return (
    <>
      <div role="status">{isError ? null : content}</div>
      <div role="alert">{isError ? content : null}</div>
    </>
  );
}
