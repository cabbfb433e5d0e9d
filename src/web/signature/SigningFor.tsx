import { Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { textLimits } from '#shared/choices.ts';
import { type SignedBy, signingCapacities } from '#shared/reports/signed-by.ts';
import { bindFields } from '../ui/forms/bindFields.ts';
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

const noOne: Signer = { name: '', capacity: '', reason: '' };
const needed = { required: true, withAsterisk: false };

/** Lets someone else sign for the person, such as a parent. */
export function SigningFor({ person, value, errors, onChange }: SigningForProps) {
  const { field } = bindFields(value ?? noOne, errors, (changes) => value && onChange({ ...value, ...changes }));
  const text = (name: 'name' | 'reason') => ({ ...field(name), ...needed, autoComplete: 'off' });
  return (
    <div className={styles.signingFor}>
      <Checkbox
        label={`Someone else is signing for ${person}`}
        classNames={{ body: styles.checkbox ?? '' }}
        checked={value !== undefined}
        onChange={(event) => onChange(event.currentTarget.checked ? noOne : undefined)}
      />
      {value && (
        <div className={styles.signer}>
          <TextInput
            {...text('name')}
            label="Name of the person signing"
            maxLength={textLimits.name}
            autoCapitalize="words"
          />
          <NativeSelect {...field('capacity')} {...needed} label="Signing as" data={choices} />
          {value.capacity === 'Could not sign' && (
            <TextInput {...text('reason')} label="Why they could not sign" maxLength={textLimits.line} />
          )}
        </div>
      )}
    </div>
  );
}
