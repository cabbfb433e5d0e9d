import { TextInput } from '@mantine/core';
import { readDay } from '../../shared/dates.ts';

type Days = { from?: string; to?: string };

/** From and To, both inclusive; a day that is none is given as ''. */
export function DayRange({ onChange }: { onChange: (change: Days) => void }) {
  return (
    <>
      <TextInput
        label="From"
        type="date"
        onChange={(event) => onChange({ from: readDay(event.currentTarget.value) ?? '' })}
      />
      <TextInput
        label="To"
        type="date"
        onChange={(event) => onChange({ to: readDay(event.currentTarget.value) ?? '' })}
      />
    </>
  );
}
