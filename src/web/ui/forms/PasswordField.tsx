import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import type { SecretFieldProps } from './secretFields.ts';

/** The visibility button: focusable, with a name. */
const toggle = { 'aria-label': 'Show the password', tabIndex: 0, 'aria-hidden': false } as const;

export type PasswordFieldProps = SecretFieldProps<PasswordInputProps>;

/** A password field that can show its text. */
export const PasswordField = (props: PasswordFieldProps) => (
  <PasswordInput
    aria-invalid={Boolean(props.error) || undefined}
    required
    withAsterisk={false}
    visibilityToggleButtonProps={toggle}
    {...props}
  />
);
