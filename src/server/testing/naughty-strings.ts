// Strings that have broken other programs.
import { fixture } from './factories.ts';

const knownStrings: string[] = JSON.parse(fixture('naughty-strings.json').toString());
const extraStrings = [
  "'; drop table reports; --",
  "' or 1=1 --",
  '$(reboot)',
  '{{7*7}}',
  '=cmd|calc!A1',
  '\u202Egnp.exe',
  '<a href=javascript:alert(1)>',
  'a\u2028b',
  'a\rb',
  '#set x',
  '*/',
  'NULL',
  '\\N',
  '%s%n',
  '"',
  '\\',
  '\\u0041',
  ' blanks around it ',
  'two\nlines',
];
export const naughtyStrings = [...new Set([...knownStrings, ...extraStrings])];

/** Returns a string as a single-line field stores it. */
export const toSingleLine = (text: string) =>
  text
    .replace(/[\r\n\u2028\u2029]+/g, ' ')
    .trim()
    .normalize('NFC');

/** Runs a function for all items, sixteen at a time. */
export async function runForAll<T>(items: T[], work: (item: T, at: number) => Promise<void>) {
  for (let at = 0; at < items.length; at += 16)
    await Promise.all(items.slice(at, at + 16).map((item, next) => work(item, at + next)));
}
