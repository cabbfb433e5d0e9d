import { Button, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { createElement, type FormEvent, Suspense, useState } from 'react';
import { api } from '#shared/api.ts';
import type { SessionUser } from '#shared/users.ts';
import { mutationFor } from '../client/api.ts';
import { readError } from '../client/errors.ts';
import { clearPendingSignOut } from '../client/offlineSession.ts';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { type FieldErrors, focusFirstError, withoutErrorOf } from '../ui/forms/fieldErrors.ts';
import { PasswordField } from '../ui/forms/PasswordField.tsx';
import { lazyComponent } from '../ui/loading/lazyComponent.ts';
import { checkCredentials } from './checkCredentials.ts';
import { getLoginError } from './loginError.ts';

const SecondStepForm = lazyComponent(() => import('./SecondStepForm.tsx'), 'SecondStepForm');

type CredentialsFormProps = {
  /** The user expected to sign in. */
  username?: string;
  onSignedIn: (role: SessionUser['role']) => Promise<void> | void;
};

/**
 * Username, Password, Login: on the login screen and in the sign-in dialog. Then the second factor, if
 * the user has one.
 */
export function CredentialsForm({ username = '', onSignedIn }: CredentialsFormProps) {
  const [errors, setErrors] = useState<FieldErrors>({});
  const { mutateAsync: login } = useMutation({ ...mutationFor(api.login), meta: { refreshes: false } });
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState('');
  const [isPasswordRight, setPasswordRight] = useState(false);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const typed = new FormData(form);
    const body = { username: String(typed.get('username')), password: String(typed.get('password')) };
    const foundErrors = checkCredentials(body);
    setErrors(foundErrors);
    setError('');
    if (Object.keys(foundErrors).length > 0) return focusFirstError(form);

    setBusy(true);
    try {
      const { success, role } = await login({ body });
      if (success) {
        clearPendingSignOut();
        return await onSignedIn(role);
      }
      setError('Invalid username or password');
    } catch (error) {
      if (readError(error).code !== 'SECOND_FACTOR') setError(getLoginError(error));
      else
        await SecondStepForm.load().then(
          () => setPasswordRight(true),
          () => setError('Something went wrong'),
        );
    }
    setBusy(false);
  };

  const askForPassword = (message: string) => {
    setPasswordRight(false);
    setError(message);
  };
  if (isPasswordRight)
    return <Suspense>{createElement(SecondStepForm, { onSignedIn, onBack: askForPassword })}</Suspense>;

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
        <Button type="submit" loading={isBusy} fullWidth>
          Login
        </Button>
      </Stack>
    </form>
  );
}
