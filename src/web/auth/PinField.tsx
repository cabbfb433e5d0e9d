import type { PasswordInputProps } from '@mantine/core';
import { PasswordField } from '../ui/forms/PasswordField.tsx';

const toggle = { 'aria-label': 'Show the PIN', tabIndex: 0, 'aria-hidden': false } as const;

export function PinField(props: PasswordInputProps) {
  return <PasswordField inputMode="numeric" maxLength={12} visibilityToggleButtonProps={toggle} {...props} />;
}
