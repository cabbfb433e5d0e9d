import { useState } from 'react';

/** What is typed into a field that says to others what it means: `told` is what it said last. Where `value` changes by itself, the field follows. */
export function useTyped(value: string) {
  const [text, setText] = useState(value);
  const [told, setTold] = useState(value);
  const [seen, setSeen] = useState(value);
  if (value !== seen) {
    setSeen(value);
    if (value !== told) {
      setTold(value);
      setText(value);
    }
  }
  return { text, setText, told, setTold };
}
