// Random ids of 128 bits as 26 letters and digits, which cannot be guessed or ordered.
import { randomBytes } from 'node:crypto';

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';

/** 26 characters of base32 (RFC 4648, lower case). */
export function newId(): string {
  let bits = BigInt(`0x${randomBytes(16).toString('hex')}`) << 2n;
  let id = '';
  for (let i = 0; i < 26; i++) {
    id = alphabet[Number(bits & 31n)] + id;
    bits >>= 5n;
  }
  return id;
}
