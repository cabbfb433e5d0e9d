import { type ReactNode, useId } from 'react';
import rows from '../theme/rows.module.css';

type RadiosProps<Value extends string> = {
  /** The values in order, each with its label. */
  labels: Record<Value, ReactNode>;
  value: Value | '' | null | undefined;
  disabled?: boolean | undefined;
  /** The class of each label, all of which can be pressed. */
  className?: string | undefined;
  onChange: (value: Value) => void;
};

/** Radio buttons, for a group that has a name. */
export function Radios<Value extends string>(props: RadiosProps<Value>) {
  const { labels, value, disabled, className = rows.tick, onChange } = props;
  const name = useId();
  return (Object.keys(labels) as Value[]).map((one) => (
    <label key={one} className={className}>
      <input type="radio" name={name} checked={value === one} disabled={disabled} onChange={() => onChange(one)} />
      <span>{labels[one]}</span>
    </label>
  ));
}
