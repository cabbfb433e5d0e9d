import { ApiError } from '#shared/client.ts';

/** What the server said if it said something, else the screen's own words. */
export const getErrorMessage = (error: unknown, otherwise: string) =>
  (error instanceof Error && error.message) || otherwise;

/** The server understood, and said no and why. */
export const isClientError = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.status >= 400 && error.status < 500 && error.message !== '';

/** What one sees of a failed upload: a reason of its own, or that none came through, or that some did not. */
export function getUploadError(failures: { error: Error }[], uploaded: number): string {
  const reason = failures
    .map(({ error }) => error)
    .find((error) => !(error instanceof ApiError) || isAboutAllUploads(error));
  if (reason) return `Error processing files: ${reason.message}`;
  return uploaded === 0 ? 'No files were uploaded successfully. Please try again.' : 'File upload failed.';
}

/** Not this file's fault: too many uploads, or no room for more. */
const isAboutAllUploads = (error: ApiError) => [429, 507].includes(error.status) && error.message !== '';
