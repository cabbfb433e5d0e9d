import { describeUploadError, unreachable } from '../client/errors.ts';
import type { OutboxItem, SendError } from './items.ts';

/** Our own errors have a message for users; for other responses, returns the body or the status. */
export const getErrorReason = ({ status, message, text }: SendError): string =>
  message || text || (status === 0 ? unreachable : String(status));

/** Which photos were not uploaded, and why: `Photo 2 (pool.jpg): This image could not be read.` */
export function listPhotoErrors({ files }: OutboxItem, error: SendError): string[] {
  return files
    .filter(({ slot }) => slot === 'photo')
    .flatMap(({ id, name, problem }, index) => {
      const problemText = problem ?? (id === error.file ? describeUploadError(error) : '');
      return problemText ? [`Photo ${index + 1} (${name}): ${problemText}`] : [];
    });
}
