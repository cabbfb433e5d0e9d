import type { FieldErrors } from '../ui/forms/fieldErrors.ts';

/**
 * Finds empty fields, with the messages of the schema `Credentials`. Does not use the schema,
 * because the sign-in screen would load its library for this alone. The server checks the rest.
 */
export const checkCredentials = ({ username, password }: { username: string; password: string }): FieldErrors => ({
  ...(username.trim() === '' && { username: 'Username is required' }),
  ...(password === '' && { password: 'Password is required' }),
});
