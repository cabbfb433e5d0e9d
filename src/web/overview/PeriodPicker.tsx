// The period as buttons: one tap each, where a list of choices takes two.
import { Button } from '@mantine/core';
import styles from './overview.module.css';
import { type PeriodName, periods } from './period.ts';

type PeriodPickerProps = { period: PeriodName; onChange: (period: PeriodName) => void };

export function PeriodPicker({ period, onChange }: PeriodPickerProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: buttons, not a set of fields
    <div role="group" aria-label="Period" className={styles.periods}>
      {periods.map(({ value, label }) => (
        <Button
          key={value}
          variant="default"
          size="sm"
          className={styles.period}
          aria-pressed={value === period}
          onClick={() => onChange(value)}
        >
          {label}
        </Button>
      ))}
    </div>
  );
}
