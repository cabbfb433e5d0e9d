import { Text } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { StatusLine } from '../ui/feedback/StatusLine.tsx';
import styles from './SubmissionOutcome.module.css';
import type { useOutboxForm } from './useOutboxForm.ts';

type SubmissionOutcomeProps = {
  form: Pick<ReturnType<typeof useOutboxForm>, 'isEarlier' | 'isTyped' | 'isSubmitted' | 'outcome' | 'status'>;
  /** Shows errors in the colour of a success too. */
  hasOneColour?: boolean;
  /** Details below the state. */
  children?: ReactNode;
};

/** The state of an earlier submission, shown above the fields. With a draft, it says that the draft is another one. */
export function EarlierOutcome({
  form: { isEarlier, isTyped, isSubmitted, outcome },
  label,
  hasOneColour,
  children,
}: SubmissionOutcomeProps & { label: string }) {
  const section = useRef<HTMLElement>(null);
  const wasShownAtFirst = useRef(isEarlier);
  /** Whether the form was opened with input that is not what was submitted. */
  const [hadDraft] = useState(isTyped && !isSubmitted);
  useEffect(() => {
    // A page restored by Back may have scrolled down before.
    if (wasShownAtFirst.current) section.current?.focus();
  }, []);
  return (
    <section ref={section} tabIndex={-1} aria-label={label} className={styles.earlier} hidden={!isEarlier}>
      {isEarlier && hadDraft && isTyped && outcome?.kind === 'success' && (
        <Text>What is in the form below has not been submitted yet. This is about the one before it:</Text>
      )}
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
