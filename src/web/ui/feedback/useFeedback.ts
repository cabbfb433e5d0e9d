import { useState } from 'react';
import { limits } from '#shared/choices.ts';

type Feedback = { text: string; kind: 'success' | 'error' };

/**
 * A short message: `const saved = useFeedback()`, `saved.showSuccess('Progress Saved')`, `<Toast
 * feedback={saved} />`.
 */
export function useFeedback(ms: number = limits.feedbackMs) {
  const [shown, setShown] = useState<Feedback>();
  const [messages, setMessages] = useState<string[]>([]);
  const show = (feedback: Feedback) => {
    setShown(feedback);
    setMessages((texts) => [...texts.filter((text) => text !== feedback.text), feedback.text]);
  };
  return {
    ms,
    shown,
    /** All messages shown, for users who could not read them in time. */
    messages,
    showSuccess: (text: string) => show({ text, kind: 'success' }),
    showError: (text: string) => show({ text, kind: 'error' }),
    hide: () => setShown(undefined),
  };
}

/** Like useFeedback, shown a little longer. */
export const useToast = () => useFeedback(limits.toastMs);
