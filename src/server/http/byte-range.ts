// The Range header (RFC 9110): one part of a file. A request for several parts, or in other units,
// gets the whole file.
import type { ByteRange } from '../files/store.ts';

/**
 * Returns the requested part, undefined for the whole file, or 'none' if the file has no such part.
 */
export function parseRange(header: string | undefined, size: number): ByteRange | 'none' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined;
  return start > end ? 'none' : { start, end };
}
