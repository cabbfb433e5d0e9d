// Decodes text files as spreadsheets write them.

/** A way to read a file: its text, and the words that may have wrong letters, such as `Si‰n`. */
export type Reading = { text: string; doubtfulWords: string[] };

/** A sign between two letters, or a character of a failed conversion. */
const brokenWordPattern = /\p{L}[^\p{L}\p{M}\p{N}\p{Pd}\p{Cf}\s\0-\x7f‘’·]\p{L}|[\x80-\x9f\ufffd]/u;

/**
 * What letters of old Macintosh programs become in Windows-1252: signs after a letter, an apostrophe before a small
 * letter, capital letters inside a word, and letters that are rare in Britain.
 */
const macintoshPattern =
  /\p{L}[^\p{L}\p{M}\p{N}\s\0-\x7f’]|\p{Ll}’(?![st](?!\p{L}))\p{Ll}|\p{Ll}[À-Þ]|\p{L}Õ|[ŠŒŽšœžŸƒ\x80-\x9f]/u;

type Word = { start: number; end: number };

function findWords(text: string, pattern: RegExp): Word[] {
  // Only words with other letters than English ones can be wrong.
  const words = [...text.matchAll(/[^\s,;"]*[^\s,;"\0-\x7f][^\s,;"]*/g)];
  return words
    .filter(([word]) => pattern.test(word))
    .map(({ 0: word, index }) => ({ start: index, end: index + word.length }));
}

const createReading = (text: string, words: Word[]): Reading => ({
  text,
  doubtfulWords: [...new Set(words.map(({ start, end }) => text.slice(start, end)))],
});

const hasMark = (bytes: Uint8Array, ...mark: number[]) => mark.every((byte, index) => bytes[index] === byte);

/** Returns whether a file is UTF-16: it has a mark or, as most of its letters are English, every second byte is 0. */
function findUtf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (hasMark(bytes, 0xff, 0xfe)) return 'utf-16le';
  if (hasMark(bytes, 0xfe, 0xff)) return 'utf-16be';
  const zeros = [0, 0];
  for (const [index, byte] of bytes.entries()) if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  if (Math.max(even, odd) < bytes.length / 4) return undefined;
  return odd > even ? 'utf-16le' : 'utf-16be';
}

function decode(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * Reads a text file in UTF-16, UTF-8, or as older spreadsheets write it: Windows-1252. Returns other ways to
 * read it too if some of its letters may be wrong.
 */
export function readTextBytes(bytes: Uint8Array): [Reading, ...Reading[]] {
  const text = decode(bytes, findUtf16(bytes) ?? 'utf-8');
  if (text !== undefined) return [createReading(text, findWords(text, brokenWordPattern))];
  const windowsText = new TextDecoder('windows-1252').decode(bytes);
  const words = findWords(windowsText, macintoshPattern);
  const reading = createReading(windowsText, words);
  // Both encodings have one byte for each character, so the words are at the same places.
  return words.length === 0 ? [reading] : [reading, createReading(new TextDecoder('macintosh').decode(bytes), words)];
}
