import { useState } from 'react';

/** What is typed into a field that says to others what it means: `reported` is what it said last. Where `value` changes by itself, the field follows. */
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
