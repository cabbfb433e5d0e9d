// Makes any text printable. PDF/A forbids characters that no font has a glyph for, so they are
// printed as code points.

/**
 * Invisible characters that reorder or hide text: controls, bidi overrides and marks, soft hyphens,
 * word joiners, byte order marks.
 */
const unprintablePattern = /[\p{Cc}\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/u;
const invisiblePattern = /\p{Default_Ignorable_Code_Point}/u;
/**
 * No name has more than three marks on a letter, with or without joiners between them. More of them would cover the lines
 * above and below.
 */
const stackedMarksPattern = /(?<=(?:[\p{Mn}\p{Me}][\u200c\u200d]*){3})[\p{Mn}\p{Me}]/gu;
const privateUsePattern = /\p{Co}/u;
const latinPattern = /[\u0020-\u024f\u1e00-\u1eff\u2000-\u206f\u20a0-\u20c0]/u;

/**
 * Returns text the fonts can show: well-formed, NFC, lines ending in `\n`, without invisible
 * characters, and `[U+13080]` for characters without a glyph and marks stacked too high. `isCovered`
 * tells whether a font has a code point.
 */
export function cleanText(text: string, isCovered: (codePoint: number) => boolean) {
  const lines = text
    .toWellFormed()
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replaceAll('\t', ' ');
  const visibleText = replaceCharacters(lines, (character, codePoint) => {
    if (character === '\n') return character;
    const isHidden = invisiblePattern.test(character) && !isCovered(codePoint);
    return isHidden || unprintablePattern.test(character) ? '' : character;
  });
  // Only without what nobody sees are marks beside each other that are printed so.
  const printedText = visibleText
    .normalize('NFC')
    .replace(stackedMarksPattern, (mark) => toCodePointText(mark.codePointAt(0) as number));
  return replaceCharacters(printedText, (character, codePoint) =>
    character === '\n' || (isCovered(codePoint) && !privateUsePattern.test(character))
      ? character
      : toCodePointText(codePoint),
  );
}

/**
 * Replaces all non-Latin characters by their code points, for rare mixtures of scripts that the
 * fonts cannot show together.
 */
export function escapeNonLatin(text: string) {
  return replaceCharacters(text, (character, codePoint) =>
    character === '\n' || latinPattern.test(character) ? character : toCodePointText(codePoint),
  );
}

function replaceCharacters(text: string, replacement: (character: string, codePoint: number) => string) {
  if (/^[\n\x20-\x7e]*$/.test(text)) return text;
  return Array.from(text, (character) => replacement(character, character.codePointAt(0) as number)).join('');
}

const toCodePointText = (codePoint: number) => `[U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}]`;
