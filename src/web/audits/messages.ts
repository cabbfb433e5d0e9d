import { ApiError } from '#shared/client.ts';

/** Returns the error's message, or `otherwise` if it has none. */
export const getErrorMessage = (error: unknown, otherwise: string) =>
  (error instanceof Error && error.message) || otherwise;

/** Whether the server rejected the request and said why. */
export const isClientError = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.status >= 400 && error.status < 500 && error.message !== '';
