import { foldText, getSearchWords } from '#shared/text.ts';

const reach = 40;

/**
 * Returns the part of the first text that has a word of the search, with about 40 characters on both sides; '' if none
 * has one, or the title already shows them all.
 */
export function getExcerpt(title: string, texts: string[], search: string): string {
  const words = getSearchWords(search).filter((word) => !foldText(title).includes(word));
  if (words.length === 0) return '';
  for (const text of texts) {
    const letters = [...text.replace(/\s+/g, ' ')];
    // Folded one by one, so that a position in the folded text can be found in the text itself.
    const folded = letters.map(foldText);
    const foldedText = folded.join('');
    const at = words.map((word) => foldedText.indexOf(word)).find((at) => at >= 0);
    if (at === undefined) continue;
    let first = 0;
    for (let length = 0; length + (folded[first]?.length ?? 0) <= at; first++) length += folded[first]?.length ?? 0;
    const [start, end] = [Math.max(0, first - reach), first + 2 * reach];
    return `${start > 0 ? '…' : ''}${letters.slice(start, end).join('').trim()}${end < letters.length ? '…' : ''}`;
  }
  return '';
}
