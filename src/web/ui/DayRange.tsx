import { TextInput } from '@mantine/core';
import { readDay } from '#shared/dates.ts';
import { useTyped } from './useTyped.ts';

type Days = { from: string; to: string };
type DayRangeProps = Days & { onChange: (change: Partial<Days>) => void };

/** From and To, both inclusive; a day that is none is given as ''. */
export function DayRange({ from, to, onChange }: DayRangeProps) {
  return (
    <>
      <Day label="From" value={from} onChange={(from) => onChange({ from })} />
      <Day label="To" value={to} onChange={(to) => onChange({ to })} />
    </>
  );
}

function Day({ label, value, onChange }: { label: string; value: string; onChange: (day: string) => void }) {
  const { text, setText, setTold } = useTyped(value);
  return (
    <TextInput
      label={label}
      type="date"
      value={text}
      onChange={(event) => {
        const typed = event.currentTarget.value;
        const day = readDay(typed) ?? '';
        setText(typed);
        setTold(day);
        onChange(day);
      }}
    />
  );
}
