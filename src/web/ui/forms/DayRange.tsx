import { parseDay } from '#shared/dates.ts';
import { DateField } from './DateField.tsx';
import { useSyncedText } from './useSyncedText.ts';

type Days = { from: string; to: string };
type DayRangeProps = Days & { onChange: (change: Partial<Days>) => void };

/** From and To, both inclusive; '' for none. */
export const DayRange = ({ from, to, onChange }: DayRangeProps) => (
  <>
    <Day label="From" value={from} onChange={(from) => onChange({ from })} />
    <Day label="To" value={to} onChange={(to) => onChange({ to })} />
  </>
);

function Day({ label, value, onChange }: { label: string; value: string; onChange: (day: string) => void }) {
  const { text, setText, setPassedOn } = useSyncedText(value);
  return (
    <DateField
      label={label}
      value={text}
      onChange={(typed) => {
        setText(typed);
        // The list does not change until the date is complete.
        if (typed !== '' && !parseDay(typed)) return;
        setPassedOn(typed);
        onChange(typed);
      }}
    />
  );
}
