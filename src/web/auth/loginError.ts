import { readError } from '../client/errors.ts';

/** Describes a failed sign-in. Lockouts and server errors use the server's message. */
export function getLoginError(error: unknown): string {
  const { status, message } = readError(error);
  if (status === 429 && message) return message;
  if (status > 0) return status >= 500 && message ? `Invalid credentials. ${message}` : 'Invalid credentials';
  return (error instanceof Error && error.message) || 'Something went wrong';
}
