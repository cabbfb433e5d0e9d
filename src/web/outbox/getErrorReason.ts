import type { OutboxItem, SendError } from './items.ts';

export const unreachable = 'The server could not be reached.';

/** Our own errors have a message for users; for other responses, returns the body or the status. */
export const getErrorReason = ({ status, message, text }: SendError): string =>
  message || text || (status === 0 ? unreachable : String(status));

/** Which photos were not uploaded, and why: `Photo 2 (pool.jpg): This image could not be read.` */
export function listPhotoErrors({ files }: OutboxItem, error: SendError): string[] {
  const reason =
    error.message ||
    (error.status === 0 ? unreachable : `Error uploading image: ${error.status} ${error.text.slice(0, 100)}`.trim());
  return files
    .filter(({ slot }) => slot === 'photo')
    .flatMap(({ id, name, problem }, index) => {
      const problemText = problem ?? (id === error.file ? reason : '');
      return problemText ? [`Photo ${index + 1} (${name}): ${problemText}`] : [];
    });
}
