// Interprets a failed request for a form: the only place that inspects API errors.
import { ApiError } from '#shared/client.ts';

const noResponse = new ApiError(0, '');

/**
 * Returns the error response: its message, code and field errors. Without one, all of them are
 * empty.
 */
export const readError = (error: unknown): ApiError => (error instanceof ApiError ? error : noResponse);

/**
 * Returns the current record as another user saved it, if the request was based on an older
 * version.
 */
export function getNewerVersion<T>(error: unknown): T | undefined {
  const { status, body } = readError(error);
  return status === 409 ? (body.current as T | undefined) : undefined;
}

/**
 * `refused` with the server's message if it rejected the request, `failed` if it could not be
 * reached.
 */
export function describeFailure(error: unknown, messages: { refused: string; failed: string }): string {
  const { status, message } = readError(error);
  if (status === 0) return messages.failed;
  return message ? `${messages.refused}: ${message}` : messages.refused;
}
