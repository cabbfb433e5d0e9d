// Describes photos that could not be uploaded.
import { ApiError } from '#shared/client.ts';
import { describeUploadError, readError } from '../client/errors.ts';
import { joinSentences } from '../ui/feedback/sentences.ts';
import type { PreparedPhoto } from './preparePhoto.ts';

type UploadError = { status: number; message: string };

/** Too many requests, no disk space, or a response that is not the server's. */
const isAboutAllPhotos = ({ status, message }: UploadError) => [429, 507, -1].includes(status) && message !== '';

/** Describes failed uploads: the shared reason, or that none or some were uploaded. */
export function getUploadError(error: UploadError, uploaded: number): string {
  if (isAboutAllPhotos(error)) return `Error processing files: ${error.message}`;
  return uploaded === 0 ? 'No files were uploaded successfully. Please try again.' : 'File upload failed.';
}

/** Returns the text of `getUploadError`, followed by each failed photo and its reason. */
export function describeFailures(
  photos: PreparedPhoto[],
  failures: { photo: PreparedPhoto; error: Error }[],
  uploaded: number,
): string {
  const errors = failures.map(({ error }) =>
    error instanceof ApiError ? error : { status: -1, message: error.message },
  );
  const shared = errors.find(isAboutAllPhotos) ?? { status: 0, message: '' };
  const photoErrors = failures.map(({ photo, error }) => {
    const position = photos.indexOf(photo) + 1;
    return `Photo ${position} (${photo.file.name}): ${error.message || describeUploadError(readError(error))}`;
  });
  return joinSentences(getUploadError(shared, uploaded), ...photoErrors);
}
