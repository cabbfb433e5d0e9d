// Finds a person's name in the texts of a record and replaces it, or does so again at the same
// places of a restored record. The places are remembered, the name is not.
import { getErasedText } from '#shared/law/blanking.ts';
import { findWords, mergeSpans, replaceSpans, type Span } from '#shared/law/redact.ts';

/** Returns the new text of a field. */
export type Replace = (field: string, text: string) => string;

/** Where the names were, by field, in a text of this length. */
export type Marks = Record<string, { length: number; spans: Span[] }>;

export type Names = { names: string[]; number: string };

const shortestNumber = 6;

/** Matches a telephone number however it is divided. */
function findNumber(text: string, number: string): Span[] {
  const digits = number.replace(/\D+/g, '');
  if (digits.length < shortestNumber) return [];
  const pattern = new RegExp(`(?<!\\d)${[...digits].join('[\\s()./-]*')}(?!\\d)`, 'g');
  return [...text.matchAll(pattern)].map(({ 0: { length }, index }) => ({ start: index, end: index + length }));
}

/** Replaces the names, and fills `marks`. */
export function createBlanker({ names, number }: Names, now: Date): { replace: Replace; marks: Marks } {
  const marks: Marks = {};
  const erased = getErasedText(now);
  return {
    marks,
    replace(field, text) {
      // A report's number belongs to the person whom it names.
      const isTheirNumber = field === 'contactNumber' && marks.name !== undefined && text !== '';
      const spans = isTheirNumber
        ? [{ start: 0, end: text.length }]
        : mergeSpans([...findWords(text, names, { isWhole: true }), ...findNumber(text, number)]);
      if (spans.length === 0) return text;
      marks[field] = { length: text.length, spans };
      return replaceSpans(text, spans, () => erased);
    },
  };
}

/**
 * Replaces what is at the marks. If the text is not the one that was marked, nothing says where its
 * names are, so it is replaced whole.
 */
export function createRepeatedBlanker(marks: Marks, isSameVersion: boolean, blankedAt: Date): Replace {
  const erased = getErasedText(blankedAt);
  return (field, text) => {
    const mark = marks[field];
    if (!mark || text === '') return text;
    return isSameVersion && mark.length === text.length ? replaceSpans(text, mark.spans, () => erased) : erased;
  };
}
