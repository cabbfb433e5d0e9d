import { useState } from 'react';

/**
 * The text of a field, and the value last passed to its parent. If `value` changes to anything
 * else, the text follows.
 */
export function useSyncedText(value: string) {
  const [text, setText] = useState(value);
  const [passedOn, setPassedOn] = useState(value);
  const [seen, setSeen] = useState(value);
  if (value !== seen) {
    setSeen(value);
    if (value !== passedOn) {
      setPassedOn(value);
      setText(value);
    }
  }
  return { text, setText, passedOn, setPassedOn };
}
