// Text as people type it: which characters are kept, how long it may be, and how it is compared in a search.
import * as z from 'zod/mini';

const controlCharacter = /(?![\t\n\r\x7F-\x9F])\p{Cc}/u;

/** Whether a text can be kept: no half of a surrogate pair, and no C0 control that is not a tab or a line end. */
export const isStorable = (text: string) => text.isWellFormed() && !controlCharacter.test(text);
export const notStorableMessage = 'This has a character that cannot be stored';

/** Length as a person counts it: code points, not UTF-16 units. */
const countCharacters = (text: string) => [...text].length;

type TextOptions = { max: number; min?: number; missing?: string; tooLong?: string };

/** Any number of lines, kept as typed. */
export function linesSchema({
  max,
  min = 0,
  missing = 'Please fill this in',
  tooLong = `At most ${max} characters`,
}: TextOptions) {
  return z.string(missing).check(
    // Composing characters (NFC) shortens a text to a sixth at most. Longer text is refused before it costs time.
    z.refine((value) => value.length <= 6 * max, { error: tooLong, abort: true }),
    z.refine(isStorable, { error: notStorableMessage, abort: true }),
    z.normalize('NFC'),
    z.refine((value) => countCharacters(value.trim()) >= min, missing),
    z.refine((value) => countCharacters(value) <= max, tooLong),
  );
}

/** One line: trimmed, and a line end becomes a space. */
export const lineSchema = (options: TextOptions) =>
  z.pipe(
    z.pipe(
      z.string(options.missing),
      z.transform((value: string) => value.replace(/[\r\n\u2028\u2029]+/g, ' ').trim()),
    ),
    linesSchema(options),
  );

/** Text folded for searching: without regard to case, accents and width. Letter by letter, so that any part of a text is found in it. */
export function foldText(value: string): string {
  // The one letter whose lower case depends on what follows it.
  return value.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ς', 'σ').normalize('NFKC');
}

/** The words of a search, folded; a match has every one of them somewhere. */
export function getSearchWords(query: string): string[] {
  const words = [...new Set(foldText(query).split(/\s+/).filter(Boolean))];
  // A word within another is found with it. A query of a hundred letters would otherwise be compared a hundred times.
  return words.filter((word) => !words.some((other) => other !== word && other.includes(word)));
}
