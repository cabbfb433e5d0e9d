import { describeUploadError, unreachable } from '../client/errors.ts';
import type { OutboxItem, SendError } from './items.ts';

/** Returns the error's message for users or, if there is none, the response's body or status. */
export const getErrorReason = ({ status, message, text }: SendError): string =>
  message || text || (status === 0 ? unreachable : String(status));

/** Returns which photos were not uploaded, and why: `Photo 2 (pool.jpg): This image could not be read.` */
export function listPhotoErrors({ files }: OutboxItem, error: SendError): string[] {
  return files
    .filter(({ slot }) => slot === 'photo')
    .flatMap(({ id, name, problem }, index) => {
      const problemText = problem ?? (id === error.file ? describeUploadError(error) : '');
      return problemText ? [`Photo ${index + 1} (${name}): ${problemText}`] : [];
    });
}
