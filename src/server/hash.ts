import { hash, randomBytes } from 'node:crypto';

/** Returns the SHA-256 hash in hexadecimal. */
export const sha256 = (data: string | Uint8Array) => hash('sha256', data);

/**
 * Returns a new salt and the salted hash of a text. The activity log stores only the hash, which
 * reveals nothing once the text and its salt are erased.
 */
export function saltText(text: string): { salt: string; hash: string } {
  const salt = randomBytes(16).toString('hex');
  return { salt, hash: sha256(salt + text) };
}
