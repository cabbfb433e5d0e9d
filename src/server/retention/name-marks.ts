// Erases a person's name in the texts of a record, and erases the same places again in a restored
// record. Only the places are stored, not the name.
import { getErasureText } from '#shared/people/name-erasure.ts';
import { createWordFinder, mergeSpans, replaceSpans, type Span, splitName } from '#shared/people/redact.ts';
import { createDigitsPattern, parseTelephone } from '#shared/telephone.ts';

/** A function that returns the new text of a field. */
export type ReplaceText = (field: string, text: string) => string;

/** Where the names were, by field, in a text of this length. */
export type NameMarks = Record<string, { length: number; spans: Span[] }>;

export type ErasureTarget = { names: string[]; telephone: string };

const minDigits = 6;
const minLetters = 2;

const countLetters = (name: string) => name.match(/\p{L}/gu)?.length ?? 0;
const isOneWord = (name: string) => splitName(name).length === 1;

/**
 * Returns a function that finds whole names. A name of one word must begin with a capital letter in
 * the text, because it may also be an ordinary word ("Will", "May").
 */
function createNameMatcher(names: string[]): (text: string) => Span[] {
  const usableNames = names.filter((name) => countLetters(name) >= minLetters);
  const find = (words: string[]) => createWordFinder(words, { isWhole: true });
  const findOneWord = find(usableNames.filter(isOneWord));
  const findSeveralWords = find(usableNames.filter((name) => !isOneWord(name)));
  const isCapital = (text: string, { start }: Span) => !/^\p{Ll}/u.test(text.slice(start, start + 2));
  return (text) => [...findSeveralWords(text), ...findOneWord(text).filter((span) => isCapital(text, span))];
}

/**
 * Returns a function that finds a telephone number, however its digits are grouped, with or without
 * the country code.
 */
function createNumberFinder(telephone: string): (text: string) => Span[] {
  const digits = parseTelephone(telephone).replace(/\D+/g, '');
  if (digits.length < minDigits) return () => [];
  const digit = String.raw`[\d０-９]`;
  const pattern = new RegExp(`(?<!${digit})${createDigitsPattern(digits)}(?!${digit})`, 'gu');
  return (text) =>
    [...text.matchAll(pattern)].map(({ 0: { length }, index }) => ({ start: index, end: index + length }));
}

/** Creates a function that replaces the names in a text and records their places in `marks`. */
export function createEraser(
  { names, telephone }: ErasureTarget,
  now: Date,
): { replace: ReplaceText; marks: NameMarks } {
  const marks: NameMarks = {};
  const erasedText = getErasureText(now);
  const findNames = createNameMatcher(names);
  const findNumber = createNumberFinder(telephone);
  return {
    marks,
    replace(field, text) {
      // A report's contact number belongs to the person in its field `name`, so erase it with that
      // name.
      const isNumberOfPerson = field === 'contactNumber' && marks.name !== undefined && text !== '';
      const spans = isNumberOfPerson
        ? [{ start: 0, end: text.length }]
        : mergeSpans([...findNames(text), ...findNumber(text)]);
      if (spans.length === 0) return text;
      marks[field] = { length: text.length, spans };
      return replaceSpans(text, spans, () => erasedText);
    },
  };
}

/** Fields that users edit in records with a version. A test compares them with the columns of such records. */
export const isEditableField = (field: string) => /^(title|name|description|source)$|^(data|section) /.test(field);

/**
 * Creates a function that replaces the marked places. If a text is not the one that was marked, its
 * names may be anywhere, so the whole text is replaced. The same applies to texts that users edit
 * if the record has another version.
 */
export function createRepeatedEraser(marks: NameMarks, isSameVersion: boolean, erasedAt: Date): ReplaceText {
  const erasedText = getErasureText(erasedAt);
  return (field, text) => {
    const mark = marks[field];
    if (text === '' || !(mark || (!isSameVersion && isEditableField(field)))) return text;
    const isMarked = mark && isSameVersion && mark.length === text.length;
    return isMarked ? replaceSpans(text, mark.spans, () => erasedText) : erasedText;
  };
}
