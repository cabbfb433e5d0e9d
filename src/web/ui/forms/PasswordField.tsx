import { PasswordInput, type PasswordInputProps } from '@mantine/core';

/** The visibility button: focusable, with a name. */
const toggle = { 'aria-label': 'Show the password', tabIndex: 0, 'aria-hidden': false } as const;

/** A password field that can show its text. */
export function PasswordField(props: PasswordInputProps) {
  return (
    <PasswordInput
      aria-invalid={Boolean(props.error) || undefined}
      required
      withAsterisk={false}
      visibilityToggleButtonProps={toggle}
      {...props}
    />
  );
}
