import { CloseButton, TextInput } from '@mantine/core';
import { Search } from 'lucide-react';
import { useEffect, useEffectEvent } from 'react';
import { useTyped } from './useTyped.ts';

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
  const { text, setText, told, setTold } = useTyped(value);
  const tell = useEffectEvent((text: string) => {
    setTold(text);
    onSearch(text);
  });

  // Waits for the typing to pause, so that a word is one question to the server.
  useEffect(() => {
    if (text === told) return;
    const timer = setTimeout(tell, text === '' ? 0 : pauseMs, text);
    return () => clearTimeout(timer);
  }, [text, told]);

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
