// Passwords, PINs and codes are kept nowhere but in the open form.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { ApiError } from '#shared/client.ts';
import { queryClient } from '../client/api.ts';
import { endConfirmation, getTypedPassword, waitForConfirmation } from '../client/reauthentication.ts';
import { dismissSave, startSave } from '../client/saves.ts';

const web = join(import.meta.dirname, '..');

/** The fields of a component's source that contain a password, a PIN or a code. */
const listSecretFields = (source: string) =>
  [
    ...[...source.matchAll(/<(?:PasswordField|PinField|CodeField|CurrentPassword)\b[^>]*?\bfield\('(\w+)'\)/g)],
    ...[...source.matchAll(/<TextInput\s[^>]*?\bfield\('(\w+)'\)[^>]*one-time-code/g)],
  ].map(([, name]) => name as string);

const forms = globSync('**/*.tsx', { cwd: web }).flatMap((file) => {
  const source = readFileSync(join(web, file), 'utf8');
  const fields = source.includes('useForm') ? listSecretFields(source) : [];
  return fields.length > 0 ? [{ file, fields, secrets: /secrets: \{([^}]*)\}/.exec(source)?.[1] ?? '' }] : [];
});

test('the forms with passwords, PINs and codes are found', () => {
  expect(forms.length).toBeGreaterThanOrEqual(9);
});

test.each(forms)('$file declares $fields as secrets', ({ fields, secrets }) => {
  for (const field of fields) expect(secrets).toMatch(new RegExp(`\\b${field}:`));
});

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
