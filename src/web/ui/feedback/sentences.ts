/** Joins texts from different sources, adding a full stop to each that lacks one. */
export const joinSentences = (...texts: string[]): string =>
  texts
    .filter(Boolean)
    .map((text) => (/[.!?…]["”’)]?$/.test(text) ? text : `${text}.`))
    .join(' ');
