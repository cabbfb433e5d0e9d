// Names of files that are downloaded.

const maxLength = 120;

/** `['ACC-2026-0013', 'Lido Beach']` becomes `ACC-2026-0013 Lido Beach.pdf`. */
export const createPdfFileName = (...parts: string[]): string => createFileName('pdf', parts);

/** Joins the parts. Characters that a file system may not allow are removed. */
export function createFileName(extension: string, parts: string[]): string {
  const name = parts
    .join(' ')
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\\/:*?"<>|]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[. ]+/, '');
  return `${
    [...name]
      .slice(0, maxLength)
      .join('')
      .replace(/[. ]+$/, '') || 'Document'
  }.${extension}`;
}
