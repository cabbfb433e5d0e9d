// Telephone numbers, as people type and copy them.
import * as z from 'zod/mini';
import { textLimits } from './choices.ts';
import { lineSchema } from './text.ts';

/** Characters that nobody sees: phones and pages put them around a number that is copied. */
const invisible = String.raw`\p{Default_Ignorable_Code_Point}\p{Cf}`;
/** What stands between the digits of a number. The minus sign and the dots in the middle are no hyphens for Unicode. */
const separators = String.raw`\s().（）．·‧\p{Pd}−`;
const countryCode = String.raw`(?:\+|00)44`;
const invisiblePattern = new RegExp(`[${invisible}]`, 'gu');
const separatorPattern = new RegExp(`[${separators}/]`, 'gu');
const countryCodePattern = new RegExp(`^${countryCode}0?`);

/** Removes what nobody sees. Replaces digits and signs that are as wide as Chinese letters by the usual ones. */
const normaliseCharacters = (text: string) => text.replace(invisiblePattern, '').normalize('NFKC');

/** Returns a number as it was typed, without `tel:` and characters that nobody sees. */
export const tidyTelephone = (text: string): string =>
  normaliseCharacters(text)
    .trim()
    .replace(/^tel:.*/i, decodeSpaces)
    .replace(/^tel:\s*/i, '');

/** Links have spaces and plus signs as `%20` and `%2B`. */
const decodeSpaces = (link: string) => link.replaceAll('%20', ' ').replace(/%2b/gi, '+');

/**
 * Formats a British telephone number as eleven digits: `+44 7700 900123` and `07700 900 123` become
 * `07700900123`. Other text is only trimmed.
 */
export function parseTelephone(text: string): string {
  const digits = tidyTelephone(text).replace(separatorPattern, '').replace(countryCodePattern, '0');
  return /^\d{11}$/.test(digits) ? digits : text.trim();
}

/** The first number of a text: words, another number or an extension may follow. */
const firstNumberPattern = new RegExp(`\\+?\\d(?:[${separators}]|/(?!\\s)|\\d)*`, 'u');

/** Returns the link that rings a number, or the first one of several. */
export function getTelephoneUri(number: string): string {
  const parsed = parseTelephone(number);
  if (/^\d{11}$/.test(parsed)) return `tel:${parsed}`;
  const [first = ''] = tidyTelephone(number).match(firstNumberPattern) ?? [];
  return `tel:${parseTelephone(first).replace(/[^\d+]/g, '')}`;
}

/** Digits and what may stand between them. Other characters of a search stay as they are. */
const digitsPattern = new RegExp(`[${invisible}]*[+＋(（\\d０-９][${separators}${invisible}/／+＋\\d０-９]*`, 'gu');
/** A number with the British country code, or the beginning of one. */
const internationalPattern = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:tel:\\s*)?${countryCode}[${separators}/]*0?(?:[${separators}/]*\\d){0,10}`,
  'giu',
);
/** A whole number of eleven digits. One with slashes is found word by word, because dates have them too. */
const nationalPattern = new RegExp(
  `(?<![\\p{L}\\p{N}/])(?:tel:\\s*)?\\(?0(?:[${separators}]*\\d){10}(?![\\p{L}\\p{N}/])`,
  'giu',
);

/** A link, which has spaces and plus signs as `%20` and `%2B`. */
const linkPattern = /\btel:\S+/giu;

/** Returns a search with telephone numbers as they are stored: `+44 7700 900 123` becomes `07700900123`. */
export const normaliseNumbers = (query: string): string =>
  query
    .replace(linkPattern, tidyTelephone)
    .replace(digitsPattern, normaliseCharacters)
    .replace(internationalPattern, (number) => `0${number.replace(/\D/g, '').replace(/^(?:00)?440?/, '')}`)
    .replace(nationalPattern, parseTelephone)
    .split(/\s+/)
    .map(parseTelephone)
    .join(' ');

/** Returns the source of a pattern that finds these digits however they are written and grouped. */
export function createDigitsPattern(digits: string): string {
  const between = `[${separators}${invisible}/／]*`;
  const fullWidth = (digit: string) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0);
  const toPattern = (digits: string) => [...digits].map((digit) => `[${digit}${fullWidth(digit)}]`).join(between);
  if (!/^0\d{10}$/.test(digits)) return toPattern(digits);
  const withCode = `(?:[+＋]|${toPattern('00')})${between}${toPattern('44')}${between}[0０]?`;
  return `(?:${withCode}|[0０])${between}${toPattern(digits.slice(1))}`;
}

/** A sign or word that phones and people write before an extension; a comma, semicolon, `p` or `w` makes a phone wait. */
const extensionPattern =
  /\d[\s([\p{Pd}]*(?:[,;pw]+|[\s,;]*(?:ext(?:ension|n)?|opt(?:ion)?|x|#))(?:[\s.:=\p{Pd}]|no\b|number)*\d{1,6}[\s)\]]*$/iu;

/** Whether an extension follows the number: `07700 900123 ext 12`. */
const hasExtension = (text: string) => extensionPattern.test(tidyTelephone(text));

/** The check that a number has no extension, which cannot be dialled, stored or found with it. */
export const withoutExtension = (message = 'Enter the number without the extension') =>
  z.refine<string>((text) => !hasExtension(text), { error: message, abort: true });

/** A telephone number as it was typed, tidied; '' if there is none. */
export const telephoneSchema = z.pipe(
  z.pipe(z.string(), z.transform(tidyTelephone)),
  lineSchema({ max: textLimits.telephone }),
);
