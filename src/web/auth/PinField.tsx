import { PasswordField, type PasswordFieldProps } from '../ui/forms/PasswordField.tsx';

const toggle = { 'aria-label': 'Show the PIN', tabIndex: 0, 'aria-hidden': false } as const;

export function PinField(props: PasswordFieldProps) {
  return <PasswordField inputMode="numeric" maxLength={12} visibilityToggleButtonProps={toggle} {...props} />;
}
