// File names of PDFs.

const maxLength = 120;

/**
 * `['ACC-2026-0013', 'Lido Beach']` becomes `ACC-2026-0013 Lido Beach.pdf`. Characters that a file
 * system may not allow are removed.
 */
export function createPdfFileName(...parts: string[]): string {
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
  }.pdf`;
}
