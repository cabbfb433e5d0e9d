// The browser's own date and time fields. They report a half-typed value as an empty one; these report it as `incomplete`,
// which no schema accepts, so that it is never stored as nothing.
import { TextInput, type TextInputProps } from '@mantine/core';
import { type SyntheticEvent, useEffect, useRef, useState } from 'react';
import { getDayError, getTimeError } from '#shared/date-schemas.ts';
import { formatLongDay, incomplete, parseDay, parseTime } from '#shared/dates.ts';

type DateFieldProps = Omit<TextInputProps, 'type' | 'value' | 'onChange' | 'description' | 'ref'> & {
  /** What `onChange` was last called with, or a value to show. */
  value: string;
  /** Called with the value, with '' for none, or with `incomplete`. */
  onChange?: (text: string) => void;
};

/** A date; the chosen day stands below it in words, because browsers write dates in the order of their own language. */
export function DateField({ max = '9999-12-31', ...props }: DateFieldProps) {
  const day = parseDay(props.value);
  return (
    <PartedField
      {...props}
      type="date"
      max={max}
      spelledOut={day && formatLongDay(day)}
      getError={(text) => (parseDay(text) ? undefined : getDayError(text))}
    />
  );
}

/** A time; below it stands the 24-hour time where the browser shows another. */
export function TimeField(props: DateFieldProps) {
  const time = parseTime(props.value);
  return (
    <PartedField
      {...props}
      type="time"
      spelledOut={time && usesTwelveHours() ? `${time} (24-hour time)` : undefined}
      getError={(text) => (parseTime(text) ? undefined : getTimeError(text))}
    />
  );
}

type PartedFieldProps = DateFieldProps & {
  type: 'date' | 'time';
  spelledOut: string | undefined;
  getError: (text: string) => string | undefined;
};

function PartedField({ value, onChange, error, spelledOut, getError, onFocus, onBlur, ...props }: PartedFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const [isActive, setActive] = useState(false);

  // A form that is cleared clears what was half-typed, too: to React the field was empty all along.
  useEffect(() => {
    if (value === '' && input.current?.validity.badInput) input.current.value = '';
  }, [value]);

  const report = ({ currentTarget }: SyntheticEvent<HTMLInputElement>) => {
    const text = currentTarget.validity.badInput ? incomplete : currentTarget.value;
    if (text !== value) onChange?.(text);
  };

  // While it is being typed, every date is incomplete.
  const ownError = value !== '' && !isActive && !props.disabled ? getError(value) : undefined;
  return (
    <TextInput
      {...props}
      ref={input}
      value={value === incomplete ? '' : value}
      error={ownError ?? error}
      description={
        spelledOut ?? (value === '' && drawsTodayWhenEmpty && !props.disabled ? 'Not chosen yet' : undefined)
      }
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      onChange={report}
      // The first parts of an empty field change no value, and so make no change event.
      onKeyUp={report}
      onFocus={(event) => {
        setActive(true);
        onFocus?.(event);
      }}
      onBlur={(event) => {
        setActive(false);
        report(event);
        onBlur?.(event);
      }}
    />
  );
}

/** WebKit draws the present date and time, in pale, in a field without one. */
const drawsTodayWhenEmpty = navigator.vendor.startsWith('Apple');

let twelveHours: boolean | undefined;
/** Found out when first needed: reading the browser's language rules takes time. */
function usesTwelveHours() {
  twelveHours ??= new Intl.DateTimeFormat(undefined, { hour: 'numeric' }).resolvedOptions().hour12 === true;
  return twelveHours;
}
