// The status below a form. Icon and role distinguish errors from success.
import { CircleAlert, CircleCheck, LoaderCircle } from 'lucide-react';
import styles from './StatusLine.module.css';

export type Status = {
  kind: 'progress' | 'success' | 'error';
  text: string;
  /** A second text, as visible as the first. */
  alsoText?: string;
  /** Additional text on its own line. */
  hint?: string;
  /** Text for someone who helps the user, shown when asked for. */
  details?: string;
};

const icons = { progress: LoaderCircle, success: CircleCheck, error: CircleAlert };

/** The status of a form: what went wrong, or else what is done. */
export const toStatus = (problem: string | false | undefined, done?: string | false): Status | undefined => {
  const text = problem || done;
  return text ? { kind: problem ? 'error' : 'success', text } : undefined;
};

type StatusLineProps = {
  status: Status | undefined;
  /** Shows errors in the colour of a success too, as specified for the report forms. */
  hasOneColour?: boolean;
};

export function StatusLine({ status, hasOneColour = false }: StatusLineProps) {
  const Icon = status && icons[status.kind];
  const content = Icon && (
    <div className={styles.line} data-kind={status.kind} data-one-colour={hasOneColour || undefined}>
      <Icon aria-hidden className={styles.icon} />
      <p className={styles.text}>{status.text}</p>
      {status.alsoText && <p className={styles.text}>{status.alsoText}</p>}
      {status.hint && <p className={styles.hint}>{status.hint}</p>}
      {status.details && (
        <details className={styles.hint}>
          <summary>Details</summary>
          {status.details}
        </details>
      )}
    </div>
  );
  const isError = status?.kind === 'error';
  // Both regions stay mounted: screen readers only announce changes in regions they know.
  return (
    <>
      <div role="status">{isError ? null : content}</div>
      <div role="alert" className={styles.alert}>
        {isError ? content : null}
      </div>
    </>
  );
}
