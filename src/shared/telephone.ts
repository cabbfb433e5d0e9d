/**
 * Formats a British telephone number as eleven digits: `+44 7700 900123` and `07700 900 123` become
 * `07700900123`. Other text is only trimmed.
 */
export function parseTelephone(text: string): string {
  const digits = text
    .trim()
    .replace(/[\s().\p{Pd}]/gu, '')
    .replace(/^(?:\+|00)440?/, '0');
  return /^\d{11}$/.test(digits) ? digits : text.trim();
}
