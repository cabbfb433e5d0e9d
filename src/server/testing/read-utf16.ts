/**
 * Decodes UTF-16LE from an aligned copy of even length. From other bytes, Node 24 writes beyond its
 * memory and may abort later.
 */
export const readUtf16 = (bytes: Buffer): string =>
  Buffer.from(bytes.subarray(0, bytes.length & ~1)).toString('utf16le');
