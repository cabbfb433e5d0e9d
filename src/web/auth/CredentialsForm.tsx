import { Button, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { createElement, type FormEvent, type ReactNode, Suspense, useState } from 'react';
import { api } from '#shared/api.ts';
import type { SecondFactorMethod } from '#shared/sign-in/second-factors.ts';
import type { SessionUser } from '#shared/users.ts';
import { mutationFor } from '../client/api.ts';
import { canUsePasskeys } from '../client/canUsePasskeys.ts';
import { readError } from '../client/errors.ts';
import { clearPendingSignOut } from '../client/offlineSession.ts';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { type FieldErrors, focusFirstError, withoutErrorOf } from '../ui/forms/fieldErrors.ts';
import { PasswordField } from '../ui/forms/PasswordField.tsx';
import { lazyComponent } from '../ui/loading/lazyComponent.ts';
import { checkCredentials } from './checkCredentials.ts';
import { loadPasskeys } from './loadPasskeys.ts';
import { getLoginError } from './loginError.ts';

const SecondStepForm = lazyComponent(() => import('./SecondStepForm.tsx'), 'SecondStepForm');

type CredentialsFormProps = {
  /** The user expected to sign in. */
  username?: string;
  onSignedIn: (role: SessionUser['role']) => Promise<void> | void;
  /** Further ways to sign in. */
  children?: ReactNode;
};

/**
 * Username, Password, Login: on the login screen and in the sign-in dialog. Then the second factor, if
 * the user has one.
 */
export function CredentialsForm({ username = '', onSignedIn, children }: CredentialsFormProps) {
  const [errors, setErrors] = useState<FieldErrors>({});
  const { mutateAsync: login } = useMutation({ ...mutationFor(api.login), meta: { refreshes: false } });
  const [busy, setBusy] = useState<'password' | 'passkey'>();
  const [error, setError] = useState('');
  /** How the user can go on once the password was right. */
  const [methods, setMethods] = useState<SecondFactorMethod[]>();

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const typed = new FormData(form);
    const body = { username: String(typed.get('username')), password: String(typed.get('password')) };
    const foundErrors = checkCredentials(body);
    setErrors(foundErrors);
    setError('');
    if (Object.keys(foundErrors).length > 0) return focusFirstError(form);

    setBusy('password');
    try {
      const { success, role } = await login({ body });
      if (success) {
        clearPendingSignOut();
        return await onSignedIn(role);
      }
      setError('Invalid username or password');
    } catch (error) {
      const { code, body } = readError(error);
      if (code !== 'SECOND_FACTOR') setError(getLoginError(error));
      else
        await SecondStepForm.load().then(
          () => setMethods(body.methods as SecondFactorMethod[]),
          () => setError('Something went wrong'),
        );
    }
    setBusy(undefined);
  };

  const signInWithPasskey = async () => {
    setErrors({});
    setError('');
    setBusy('passkey');
    try {
      const passkeys = await loadPasskeys();
      const { role } = await passkeys.signInWithPasskey();
      clearPendingSignOut();
      return await onSignedIn(role);
    } catch (error) {
      setError(readError(error).message || 'Something went wrong');
    }
    setBusy(undefined);
  };

  const askForPassword = (message: string) => {
    setMethods(undefined);
    setError(message);
  };
  if (methods)
    return <Suspense>{createElement(SecondStepForm, { methods, onSignedIn, onBack: askForPassword })}</Suspense>;

  return (
    <form onSubmit={submit} onChange={(event) => setErrors((errors) => withoutErrorOf(errors, event))} noValidate>
      <Stack>
        <TextInput
          name="username"
          label="Username"
          defaultValue={username}
          error={errors.username}
          autoComplete="username"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          required
          withAsterisk={false}
          data-autofocus={username === '' || undefined}
        />
        <PasswordField
          name="password"
          label="Password"
          error={errors.password}
          autoComplete="current-password"
          data-autofocus={username !== '' || undefined}
        />
        <ErrorBox message={error} />
        <Button type="submit" loading={busy === 'password'} fullWidth>
          Login
        </Button>
        {canUsePasskeys() && (
          <Button variant="default" loading={busy === 'passkey'} fullWidth onClick={signInWithPasskey}>
            Sign In with a Passkey
          </Button>
        )}
        {children}
      </Stack>
    </form>
  );
}
