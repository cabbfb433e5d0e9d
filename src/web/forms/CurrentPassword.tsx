import type { PasswordInputProps } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api } from '#shared/api.ts';
import { queryFor } from '../client/api.ts';
import { getProviderName } from '../client/providerName.ts';
import { useUser } from '../client/session.ts';
import { PasswordField } from '../ui/forms/PasswordField.tsx';

export const passwordMissingMessage = 'Password is required';

/** Whether a password signs the user in. Otherwise the provider is asked instead, by ConfirmIdentityDialog. */
export function useHasPassword(): boolean {
  const { data } = useQuery({ ...queryFor(api.getSecondFactors), enabled: getProviderName() !== '' });
  return data?.hasPassword ?? true;
}

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
