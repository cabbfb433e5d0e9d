import type { FieldErrors } from '../ui/forms/fieldErrors.ts';

/**
 * Finds empty fields, with the words of the schema `Credentials`. Without the schema, whose library
 * the sign-in screen would load for this alone. The server checks the rest.
 */
export const checkCredentials = ({ username, password }: { username: string; password: string }): FieldErrors => ({
  ...(username.trim() === '' && { username: 'Username is required' }),
  ...(password === '' && { password: 'Password is required' }),
});
