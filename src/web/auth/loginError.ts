import { ApiError } from '#shared/client.ts';

/** Describes a failed sign-in. Lockouts and server errors use the server's message. */
export function getLoginError(error: unknown): string {
  if (error instanceof ApiError && error.status > 0) {
    if (error.status === 429 && error.message) return error.message;
    return error.status >= 500 && error.message ? `Invalid credentials. ${error.message}` : 'Invalid credentials';
  }
  return (error instanceof Error && error.message) || 'Something went wrong';
}
