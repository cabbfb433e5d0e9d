import { useQuery } from '@tanstack/react-query';
import { api } from '#shared/api.ts';
import { queryFor } from '../client/api.ts';
import { getProviderName } from '../client/providerName.ts';
import { useUser } from '../client/session.ts';
import { PasswordField, type PasswordFieldProps } from '../ui/forms/PasswordField.tsx';

export const passwordMissingMessage = 'Password is required';

/** Whether the user has a password. Otherwise ConfirmIdentityDialog asks the sign-in provider instead. */
export function useHasPassword(): boolean {
  const { data } = useQuery({ ...queryFor(api.getSecondFactors), enabled: getProviderName() !== '' });
  return data?.hasPassword ?? true;
}

type CurrentPasswordProps = PasswordFieldProps & { isAsked?: boolean };

/**
 * Asks for the password again if `isAsked`, because the device may be in the hands of another person.
 * Always tells password managers the user, because tablets are shared.
 */
export function CurrentPassword({ isAsked = true, ...field }: CurrentPasswordProps) {
  const { username } = useUser();
  return (
    <>
      <input hidden readOnly autoComplete="username" value={username} />
      {isAsked && <PasswordField label="Current password" autoComplete="current-password" {...field} />}
    </>
  );
}
