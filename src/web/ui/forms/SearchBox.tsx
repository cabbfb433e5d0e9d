import { CloseButton, TextInput } from '@mantine/core';
import { Search } from 'lucide-react';
import { textLimits } from '#shared/choices.ts';
import { usePausedText } from './useSyncedText.ts';

type SearchBoxProps = {
  label: string;
  placeholder?: string;
  /** The search from the URL; the box follows when it changes. */
  value?: string;
  /** Called when typing pauses; at once when cleared. */
  onSearch: (text: string) => void;
};

export function SearchBox({ label, placeholder = label, value = '', onSearch }: SearchBoxProps) {
  const [text, setText] = usePausedText(value, onSearch);

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
      // The server rejects more.
      maxLength={textLimits.line}
    />
  );
}
