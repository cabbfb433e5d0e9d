// A message that goes after a while, waits while it is pointed at or focused, and stays in a log for screen readers.
import { CloseButton } from '@mantine/core';
import { CircleAlert, CircleCheck } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import styles from './FeedbackMessage.module.css';
import type { useFeedback } from './useFeedback.ts';

type FeedbackMessageProps = { feedback: ReturnType<typeof useFeedback>; className?: string; isClosable?: boolean };

export function FeedbackMessage({ feedback, className = styles.message, isClosable = false }: FeedbackMessageProps) {
  const { shown, said, ms } = feedback;
  const [isHeld, setHeld] = useState(false);
  const hide = useEffectEvent(() => {
    setHeld(false);
    feedback.hide();
  });

  // Time is outside of React.
  useEffect(() => {
    if (!shown || isHeld) return;
    const timer = setTimeout(hide, ms);
    return () => clearTimeout(timer);
  }, [shown, isHeld, ms]);

  const earlier = said.filter((text) => text !== shown?.text);
  const Icon = shown?.kind === 'error' ? CircleAlert : CircleCheck;
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: not to be operated; pointing at it only stops the clock */}
      <div
        role={shown?.kind === 'error' ? 'alert' : 'status'}
        // A mouse that lay where the message appears points at nothing.
        onPointerMove={() => setHeld(true)}
        onPointerLeave={() => setHeld(false)}
        onFocus={() => setHeld(true)}
        onBlur={() => setHeld(false)}
      >
        {shown && (
          <div className={className} data-kind={shown.kind}>
            <Icon aria-hidden className={styles.icon} />
            <span>{shown.text}</span>
            {isClosable && <CloseButton aria-label="Close the message" onClick={feedback.hide} />}
          </div>
        )}
      </div>
      {earlier.length > 0 && (
        <div role="log" aria-live="off" aria-label="Earlier messages" className={styles.log}>
          {earlier.map((text) => (
            <p key={text}>{text}</p>
          ))}
        </div>
      )}
    </>
  );
}

/** The same at the foot of the window. */
export function Toast({ feedback }: { feedback: ReturnType<typeof useFeedback> }) {
  return <FeedbackMessage feedback={feedback} className={styles.toast} isClosable />;
}
