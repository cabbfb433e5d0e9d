import { Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { textLimits } from '#shared/choices.ts';
import { type SignedBy, signingCapacities } from '#shared/reports/signed-by.ts';
import type { FieldErrors } from '../ui/forms/fieldErrors.ts';
import styles from './signature.module.css';

/** Who signs for the person, as typed so far. */
export type Signer = { name: string; capacity: SignedBy['capacity'] | ''; reason: string };

type SigningForProps = {
  /** The person for whom someone else signs. */
  person: string;
  /** Undefined while the person signs themselves. */
  value: Signer | undefined;
  errors: FieldErrors;
  onChange: (value: Signer | undefined) => void;
};

const choices = [
  { value: '', label: 'Please choose' },
  ...signingCapacities.map((value) => ({ value, label: value === 'Could not sign' ? 'They could not sign' : value })),
];

/** Lets someone else sign for the person, such as a parent. */
export function SigningFor({ person, value, errors, onChange }: SigningForProps) {
  const change = (changes: Partial<Signer>) => value && onChange({ ...value, ...changes });
  const text = (name: 'name' | 'reason') => ({
    value: value?.[name] ?? '',
    error: errors[name],
    required: true,
    withAsterisk: false,
    autoComplete: 'off',
    onChange: (event: { currentTarget: { value: string } }) => change({ [name]: event.currentTarget.value }),
  });
  return (
    <div className={styles.signingFor}>
      <Checkbox
        label={`Someone else is signing for ${person}`}
        classNames={{ body: styles.checkbox ?? '' }}
        checked={value !== undefined}
        onChange={(event) => onChange(event.currentTarget.checked ? { name: '', capacity: '', reason: '' } : undefined)}
      />
      {value && (
        <div className={styles.signer}>
          <TextInput
            {...text('name')}
            label="Name of the person signing"
            maxLength={textLimits.name}
            autoCapitalize="words"
          />
          <NativeSelect
            label="Signing as"
            data={choices}
            value={value.capacity}
            error={errors.capacity}
            required
            withAsterisk={false}
            onChange={(event) => change({ capacity: event.currentTarget.value as Signer['capacity'] })}
          />
          {value.capacity === 'Could not sign' && (
            <TextInput {...text('reason')} label="Why they could not sign" maxLength={textLimits.line} />
          )}
        </div>
      )}
    </div>
  );
}
