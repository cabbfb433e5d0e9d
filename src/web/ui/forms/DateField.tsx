// Native date and time fields. Browsers report a half-typed value as empty; these report
// `incomplete`, which no schema accepts, so that it is never stored as empty.
import { TextInput, type TextInputProps } from '@mantine/core';
import { type SyntheticEvent, useEffect, useRef, useState } from 'react';
import { getDayError, getTimeError } from '#shared/date-schemas.ts';
import { formatLongDay, incompleteValue, parseDay, parseTime } from '#shared/dates.ts';

type DateFieldProps = Omit<TextInputProps, 'type' | 'value' | 'onChange' | 'description' | 'ref'> & {
  /** `YYYY-MM-DD` or `HH:MM`, or `incomplete`. */
  value: string;
  /** Shown below the field, above the value in words. */
  help?: string | undefined;
  /** Called with the new value; '' if the field was emptied. */
  onChange?: (text: string) => void;
};

/**
 * A date field with the day in words below, because browsers show dates in their own language's
 * order.
 */
export function DateField({
  max = '9999-12-31',
  note,
  ...props
}: DateFieldProps & {
  /** Shown after the day in words. */
  note?: string | false;
}) {
  const day = parseDay(props.value);
  const words = day && formatLongDay(day);
  return (
    <SegmentedField
      {...props}
      type="date"
      max={max}
      formattedValue={words && note ? `${words}. ${note}` : words}
      getError={(text) => (parseDay(text) ? undefined : getDayError(text))}
    />
  );
}

/**
 * A time field with the 24-hour time below: browsers show times in their own language, which pages
 * cannot detect.
 */
export function TimeField(props: DateFieldProps) {
  const time = parseTime(props.value);
  return (
    <SegmentedField
      {...props}
      type="time"
      formattedValue={time && `${time} (24-hour time)`}
      getError={(text) => (parseTime(text) ? undefined : getTimeError(text))}
    />
  );
}

type SegmentedFieldProps = DateFieldProps & {
  type: 'date' | 'time';
  formattedValue: string | undefined;
  getError: (text: string) => string | undefined;
};

function SegmentedField({
  value,
  onChange,
  error,
  formattedValue,
  help,
  getError,
  onFocus,
  onBlur,
  ...props
}: SegmentedFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const [isActive, setActive] = useState(false);

  // Clearing a form also clears half-typed values, which React treated as empty.
  useEffect(() => {
    if (value === '' && input.current?.validity.badInput) input.current.value = '';
  }, [value]);

  const report = ({ currentTarget }: SyntheticEvent<HTMLInputElement>) => {
    const text = currentTarget.validity.badInput ? incompleteValue : currentTarget.value;
    if (text !== value) onChange?.(text);
  };

  // While being typed, every date is incomplete.
  const incompleteError = value !== '' && !isActive && !props.disabled ? getError(value) : undefined;
  return (
    <TextInput
      {...props}
      ref={input}
      value={value === incompleteValue ? '' : value}
      error={incompleteError ?? error}
      description={
        [help, formattedValue ?? (value === '' && showsNowWhenEmpty && !props.disabled && 'Not chosen yet')]
          .filter(Boolean)
          .join('\n') || undefined
      }
      descriptionProps={{ style: { whiteSpace: 'pre-line' } }}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      onChange={report}
      // The first typed parts of an empty field cause no change event.
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

/** WebKit shows the current date and time in an empty field, in grey. */
const showsNowWhenEmpty = navigator.vendor.startsWith('Apple');
