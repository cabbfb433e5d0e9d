/** Texts of different origins one after the other, each closed with a full stop where it has none. */
export const joinSentences = (...texts: string[]): string =>
  texts
    .filter(Boolean)
    .map((text) => (/[.!?…]["”’)]?$/.test(text) ? text : `${text}.`))
    .join(' ');
