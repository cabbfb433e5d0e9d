import type { PasswordInputProps } from '@mantine/core';
import { useUser } from '../client/session.ts';
import { PasswordField } from '../ui/forms/PasswordField.tsx';

export const passwordMissing = 'Password is required';

type CurrentPasswordProps = PasswordInputProps & { isAsked?: boolean };

/** Asks for the password again, because the device may be in the hands of another person. */
export function CurrentPassword({ isAsked = true, ...field }: CurrentPasswordProps) {
  const { username } = useUser();
  return (
    <>
      {/** Tells password managers the user, because tablets are shared. */}
      <input hidden readOnly autoComplete="username" value={username} />
      {isAsked && <PasswordField label="Current password" autoComplete="current-password" {...field} />}
    </>
  );
}
