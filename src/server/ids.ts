// Random ids of 128 bits as 26 letters and digits, which cannot be guessed or ordered.
import { randomFillSync } from 'node:crypto';

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';
const idBytes = 16;

/** Random bytes for 256 ids: requesting them costs more than creating an id. */
const random = Buffer.alloc(256 * idBytes);
let used = random.length;

/** 26 characters of base32 (RFC 4648, lower case). */
export function newId(): string {
  if (used === random.length) {
    randomFillSync(random);
    used = 0;
  }
  let id = '';
  let bits = 0;
  let length = 0;
  for (const end = used + idBytes; used < end; used++) {
    bits = (bits << 8) | (random[used] ?? 0);
    for (length += 8; length >= 5; length -= 5) id += alphabet[(bits >> (length - 5)) & 31];
    bits &= (1 << length) - 1;
  }
  return id + alphabet[(bits << (5 - length)) & 31];
}
