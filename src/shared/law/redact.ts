// Blacks words out of a text.
import { foldText } from '../text.ts';

const escapePattern = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** Blacks words out, whatever their case and accents. */
export function redactText(text: string, words: string[]): string {
  const letters = [...text];
  const folded = letters.map((letter) => foldText(letter));
  // Where in the text each letter of the folded text comes from.
  const from = folded.flatMap((part, index) => Array.from({ length: part.length }, () => index));
  const whole = folded.join('');
  // A name may be broken between two lines.
  for (const word of words.map((word) => foldText(word).trim()).filter(Boolean))
    for (const { 0: found, index: at } of whole.matchAll(
      new RegExp(escapePattern(word).replace(/\s+/g, '\\s+'), 'gu'),
    )) {
      const [first = 0, last = 0] = [from[at], from[at + found.length - 1]];
      for (let index = first; index <= last; index++) if (/\S/.test(letters[index] ?? '')) letters[index] = '█';
    }
  return letters.join('');
}
