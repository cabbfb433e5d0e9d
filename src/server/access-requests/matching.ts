// Decides whether a text names a person: certainly, or possibly.
import { foldText } from '#shared/text.ts';

export type Person = { name: string; spellings: string[]; number: string; username: string };

const fold = (text: string) => foldText(text).replace(/\s+/g, ' ').trim();
const digits = (text: string) => text.replace(/\D/g, '');
const escapePattern = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

export type Match = 'sure' | 'possible' | undefined;

/** Compiled once for a search through many texts. */
export function createMatcher({ name, spellings, number, username }: Person) {
  const names = [name, ...spellings].map(fold).filter(Boolean);
  const allParts = names.map((name) => name.split(' '));
  const whole = new RegExp(`(?<![\\p{L}\\p{N}])(?:${names.map(escapePattern).join('|')})(?![\\p{L}\\p{N}])`, 'u');
  const account = fold(username);
  const user = account ? new RegExp(`(?<![\\p{L}\\p{N}])${escapePattern(account)}(?![\\p{L}\\p{N}])`, 'u') : undefined;
  const phone = digits(number);
  const shortestPhone = 6;

  return {
    /** Looks for the full name, the username or the number in a text. */
    inText(text: string): Match {
      const folded = fold(text);
      if (whole.test(folded) || user?.test(folded)) return 'sure';
      if (phone.length >= shortestPhone && digits(text).includes(phone)) return 'sure';
      return isNearInText(folded, allParts) ? 'possible' : undefined;
    },
    /** Whether there is a number that is not the person's. */
    isOtherNumber: (text: string) => phone !== '' && digits(text) !== '' && digits(text) !== phone,
  };
}

/** Whether consecutive words, as many as the name has, nearly equal the name in any order. */
function isNearInText(text: string, allParts: string[][]): boolean {
  const words = text.split(/[^\p{L}\p{N}']+/u).filter(Boolean);
  return allParts.some((parts) => {
    // Most words start with a different letter than the name, so they are skipped.
    const letters = new Set(parts.map((part) => part[0]));
    for (let start = 0; start + parts.length <= words.length; start++)
      if (letters.has(words[start]?.[0]) && isNear(words.slice(start, start + parts.length), parts)) return true;
    return false;
  });
}

function isNear(words: string[], parts: string[]): boolean {
  // The same words in another order: "Jones, Sian".
  if (parts.length > 1 && parts.includes(words[0] ?? '') && words.toSorted().join(' ') === parts.toSorted().join(' '))
    return true;
  return parts.every((part, index) => {
    const word = words[index] ?? '';
    const allowed = part.length <= 3 ? 0 : part.length <= 6 ? 1 : 2;
    return word[0] === part[0] && countChanges(word, part, allowed) <= allowed;
  });
}

/**
 * Edit distance: letters added, left out, changed or swapped with their neighbour. Stops counting
 * above `most`.
 */
function countChanges(a: string, b: string, most: number): number {
  if (a === b) return 0;
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min((previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (previous[j - 1] ?? 0) + change);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, (before[j - 2] ?? 0) + 1);
      row.push(best);
    }
    [before, previous] = [previous, row];
  }
  return previous[b.length] ?? 0;
}
