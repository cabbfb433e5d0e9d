// Labels of places: their codes, and the pages to print.
import { randomBytes } from 'node:crypto';
import { renderSVG } from 'uqr';
import type { Place } from '#shared/places/places.ts';
import type { PdfDocument, PdfLabels } from '../pdf/document.ts';

/** Crockford's base 32, without letters that look like digits. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Returns a letter or digit for each byte, from five of its bits. */
export const toCode = (bytes: Uint8Array) => Array.from(bytes, (byte) => alphabet[byte % 32]).join('');

/** A code of 10 letters and digits, 50 random bits. */
export const createLabel = () => toCode(randomBytes(10));

/** Returns a code that someone typed as it was created: in capitals, with digits for letters that look like them. */
export const parseCode = (typed: string) => typed.toUpperCase().replaceAll('O', '0').replace(/[IL]/g, '1');

const maxNameLength = 60;
const shorten = (name: string) =>
  [...name].length > maxNameLength ? `${[...name].slice(0, maxNameLength - 1).join('')}…` : name;

type LabelOptions = { size: string; folder: string; texts: PdfLabels['texts']; park: string; madeAt: Date };

/** Returns the pages with labels that lead to `code` in the folder. `size` is the number of labels on a page. */
export function createLabelPages(
  places: readonly (Pick<Place, 'name' | 'park'> & { code: string })[],
  { size, folder, texts, park, madeAt }: LabelOptions,
): PdfDocument {
  const items = places.map(({ name, park, code }) => {
    // The URL is printed in letters too, so that a false label can be recognised.
    const address = `${folder.replace(/^https?:\/\//, '')}\n${code}`;
    return { name: shorten(name), park, address, qrCode: renderSVG(folder + code) };
  });
  return {
    ...{ title: 'Labels', number: park, madeAt, parts: [] },
    labels: { perPage: Number(size), items, texts },
  };
}
