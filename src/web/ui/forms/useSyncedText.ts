import { useState } from 'react';

/**
 * The text of a field and its last reported value. If `value` changes from outside, the text
 * follows.
 */
export function useSyncedText(value: string) {
  const [text, setText] = useState(value);
  const [reported, setReported] = useState(value);
  const [seen, setSeen] = useState(value);
  if (value !== seen) {
    setSeen(value);
    if (value !== reported) {
      setReported(value);
      setText(value);
    }
  }
  return { text, setText, reported, setReported };
}
