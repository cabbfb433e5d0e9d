// Blacks words out of a text.
import { foldText } from '../text.ts';

const escapePattern = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** Blacks words out, ignoring case and accents. */
export function redactText(text: string, words: string[]): string {
  if (words.length === 0) return text;
  const letters = [...text];
  const known = new Map<string, string>();
  const folded = letters.map((letter) => {
    const fold = known.get(letter) ?? foldText(letter);
    known.set(letter, fold);
    return fold;
  });
  // The position in the original text of each letter of the folded text.
  const from = folded.flatMap((part, index) => Array.from({ length: part.length }, () => index));
  const whole = folded.join('');
  // A name may be broken across two lines.
  for (const word of words.map((word) => foldText(word).trim()).filter(Boolean))
    for (const { 0: found, index: at } of whole.matchAll(
      new RegExp(escapePattern(word).replace(/\s+/g, '\\s+'), 'gu'),
    )) {
      const [first = 0, last = 0] = [from[at], from[at + found.length - 1]];
      for (let index = first; index <= last; index++) if (/\S/.test(letters[index] ?? '')) letters[index] = '█';
    }
  return letters.join('');
}
