import { Button, NativeSelect, type NativeSelectProps } from '@mantine/core';
import { useId } from 'react';
import styles from './ReportForm.module.css';

type ChoiceFieldProps = Omit<NativeSelectProps, 'data' | 'onChange'> & {
  choices: readonly string[];
  onChange: (choice: string) => void;
};

/** A select, and a large button for each of its values, which wet fingers hit with one tap. */
export function ChoiceField({ choices, onChange, ...field }: ChoiceFieldProps) {
  const id = useId();
  return (
    <div className="stack tight">
      <NativeSelect
        {...field}
        id={id}
        data={[{ value: '', label: 'Please choose' }, ...choices]}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {/* Only described by the field's label, so that the label still names one field. */}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset needs a legend of its own */}
      <div role="group" aria-label="Quick choice" aria-describedby={`${id}-label`} className={styles.buttons}>
        {choices.map((choice) => (
          <Button
            key={choice}
            // The keyboard has the select.
            tabIndex={-1}
            variant="default"
            aria-pressed={field.value === choice}
            onClick={() => onChange(choice)}
          >
            {choice}
          </Button>
        ))}
      </div>
    </div>
  );
}
