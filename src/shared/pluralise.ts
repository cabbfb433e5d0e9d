/** Formats a count with its noun, such as `1 report` or `3 reports`. Only for plurals in -s. */
export const pluralise = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;
