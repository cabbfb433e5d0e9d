import { TextInput } from '@mantine/core';
import { readDay } from '../../shared/dates.ts';

type Days = { from: string; to: string };
type DayRangeProps = Days & { onChange: (change: Partial<Days>) => void };

/** From and To, both inclusive; a day that is none is given as ''. The fields keep what is typed, a day or not. */
export function DayRange({ from, to, onChange }: DayRangeProps) {
  return (
    <>
      <TextInput
        label="From"
        type="date"
        defaultValue={from}
        onChange={(event) => onChange({ from: readDay(event.currentTarget.value) ?? '' })}
      />
      <TextInput
        label="To"
        type="date"
        defaultValue={to}
        onChange={(event) => onChange({ to: readDay(event.currentTarget.value) ?? '' })}
      />
    </>
  );
}
