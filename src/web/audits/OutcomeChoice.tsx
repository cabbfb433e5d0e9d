import { Group } from '@mantine/core';
import { FieldGroup } from '../ui/forms/FieldGroup.tsx';
import rows from '../ui/theme/rows.module.css';

type OutcomeChoiceProps<Outcome extends string> = {
  name: string;
  labels: Record<Outcome, string>;
  description: string;
  value: Outcome | '';
  error: string | undefined;
  disabled?: boolean;
  onChange: (outcome: Outcome) => void;
};

/** Radio buttons for what someone found: in a verification, or in an audit of a lesson. */
export function OutcomeChoice<Outcome extends string>(props: OutcomeChoiceProps<Outcome>) {
  const { name, labels, description, value, error, disabled, onChange } = props;
  return (
    <FieldGroup role="radiogroup" label="What did you find?" description={description} required error={error}>
      <Group gap="lg">
        {(Object.keys(labels) as Outcome[]).map((outcome) => (
          <label key={outcome} className={rows.tick}>
            <input
              type="radio"
              name={name}
              checked={value === outcome}
              disabled={disabled}
              onChange={() => onChange(outcome)}
            />
            {labels[outcome]}
          </label>
        ))}
      </Group>
    </FieldGroup>
  );
}
