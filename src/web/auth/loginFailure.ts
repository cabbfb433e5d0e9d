import { describeRejection, readError, somethingWentWrong } from '../client/errors.ts';

export type LoginFailure = { message: string; reason?: string };

/** Describes a failed sign-in. Lockouts use the server's message. */
export function describeLoginFailure(error: unknown): LoginFailure {
  const failure = readError(error);
  const { status, message, code } = failure;
  if (status === 429 && message) return { message };
  if (status >= 500)
    return {
      message: 'Invalid credentials',
      reason: 'The server has a problem: your password may be right. Try again in a minute.',
    };
  if (code === 'ONE_TIME_PASSWORD_USED') return { message: 'Invalid credentials', reason: message };
  if (status > 0) return { message: 'Invalid credentials' };
  const thrown = error instanceof Error ? error.message : '';
  return { message: thrown || describeRejection(failure, somethingWentWrong) };
}
