// Random ids of 128 bits as 26 letters and digits, which cannot be guessed or ordered.
import { randomFillSync } from 'node:crypto';

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';
const idBytes = 16;

/** Random bytes for 256 ids at once, because requesting bytes takes longer than creating an id. */
const random = Buffer.alloc(256 * idBytes);
let usedBytes = random.length;

/** 26 characters of base32 (RFC 4648, lower case). */
export function newId(): string {
  if (usedBytes === random.length) {
    randomFillSync(random);
    usedBytes = 0;
  }
  let id = '';
  let bitBuffer = 0;
  let length = 0;
  for (const end = usedBytes + idBytes; usedBytes < end; usedBytes++) {
    bitBuffer = (bitBuffer << 8) | (random[usedBytes] ?? 0);
    for (length += 8; length >= 5; length -= 5) id += alphabet[(bitBuffer >> (length - 5)) & 31];
    bitBuffer &= (1 << length) - 1;
  }
  return id + alphabet[(bitBuffer << (5 - length)) & 31];
}

export const isId = (text: string | undefined): text is string => /^[a-z2-7]{26}$/.test(text ?? '');

export const getIds = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);
