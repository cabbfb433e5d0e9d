// Random ids of 128 bits as 26 letters and digits, which cannot be guessed or ordered.
import { randomFillSync } from 'node:crypto';

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';
const idBytes = 16;

/** Random bytes for 256 ids: requesting them costs more than creating an id. */
const random = Buffer.alloc(256 * idBytes);
let usedBytes = random.length;

/** 26 characters of base32 (RFC 4648, lower case). */
export function newId(): string {
  if (usedBytes === random.length) {
    randomFillSync(random);
    usedBytes = 0;
  }
  let id = '';
  let bits = 0;
  let length = 0;
  for (const end = usedBytes + idBytes; usedBytes < end; usedBytes++) {
    bits = (bits << 8) | (random[usedBytes] ?? 0);
    for (length += 8; length >= 5; length -= 5) id += alphabet[(bits >> (length - 5)) & 31];
    bits &= (1 << length) - 1;
  }
  return id + alphabet[(bits << (5 - length)) & 31];
}
