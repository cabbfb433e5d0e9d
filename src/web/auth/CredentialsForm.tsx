import { Button, Stack, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { api } from '#shared/api.ts';
import type { SecondFactorMethod } from '#shared/sign-in/second-factors.ts';
import type { SessionUser } from '#shared/users.ts';
import { callApi } from '../client/api.ts';
import { canUsePasskeys } from '../client/canUsePasskeys.ts';
import { describeRejection, readError, somethingWentWrong } from '../client/errors.ts';
import { clearPendingSignOut } from '../client/offlineSession.ts';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { type FieldErrors, focusFirstError, withoutErrorOf } from '../ui/forms/fieldErrors.ts';
import { PasswordField } from '../ui/forms/PasswordField.tsx';
import { lazyComponent } from '../ui/loading/lazyComponent.ts';
import { checkCredentials } from './checkCredentials.ts';
import { loadPasskeys } from './loadPasskeys.ts';
import { describeLoginFailure, type LoginFailure } from './loginFailure.ts';
import { getSignInKey, renewSignInKey } from './signInKey.ts';

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
  const [busy, setBusy] = useState<'password' | 'passkey'>();
  const [failure, setFailure] = useState<LoginFailure>();
  /** How the user can go on once the password was right. */
  const [methods, setMethods] = useState<SecondFactorMethod[]>();

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const typed = new FormData(form);
    const body = { username: String(typed.get('username')), password: String(typed.get('password')) };
    const foundErrors = checkCredentials(body);
    setErrors(foundErrors);
    setFailure(undefined);
    if (Object.keys(foundErrors).length > 0) return focusFirstError(form);

    const clearPassword = () => {
      const field = form.elements.namedItem('password');
      if (field instanceof HTMLInputElement) field.value = '';
    };
    setBusy('password');
    try {
      const { success, role } = await callApi(api.login, { body, key: getSignInKey() });
      if (success) {
        renewSignInKey();
        clearPendingSignOut();
        return await onSignedIn(role);
      }
      setFailure({ message: 'Invalid username or password' });
    } catch (error) {
      const { code, body } = readError(error);
      if (code !== 'SECOND_FACTOR') setFailure(describeLoginFailure(error));
      else
        await SecondStepForm.load().then(
          () => setMethods(body.methods as SecondFactorMethod[]),
          () => setFailure({ message: somethingWentWrong }),
        );
    }
    clearPassword();
    setBusy(undefined);
  };

  const signInWithPasskey = async () => {
    setErrors({});
    setFailure(undefined);
    setBusy('passkey');
    try {
      const passkeys = await loadPasskeys();
      const { role } = await passkeys.signInWithPasskey();
      clearPendingSignOut();
      return await onSignedIn(role);
    } catch (error) {
      setFailure({ message: describeRejection(readError(error), somethingWentWrong) });
    }
    setBusy(undefined);
  };

  const askForPassword = (message: string) => {
    setMethods(undefined);
    setFailure(message ? { message } : undefined);
  };
  if (methods) return <SecondStepForm methods={methods} onSignedIn={onSignedIn} onBack={askForPassword} />;

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
        <ErrorBox message={failure?.message ?? ''} reason={failure?.reason} />
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
