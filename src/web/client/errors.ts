// What a failed request means, and how to describe it. What to do about it is up to the caller: for
// example, outbox/sendItem.ts decides what to send again.
import { ApiError } from '#shared/client.ts';

export const unreachable = 'The server could not be reached.';
const noConnection = 'There is no connection. Try again when you are back online.';
export const somethingWentWrong = 'Something went wrong';

const noResponse = new ApiError(0, '');

/** Returns the error response: its message, code and field errors, all empty if there was no response. */
export const readError = (error: unknown): ApiError => (error instanceof ApiError ? error : noResponse);

/** Whether a retry may succeed: unreachable, busy, or the first attempt is still running. */
export const isTransientError = (error: unknown) =>
  error instanceof ApiError &&
  ([0, 502, 503, 504].includes(error.status) || (error.status === 409 && error.retryAfter !== undefined));

/** Whether a change may be stored although there was no response that says so. */
export const mayHaveArrived = (error: unknown) => {
  const { status } = readError(error);
  return status >= 500 || isTransientError(readError(error));
};

/** Whether the record does not exist, or not for this user. */
export const isNotFound = (error: unknown) => error instanceof ApiError && error.status === 404;

export const isSignedOut = (error: unknown) => error instanceof ApiError && error.status === 401;

/** Whether the connection was too slow for an upload. */
export const isTooSlow = (error: unknown) => error instanceof ApiError && error.status === 408;

/**
 * Returns the current record as another user saved it, if the request was based on an older
 * version.
 */
export function getNewerVersion<T>(error: unknown): T | undefined {
  const { status, body } = readError(error);
  return status === 409 ? (body.current as T | undefined) : undefined;
}

/** Returns `failed` if the server could not be reached, otherwise `rejected` with its message. */
export function describeFailure(error: unknown, messages: { rejected: string; failed: string }): string {
  const { status, message } = readError(error);
  if (status === 0) return messages.failed;
  return message ? `${messages.rejected}: ${message}` : messages.rejected;
}

/** Returns why a password, PIN or code was not accepted: it may be right, if there is no connection. */
export const describeRejection = ({ status, message }: ApiError, otherwise: string): string =>
  message || (status === 0 ? noConnection : otherwise);

/** Returns the error's message, or whether the server was reached if it has none; '' if there is no error. */
export const describeError = (error: Error | null | undefined): string => {
  if (!error) return '';
  return error.message || (isTransientError(error) ? unreachable : 'This could not be saved. Please try again.');
};

/** Returns why a file was not uploaded. */
export const describeUploadError = (
  { status, message, text }: Pick<ApiError, 'status' | 'message' | 'text'>,
  file: 'image' | 'signature' = 'image',
): string =>
  message || (status === 0 ? unreachable : `Error uploading ${file}: ${status} ${text.slice(0, 100)}`.trim());
