import { CloseButton, TextInput } from '@mantine/core';
import { Search } from 'lucide-react';
import { useEffect, useEffectEvent } from 'react';
import { useSyncedText } from './useSyncedText.ts';

type SearchBoxProps = {
  label: string;
  placeholder?: string;
  /** What is searched for, where the address says it: the box follows when it changes there. */
  value?: string;
  /** Called with what was typed, once the typing pauses; at once when it is cleared. */
  onSearch: (text: string) => void;
};

const pauseMs = 250;

export function SearchBox({ label, placeholder = label, value = '', onSearch }: SearchBoxProps) {
  const { text, setText, reported, setReported } = useSyncedText(value);
  const report = useEffectEvent((text: string) => {
    setReported(text);
    onSearch(text);
  });

  // Waits for the typing to pause, so that a word is one question to the server.
  useEffect(() => {
    if (text === reported) return;
    const timer = setTimeout(report, text === '' ? 0 : pauseMs, text);
    return () => clearTimeout(timer);
  }, [text, reported]);

  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={placeholder}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      leftSection={<Search aria-hidden size={18} />}
      rightSection={text && <CloseButton aria-label="Clear the search" onClick={() => setText('')} />}
      rightSectionWidth={44}
      autoComplete="off"
      // The server refuses more.
      maxLength={200}
    />
  );
}
