// A message at the bottom that disappears after a while, stays while hovered or focused, and
// remains in a log for screen readers.
import { CloseButton } from '@mantine/core';
import { CircleAlert, CircleCheck } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { OutsideRoot } from './OutsideRoot.tsx';
import styles from './Toast.module.css';
import type { useFeedback } from './useFeedback.ts';

export function Toast({ feedback }: { feedback: ReturnType<typeof useFeedback> }) {
  const { shown, messages, ms } = feedback;
  const [isHeld, setHeld] = useState(false);
  const hide = useEffectEvent(() => {
    setHeld(false);
    feedback.hide();
  });

  useEffect(() => {
    if (!shown || isHeld) return;
    const timer = setTimeout(hide, ms);
    return () => clearTimeout(timer);
  }, [shown, isHeld, ms]);

  const earlierMessages = messages.filter((text) => text !== shown?.text);
  const isError = shown?.kind === 'error';
  const Icon = isError ? CircleAlert : CircleCheck;
  const content = shown && (
    <div className={styles.toast} data-kind={shown.kind}>
      <Icon aria-hidden />
      <span>{shown.text}</span>
      <CloseButton aria-label="Close the message" onClick={feedback.hide} />
    </div>
  );
  return (
    <OutsideRoot>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: not a control; hovering only stops the timer */}
      <div
        // A mouse that was already at this position does not count as hovering.
        onPointerMove={() => setHeld(true)}
        onPointerLeave={() => setHeld(false)}
        onFocus={() => setHeld(true)}
        onBlur={() => setHeld(false)}
      >
        {/** Both stay mounted: screen readers only announce changes in regions they know. */}
        <div role="status">{isError ? null : content}</div>
        <div role="alert">{isError ? content : null}</div>
      </div>
      {earlierMessages.length > 0 && (
        <div role="log" aria-live="off" aria-label="Earlier messages" className={styles.log}>
          {earlierMessages.map((text) => (
            <p key={text}>{text}</p>
          ))}
        </div>
      )}
    </OutsideRoot>
  );
}
