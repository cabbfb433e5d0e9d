import { PasswordInput, type PasswordInputProps } from '@mantine/core';

/** The eye: reachable by keyboard, with a name. */
const toggle = { 'aria-label': 'Show the password', tabIndex: 0, 'aria-hidden': false } as const;

/** A password, which can be shown. */
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
