// Text input: allowed characters, length limits, and folding for search.
import * as z from 'zod/mini';

// biome-ignore lint/suspicious/noControlCharactersInRegex: several times faster than \p{Cc}.
const controlCharacter = /[\0-\x08\x0B\x0C\x0E-\x1F]/;

/**
 * Whether a text can be stored: no unpaired surrogates, and no C0 controls except tabs and line
 * ends.
 */
export const isStorable = (text: string) => text.isWellFormed() && !controlCharacter.test(text);
export const notStorableMessage = 'This contains a character that cannot be stored';

/**
 * Whether a text has more code points than `max`. Counts them only if it has more UTF-16 units, of
 * which there are never fewer.
 */
const isLongerThan = (text: string, max: number) => text.length > max && [...text].length > max;

/** Whether a text has a character that can be seen. Braille has one without dots. */
export const hasVisibleText = (text: string) => /[^\s\u2800\p{Default_Ignorable_Code_Point}\p{Cf}]/u.test(text);

type TextOptions = { max: number; min?: number; missing?: string; tooLong?: string };

/** Creates the schema of a text of any number of lines, stored as typed. */
export function linesSchema({
  max,
  min = 0,
  missing = 'Please fill this in',
  tooLong = `At most ${max} characters`,
}: TextOptions) {
  return z.string(missing).check(
    // Reject much too long text before normalising it. NFC shortens a text at most to a sixth of
    // its length.
    z.refine((value) => value.length <= 6 * max, { error: tooLong, abort: true }),
    z.refine(isStorable, { error: notStorableMessage, abort: true }),
    z.normalize('NFC'),
    z.refine((value) => min === 0 || isLongerThan(value.trim(), min - 1), missing),
    z.refine((value) => !isLongerThan(value, max), tooLong),
  );
}

/** Creates the schema of a text of one line: trimmed, with line ends replaced by spaces. */
export const lineSchema = (options: TextOptions) =>
  z.pipe(
    z.pipe(
      z.string(options.missing),
      z.transform((value: string) => value.replace(/[\r\n\u2028\u2029]+/g, ' ').trim()),
    ),
    linesSchema(options),
  );

/** Whether a text is ASCII only, as most are, and so has no accents to remove. */
const isAsciiText = (text: string) => !/[^\t\n\r -~]/.test(text);

/**
 * Folds text for search, ignoring case, accents and width. Works per character, so that any part of
 * a text can be found.
 */
export function foldText(value: string): string {
  if (isAsciiText(value)) return value.toLowerCase();
  // Use one form of the Greek sigma, the only letter whose lower case depends on its position in
  // the word.
  return value.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ς', 'σ').normalize('NFKC');
}

/** Whether every word of a search occurs in at least one of the texts. */
export function matchesSearch(texts: string[], search: string): boolean {
  const text = foldText(texts.join('\n'));
  return getSearchWords(search).every((word) => text.includes(word));
}

/** Returns the folded words of a search; all must match. */
export function getSearchWords(query: string): string[] {
  const words = [...new Set(foldText(query).split(/\s+/).filter(Boolean))];
  // Skips words contained in others, which are found with them. A query of a hundred letters would
  // otherwise be compared a hundred times.
  return words.filter((word) => !words.some((other) => other !== word && other.includes(word)));
}

/** Returns a key that is the same for names that only differ in case, accents and spaces. */
export const getNameKey = (name: string) => foldText(name).trim().replace(/\s+/g, ' ');

/** Returns a key that is the same for texts that also differ in characters that nobody sees. */
export const getVisibleKey = (text: string) =>
  getNameKey(text.replace(/[\u2800\p{Default_Ignorable_Code_Point}\p{Cf}]/gu, ''));
