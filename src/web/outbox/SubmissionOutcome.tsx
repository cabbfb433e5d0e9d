import { type ReactNode, useEffect, useRef } from 'react';
import { StatusLine } from '../ui/feedback/StatusLine.tsx';
import styles from './SubmissionOutcome.module.css';
import type { useOutboxForm } from './useOutboxForm.ts';

type SubmissionOutcomeProps = {
  form: Pick<ReturnType<typeof useOutboxForm>, 'isEarlier' | 'outcome' | 'status'>;
  /** Shows errors in the colour of a success too. */
  hasOneColour?: boolean;
  /** Details below the state. */
  children?: ReactNode;
};

/** The state of an earlier submission, shown above the fields. */
export function EarlierOutcome({
  form: { isEarlier, outcome },
  label,
  hasOneColour,
  children,
}: SubmissionOutcomeProps & { label: string }) {
  const section = useRef<HTMLElement>(null);
  const wasShownAtFirst = useRef(isEarlier);
  useEffect(() => {
    // A page restored by Back may have scrolled down before.
    if (wasShownAtFirst.current) section.current?.focus();
  }, []);
  return (
    <section ref={section} tabIndex={-1} aria-label={label} className={styles.earlier} hidden={!isEarlier}>
      <StatusLine hasOneColour={hasOneColour} status={isEarlier ? outcome : undefined} />
      {isEarlier && children}
    </section>
  );
}

/** The state of this form's submission, shown at its button. */
export const SubmissionOutcome = ({ form: { isEarlier, status }, hasOneColour, children }: SubmissionOutcomeProps) => (
  <>
    <StatusLine hasOneColour={hasOneColour} status={status} />
    {!isEarlier && children}
  </>
);
