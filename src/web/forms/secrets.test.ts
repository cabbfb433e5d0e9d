// Passwords, PINs and codes are kept nowhere but in the open form.
import type { ComponentProps } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { ApiError } from '#shared/client.ts';
import type { CodeField } from '../auth/CodeField.tsx';
import { queryClient } from '../client/api.ts';
import { endConfirmation, getTypedPassword, waitForConfirmation } from '../client/reauthentication.ts';
import { dismissSave, startSave } from '../client/saves.ts';
import { formNames } from '../formNames.ts';
import type { PasswordFieldProps } from '../ui/forms/PasswordField.tsx';
import type { RequestDialog } from './RequestDialog.tsx';
import { useForm } from './useForm.ts';

declare const draw: typeof RequestDialog;

/** Never called: what must not compile. */
function useKeptSecrets() {
  const send = async () => ({});
  // @ts-expect-error: a password among values that may be kept
  useForm(formNames.pack(), { start: { password: '' }, send });
  // @ts-expect-error: likewise
  useForm(formNames.pack(), { start: { name: '', newPin: '' }, send });
  // @ts-expect-error: a form with secrets keeps nothing, so its name says so
  useForm(formNames.pack(), { start: { name: '' }, secrets: { pin: '' }, send });
  const texts = { title: '', submit: '', failed: '', onClose() {}, fields: {} };
  // @ts-expect-error: likewise in a dialog
  draw({ ...texts, name: formNames.pack(), start: { name: '', password: '' }, send });
  // @ts-expect-error: likewise
  draw({ ...texts, name: formNames.pack(), start: { name: '' }, secrets: { pin: '' }, send });
  const form = useForm(formNames.newPin(), { start: { name: '' }, secrets: { pin: '' }, send });
  // @ts-expect-error: secrets have props of their own
  form.field('pin');
  const props: [PasswordFieldProps, ComponentProps<typeof CodeField>] = [
    // @ts-expect-error: a field for secrets takes no other value
    form.field('name'),
    // @ts-expect-error: likewise
    { hasApp: true, ...form.field('name') },
  ];
  const secretProps: PasswordFieldProps = form.secret('pin');
  return [props, secretProps];
}

test('a kept form with a password, a PIN or a code does not compile', () => expect(useKeptSecrets).toBeDefined());

afterEach(() => dismissSave('secret'));

test('a save that failed keeps neither its function nor what it holds', async () => {
  const send = vi.fn(() => Promise.reject(new ApiError(401, '')));
  await startSave('secret', {}, send);
  expect(send).toHaveBeenCalledOnce();
  const [save] = queryClient.getMutationCache().findAll({ mutationKey: ['save', 'secret'] });
  expect(save?.state).toMatchObject({ status: 'error', variables: {} });
  expect(save?.options.mutationFn).toBeUndefined();
});

test('a password that was typed before a confirmation is forgotten with it', async () => {
  const confirming = waitForConfirmation('a long password');
  expect(getTypedPassword()).toBe('a long password');
  endConfirmation(false);
  expect(await confirming).toBe(false);
  expect(getTypedPassword()).toBeUndefined();
});
