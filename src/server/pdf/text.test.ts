import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadFontCoverage } from './fonts.ts';
import { cleanText, escapeNonLatin } from './text.ts';

const isCovered = loadFontCoverage();
const cleanCovered = (text: string) => cleanText(text, isCovered);

describe('cleaning text for print', () => {
  it('cleaning text keeps characters that the fonts have', () => {
    for (const text of [
      'Tŷ Ŵyn, Ynys Môn',
      '日本語',
      '한국어',
      '简体中文',
      'العربية',
      'עברית',
      'ภาษาไทย',
      'Ελλάδα',
      'हिन्दी',
      '🧑‍🚒🏴󠁧󠁢󠁷󠁬󠁳󠁿',
    ])
      expect(cleanCovered(text)).toBe(text.normalize('NFC'));
  });

  it('cleaning text replaces characters without a glyph by their code point', () => {
    expect(cleanCovered('a𓂀b')).toBe('a[U+13080]b');
    expect(cleanCovered('\ue000\uffff')).toBe('[U+E000][U+FFFF]');
  });

  it('cleaning text keeps three marks on a letter, and replaces the others by their code points', () => {
    expect(cleanCovered('Z\u0310\u033a\u0310\u033a\u0310b')).toBe('Z\u033a\u033a\u0310[U+0310][U+0310]b');
    for (const name of ['Nguyễn', 'கௌரி', 'শ্রী', 'שָׁלוֹם']) expect(cleanCovered(name)).toBe(name.normalize('NFC'));
  });

  it.each([...['200B', '2060', '200C', '200D', '00AD', 'FEFF', '202E', '034F', '20DD', '0488']])(
    'cleaning text finds stacked marks with U+%s between them',
    (between) => {
      const stack = `\u0301${String.fromCodePoint(Number.parseInt(between, 16))}`.repeat(20);
      expect(cleanCovered(`q${stack}x`).match(/[\p{Mn}\p{Me}]/gu)).toHaveLength(3);
    },
  );

  it('cleaning text removes invisible controls, bidi overrides and marks', () => {
    expect(cleanCovered('a\0b\x1b[0mc\u202Etxt.exe\u2066\ufeffd\u00ad')).toBe('ab[0mctxt.exed');
  });

  it('cleaning text normalises line ends and converts to Unicode NFC', () => {
    expect(cleanCovered('a\r\nb\rc\u2028d\te')).toBe('a\nb\nc\nd e');
    expect(cleanCovered('w\u0302')).toBe('ŵ');
  });

  it('cleaning text replaces unpaired surrogates', () => {
    expect(cleanCovered('a\ud83db')).toBe('a\ufffdb');
  });

  it('cleaned text is well-formed and has a glyph for each character, and cleaning it again changes nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const cleanedText = cleanCovered(text);
        expect(cleanedText.isWellFormed()).toBe(true);
        for (const character of cleanedText)
          expect(character === '\n' || isCovered(character.codePointAt(0) as number)).toBe(true);
        expect(cleanCovered(cleanedText)).toBe(cleanedText);
      }),
    );
  });

  it('escaping text replaces all non-Latin letters by their code points', () => {
    expect(escapeNonLatin('Ŵŷn – £5\nあ🙂')).toBe('Ŵŷn – £5\n[U+3042][U+1F642]');
  });
});
