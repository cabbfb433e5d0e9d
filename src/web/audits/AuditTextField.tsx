import { Textarea, TextInput } from '@mantine/core';
import { type AuditTextName, auditTexts } from '#shared/audit-fields.ts';
import { LocationInput } from '../parks/LocationInput.tsx';
import { PeoplePicker } from '../people/PeoplePicker.tsx';

type AuditTextFieldProps = {
  name: AuditTextName;
  label?: string;
  /** Whose users and places are suggested. */
  park: string;
  rows: number;
  value: string;
  error: string | undefined;
  description?: string | undefined;
  onChange: (value: string) => void;
};

export function AuditTextField({ name, rows, park, onChange, ...props }: AuditTextFieldProps) {
  const { kind, label, max } = auditTexts[name];
  if (kind === 'person') return <PeoplePicker label={label} park={park} onChange={onChange} {...props} />;
  if (name === 'location')
    return (
      <LocationInput
        label={label}
        park={park}
        maxLength={max}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        onChange={(event) => onChange(event.currentTarget.value)}
        {...props}
      />
    );
  const Input = kind === 'lines' ? Textarea : TextInput;
  return (
    <Input
      label={label}
      {...(kind === 'lines' && { rows })}
      maxLength={max}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      onChange={(event) => onChange(event.currentTarget.value)}
      {...props}
    />
  );
}
