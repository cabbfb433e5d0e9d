// Finds words in a text, ignoring case and accents, and replaces them.
import { foldText } from '../text.ts';

const escapePattern = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** A part of a text, from `start` up to but not including `end`. */
export type Span = { start: number; end: number };

type FindOptions = {
  /** Finds only whole words, none inside longer ones. */
  isWhole?: boolean;
};

const apostrophes = "['’‘ʼ]";
const separatorPattern = '[\\s_.\\p{Pd}]+';

/** Returns the folded words of a name, which white space, dots, underscores or dashes may separate. */
export const splitName = (name: string): string[] =>
  foldText(name).split(new RegExp(separatorPattern, 'u')).filter(Boolean);

const toPattern = (name: string) =>
  splitName(name)
    .map((word) => escapePattern(word).replace(new RegExp(apostrophes, 'g'), apostrophes))
    .join(separatorPattern);

/** Returns a function that says where a text contains the words, in order and without overlaps. */
export function createWordFinder(words: string[], { isWhole = false }: FindOptions = {}): (text: string) => Span[] {
  const patterns = words
    .map(toPattern)
    .filter(Boolean)
    .map((word) => new RegExp(isWhole ? `(?<![\\p{L}\\p{N}])${word}(?![\\p{L}\\p{N}])` : word, 'gu'));
  if (patterns.length === 0) return () => [];
  return (text) => {
    const { folded, toOriginalStart, toOriginalEnd } = foldWithPositions(text);
    const found = patterns.flatMap((pattern) =>
      [...folded.matchAll(pattern)].map(({ 0: { length }, index }) => ({
        start: toOriginalStart(index),
        end: toOriginalEnd(index + length - 1),
      })),
    );
    return mergeSpans(found);
  };
}

/** Returns the spans in order, with overlapping ones merged. */
export function mergeSpans(spans: Span[]): Span[] {
  const mergedSpans: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    const last = mergedSpans.at(-1);
    if (last && span.start < last.end) last.end = Math.max(last.end, span.end);
    else mergedSpans.push({ ...span });
  }
  return mergedSpans;
}

/** Replaces parts of a text, as a word finder returns them. */
export function replaceSpans(text: string, spans: Span[], replace: (part: string) => string): string {
  let done = 0;
  let result = '';
  for (const { start, end } of spans) {
    result += text.slice(done, start) + replace(text.slice(start, end));
    done = end;
  }
  return result + text.slice(done);
}

/** Returns a text with these words blacked out. */
export const redactText = (text: string, words: string[]): string =>
  replaceSpans(text, createWordFinder(words)(text), (part) => part.replace(/\S/gu, '█'));

/**
 * Folds a text letter by letter. Also returns functions that map a position in the folded text to
 * the start and end of its letter in the original. Stores only the letters whose length changes.
 */
function foldWithPositions(text: string) {
  const known = new Map<string, string>();
  const changes: { foldedStart: number; foldedEnd: number; start: number; end: number }[] = [];
  let lengthChange = 0;
  const folded = text.replace(/[^\0-\x7f]/gu, (letter: string, start: number) => {
    const foldedLetter = known.get(letter) ?? foldText(letter);
    known.set(letter, foldedLetter);
    if (foldedLetter.length !== letter.length) {
      const foldedStart = start + lengthChange;
      changes.push({ foldedStart, foldedEnd: foldedStart + foldedLetter.length, start, end: start + letter.length });
      lengthChange += foldedLetter.length - letter.length;
    }
    return foldedLetter;
  });
  /** Returns the last letter with another length that starts at or before this position. */
  const findChange = (at: number) => {
    let [lowIndex, highIndex] = [0, changes.length];
    while (lowIndex < highIndex) {
      const middle = (lowIndex + highIndex) >> 1;
      if ((changes[middle]?.foldedStart ?? 0) <= at) lowIndex = middle + 1;
      else highIndex = middle;
    }
    return changes[lowIndex - 1];
  };
  return {
    folded: folded.toLowerCase(),
    toOriginalStart(at: number): number {
      const change = findChange(at);
      if (!change) return at;
      return at < change.foldedEnd ? change.start : change.end + at - change.foldedEnd;
    },
    toOriginalEnd(at: number): number {
      const change = findChange(at);
      if (!change) return at + 1;
      return at < change.foldedEnd ? change.end : change.end + at - change.foldedEnd + 1;
    },
  };
}
