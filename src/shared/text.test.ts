import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { foldText, getSearchWords, isStorable, lineSchema, linesSchema } from './text.ts';

const anyText = fc.string({ unit: 'binary', maxLength: 60 });

describe('multi-line text', () => {
  const read = linesSchema({ max: 50 });
  test('multi-line text is stored as typed in NFC, or rejected', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { success, data } = read.safeParse(text);
        expect(success).toBe(isStorable(text) && [...text.normalize('NFC')].length <= 50);
        if (success) expect([data, read.parse(data)]).toEqual([text.normalize('NFC'), data]);
      }),
      { numRuns: 500 },
    );
  });

  test('the length of multi-line text is counted in characters', () => {
    expect(linesSchema({ max: 3 }).safeParse('👩👩👩').success).toBe(true);
    expect(linesSchema({ max: 3 }).safeParse('👩👩👩a').success).toBe(false);
    expect(linesSchema({ max: 1 }).safeParse('e\u0301').success).toBe(true);
    expect(linesSchema({ max: 9, min: 1 }).safeParse(' \n ').success).toBe(false);
  });
});

test('single-line text has no line ends or surrounding spaces', () => {
  const read = lineSchema({ max: 60 });
  fc.assert(
    fc.property(anyText, (text) => {
      const { success, data } = read.safeParse(text);
      expect(success || !isStorable(text)).toBe(true);
      if (!success) return;
      expect(data).toBe(data.trim());
      expect(data).not.toMatch(/[\r\n\u2028\u2029]/);
      expect(read.parse(data)).toBe(data);
    }),
    { numRuns: 500 },
  );
  expect(read.parse(' a\r\nb\u2028c ')).toBe('a b c');
});

test.each([...'\0\x01\x07\b\v\f\x0e\x1b\x1f'].concat('\ud83d', '\ude00', 'a\udc00b'))(
  'the text %j cannot be stored',
  (text) => {
    expect(isStorable(text)).toBe(false);
  },
);
test.each(['', 'a', '\t\n\r', '\x7f\x85\x9f', '\u00a0\ufeff\u200d\u202e\uffff', '😀', '\u{10ffff}'])(
  'the text %j can be stored',
  (text) => {
    expect(isStorable(text)).toBe(true);
  },
);

describe('text for searching', () => {
  // Marks belong to the letter before them, and Hangul letters form syllables, so parts are cut
  // between whole letters.
  const letters = fc.array(
    fc.oneof(
      fc.constantFrom(...'aÄßéŵŷİıΣςσΟДЖ山日本ｱａＡ가각Ⅷﬁ%_\\"\'*(^ 0९٣😀🏴'),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
    ),
    { minLength: 1, maxLength: 12 },
  );

  test('a search in folded text finds any part of a text, regardless of case', () => {
    fc.assert(
      fc.property(letters, fc.nat(), fc.nat(), (text, from, length) => {
        const start = from % text.length;
        const part = text.slice(start, start + 1 + (length % text.length)).join('');
        const stored = foldText(text.join('').normalize('NFC'));
        for (const word of getSearchWords(part)) expect(stored).toContain(word);
      }),
      { numRuns: 1000 },
    );
  });

  test('folding a folded text again changes nothing', () => {
    fc.assert(
      fc.property(anyText, (text) => void expect(foldText(foldText(text))).toBe(foldText(text))),
      { numRuns: 500 },
    );
  });

  test.each([
    ['Siân Ŵyn', 'sian wyn'],
    ['ＡＢＣ', 'abc'],
    ['ΟΔΥΣΣΕΥΣ', 'οδυσσευσ'],
    ['İstanbul', 'istanbul'],
    ['가각', '가각'],
    ['100% _x\\', '100% _x\\'],
  ])('folding a text for search turns %s into %s', (text, folded) => {
    expect(foldText(text)).toBe(folded);
  });

  test('a search for empty text has no words', () => {
    expect(getSearchWords(' \t\n\u3000\u0301')).toEqual([]);
  });
});

test('a search uses each word once, and none that is part of another', () => {
  expect(getSearchWords('Pool  POOL poolside wet a l')).toEqual(['poolside', 'wet', 'a']);
  expect(getSearchWords('a b '.repeat(50))).toEqual(['a', 'b']);
});
