import { ApiError } from '#shared/client.ts';

/** Returns the server's message, or the screen's own. */
export const getErrorMessage = (error: unknown, otherwise: string) =>
  (error instanceof Error && error.message) || otherwise;

/** Whether the server rejected the request and said why. */
export const isClientError = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.status >= 400 && error.status < 500 && error.message !== '';

/** Describes failed uploads: a shared reason, none uploaded, or some failed. */
export function getUploadError(failures: { error: Error }[], uploaded: number): string {
  const reason = failures
    .map(({ error }) => error)
    .find((error) => !(error instanceof ApiError) || isAboutAllUploads(error));
  if (reason) return `Error processing files: ${reason.message}`;
  return uploaded === 0 ? 'No files were uploaded successfully. Please try again.' : 'File upload failed.';
}

/** About all uploads, not this file: too many, or no disk space. */
const isAboutAllUploads = (error: ApiError) => [429, 507].includes(error.status) && error.message !== '';
