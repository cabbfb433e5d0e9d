import { useEffect, useEffectEvent, useState } from 'react';

const pauseMs = 250;

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

/**
 * A text that is passed on when typing pauses, to send one request per word; at once when cleared.
 */
export function usePausedText(value: string, onPause: (text: string) => void) {
  const { text, setText, passedOn, setPassedOn } = useSyncedText(value);
  const passOn = useEffectEvent((text: string) => {
    setPassedOn(text);
    onPause(text);
  });
  useEffect(() => {
    if (text === passedOn) return;
    const timer = setTimeout(passOn, text === '' ? 0 : pauseMs, text);
    return () => clearTimeout(timer);
  }, [text, passedOn]);
  return [text, setText] as const;
}
