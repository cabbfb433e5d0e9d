import { ApiError } from '#shared/client.ts';
import { describeUploadError, readError } from '../client/errors.ts';
import { joinSentences } from '../ui/feedback/sentences.ts';
import type { PreparedPhoto } from './preparePhoto.ts';

type UploadError = { status: number; message: string };

/** Whether an error is about all photos: too many requests, no disk space, or no error response (-1). */
const isAboutAllPhotos = ({ status, message }: UploadError) => [429, 507, -1].includes(status) && message !== '';

/** Returns the reason that all failed uploads share or, without one, that none or not all succeeded. */
export function getUploadError(error: UploadError, uploadedCount: number): string {
  if (isAboutAllPhotos(error)) return `Error processing files: ${error.message}`;
  return uploadedCount === 0 ? 'No files were uploaded successfully. Please try again.' : 'File upload failed.';
}

/** Returns the text of `getUploadError`, followed by each failed photo and its reason. */
export function describeFailedPhotos(
  photos: PreparedPhoto[],
  failures: { photo: PreparedPhoto; error: Error }[],
  uploadedCount: number,
): string {
  const errors = failures.map(({ error }) =>
    error instanceof ApiError ? error : { status: -1, message: error.message },
  );
  const sharedError = errors.find(isAboutAllPhotos) ?? { status: 0, message: '' };
  const photoErrors = failures.map(({ photo, error }) => {
    const position = photos.indexOf(photo) + 1;
    return `Photo ${position} (${photo.file.name}): ${error.message || describeUploadError(readError(error))}`;
  });
  return joinSentences(getUploadError(sharedError, uploadedCount), ...photoErrors);
}
