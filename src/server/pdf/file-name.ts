// Names of PDFs as people find them among their downloads.

const maxLength = 120;

/** `['ACC-2026-0013', 'Lido Beach']` becomes `ACC-2026-0013 Lido Beach.pdf`. What no file system takes is left out. */
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
