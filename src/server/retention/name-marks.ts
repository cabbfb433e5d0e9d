// Finds a person's name in the texts of a record and replaces it, or does so again at the same
// places of a restored record. The places are remembered, the name is not.
import { getErasedText } from '#shared/law/name-erasure.ts';
import { createWordFinder, mergeSpans, replaceSpans, type Span, splitName } from '#shared/law/redact.ts';
import { parseTelephone } from '#shared/telephone.ts';

/** Returns the new text of a field. */
export type ReplaceText = (field: string, text: string) => string;

/** Where the names were, by field, in a text of this length. */
export type NameMarks = Record<string, { length: number; spans: Span[] }>;

export type PersonNames = { names: string[]; number: string };

const shortestNumber = 6;
const shortestName = 2;

const countLetters = (name: string) => name.match(/\p{L}/gu)?.length ?? 0;
const isOneWord = (name: string) => splitName(name).length === 1;

/**
 * Finds whole names. One word may be an ordinary word too ("Will", "May"), so it has to begin with a
 * capital letter.
 */
function createNameFinder(names: string[]): (text: string) => Span[] {
  const usableNames = names.filter((name) => countLetters(name) >= shortestName);
  const find = (words: string[]) => createWordFinder(words, { isWhole: true });
  const findOneWord = find(usableNames.filter(isOneWord));
  const findSeveralWords = find(usableNames.filter((name) => !isOneWord(name)));
  const isCapital = (text: string, { start }: Span) => !/^\p{Ll}/u.test(text.slice(start, start + 2));
  return (text) => [...findSeveralWords(text), ...findOneWord(text).filter((span) => isCapital(text, span))];
}

/** Finds a telephone number however it is divided, with or without the code of the country. */
function createNumberFinder(number: string): (text: string) => Span[] {
  const digits = parseTelephone(number).replace(/\D+/g, '');
  if (digits.length < shortestNumber) return () => [];
  const separatorPattern = '[\\s()./\\p{Pd}]*';
  const toPattern = (digits: string) => [...digits].join(separatorPattern);
  const isBritish = /^0\d{10}$/.test(digits);
  const britishPattern = `(?:(?:\\+|00)${separatorPattern}4${separatorPattern}4${separatorPattern}0?|0)${separatorPattern}${toPattern(digits.slice(1))}`;
  const pattern = new RegExp(`(?<!\\d)${isBritish ? britishPattern : toPattern(digits)}(?!\\d)`, 'gu');
  return (text) =>
    [...text.matchAll(pattern)].map(({ 0: { length }, index }) => ({ start: index, end: index + length }));
}

/** Creates a function that replaces the names in a text and records their places in `marks`. */
export function createEraser({ names, number }: PersonNames, now: Date): { replace: ReplaceText; marks: NameMarks } {
  const marks: NameMarks = {};
  const erasedText = getErasedText(now);
  const findNames = createNameFinder(names);
  const findNumber = createNumberFinder(number);
  return {
    marks,
    replace(field, text) {
      // A report's contact number belongs to the person whom the report names.
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

/** Fields of audits and folders that users edit. */
const isEditableField = (field: string) => /^(title|name|description|source)$|^data /.test(field);

/**
 * Replaces what is at the marks. If the text is not the one that was marked, nothing says where its
 * names are, so it is replaced whole; so are all edited texts of another version.
 */
export function createRepeatedEraser(marks: NameMarks, isSameVersion: boolean, erasedAt: Date): ReplaceText {
  const erasedText = getErasedText(erasedAt);
  return (field, text) => {
    const mark = marks[field];
    if (text === '' || !(mark || (!isSameVersion && isEditableField(field)))) return text;
    const isMarked = mark && isSameVersion && mark.length === text.length;
    return isMarked ? replaceSpans(text, mark.spans, () => erasedText) : erasedText;
  };
}
