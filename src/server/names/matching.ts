// Decides whether a text names a person: certainly, or possibly.
import type { Person } from '#shared/people/access-requests.ts';
import { parseTelephone } from '#shared/telephone.ts';
import { foldText } from '#shared/text.ts';

/** Folds case and accents, and uses single spaces and one kind of apostrophe and hyphen. */
const foldForMatching = (text: string) =>
  foldText(text)
    .replace(/[’‘ʼ]/g, "'")
    .replace(/\p{Pd}/gu, '-')
    .replace(/\s{2,}|[^\S ]/g, ' ')
    .trim();
const getDigits = (text: string) => text.normalize('NFKC').replace(/\D+/g, '');
/**
 * Returns the digits without the leading 0 or the country code, so that a number is found with
 * either.
 */
const getTelephoneDigits = (text: string) => getDigits(parseTelephone(text)).replace(/^0(?=\d{10}$)/, '');

/** Splits a double-barrelled name into words too, because it is also written with a space. */
const splitWords = (text: string) => text.split(/[^\p{L}\p{N}']+/u).filter(Boolean);

type MatchCertainty = 'sure' | 'possible' | undefined;

/** Prepares a search for a person, which is then used on many texts. */
export function createMatcher({ name, spellings, number, username }: Person) {
  const names = [...new Set([name, ...spellings].map(foldForMatching).filter(Boolean))];
  const foldedUsername = foldForMatching(username);
  const namesAndUsername = foldedUsername ? [...names, foldedUsername] : names;
  const containsSimilarName = createSimilarNameSearch(names.map(splitWords));
  const phoneDigits = getTelephoneDigits(number);
  const minPhoneDigits = 6;

  return {
    /** Looks for the full name, the username or the number in a text. */
    findInText(text: string): MatchCertainty {
      const foldedText = foldForMatching(text);
      if (namesAndUsername.some((name) => containsWords(foldedText, name))) return 'sure';
      if (phoneDigits.length >= minPhoneDigits && getDigits(text).includes(phoneDigits)) return 'sure';
      return containsSimilarName(foldedText) ? 'possible' : undefined;
    },
    /** Whether the text is a telephone number other than the person's. */
    isOtherNumber(text: string): boolean {
      const other = getTelephoneDigits(text);
      return phoneDigits !== '' && other !== '' && other !== phoneDigits;
    },
  };
}

/** Whether a text contains a name, and not only as part of longer words. */
function containsWords(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const end = at + name.length;
    const isInsideWord = /[\p{L}\p{N}]$/u.test(text.slice(Math.max(0, at - 2), at));
    if (!isInsideWord && !/^[\p{L}\p{N}]/u.test(text.slice(end, end + 2))) return true;
  }
  return false;
}

/**
 * Returns whether consecutive words of a text, as many as a name has, nearly equal it, or equal it in
 * another order.
 */
function createSimilarNameSearch(names: string[][]): (text: string) => boolean {
  // Most words match no name, so only names with the same first letter or that word are compared.
  const namesByInitial = Map.groupBy(names, ([first = '']) => first[0]);
  const namesByWord = new Map<string, string[][]>();
  for (const parts of names.filter(({ length }) => length > 1))
    for (const part of new Set(parts)) namesByWord.set(part, [...(namesByWord.get(part) ?? []), parts]);
  return (text) => {
    const words = splitWords(text);
    return words.some(
      (word, start) =>
        namesByInitial.get(word[0])?.some((parts) => isSimilarName(words, start, parts)) ||
        namesByWord.get(word)?.some((parts) => hasSameWords(words, start, parts)),
    );
  };
}

/** Whether the words from `start` are those of the name in any order: "Jones, Sian". */
function hasSameWords(words: string[], start: number, parts: string[]): boolean {
  const end = start + parts.length;
  // Compare the total length first: sorting is slow if a text repeats one of the words many times.
  let length = 0;
  for (let at = start; at < end; at++) length += words[at]?.length ?? 0;
  if (length !== parts.join('').length) return false;
  return words.slice(start, end).toSorted().join(' ') === parts.toSorted().join(' ');
}

function isSimilarName(words: string[], start: number, parts: string[]): boolean {
  return parts.every((part, index) => {
    const word = words[start + index] ?? '';
    const maxChanges = part.length <= 3 ? 0 : part.length <= 6 ? 1 : 2;
    return word[0] === part[0] && countChanges(word, part, maxChanges) <= maxChanges;
  });
}

/**
 * Edit distance: letters added, left out, changed or swapped with their neighbour. Stops counting
 * above `maxCount`.
 */
function countChanges(a: string, b: string, maxCount: number): number {
  if (a === b) return 0;
  if (Math.abs(a.length - b.length) > maxCount) return maxCount + 1;
  let rowBeforePrevious: number[] = [];
  let previousRow = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1;
      let lowestCost = Math.min((previousRow[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (previousRow[j - 1] ?? 0) + change);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        lowestCost = Math.min(lowestCost, (rowBeforePrevious[j - 2] ?? 0) + 1);
      row.push(lowestCost);
    }
    [rowBeforePrevious, previousRow] = [previousRow, row];
  }
  return previousRow[b.length] ?? 0;
}
