// Which PINs are refused, because they are among the first that someone would try.
import * as z from 'zod/mini';
import { commonPins } from './common-pins.ts';

export const pinDigits = { min: 6, max: 12 } as const;

const isDay = (year: number, month: number, day: number) =>
  month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate();

const isYear = (year: number) => year >= 1900 && year < 2100;
const isMonth = (month: number) => month >= 1 && month <= 12;

/** Whether the PIN is a day, month and year in a usual order, with two or four digits of the year, or a month and year. */
function isDate(pin: string): boolean {
  const at = (start: number, length = 2) => Number(pin.slice(start, start + length));
  if (pin.length === 6) {
    // 2000 was a leap year.
    const isShort = isDay(2000, at(2), at(0)) || isDay(2000, at(0), at(2)) || isDay(2000, at(2), at(4));
    return isShort || (isYear(at(2, 4)) && isMonth(at(0))) || (isYear(at(0, 4)) && isMonth(at(4)));
  }
  if (pin.length !== 8) return false;
  const [yearFirst, yearLast] = [at(0, 4), at(4, 4)];
  if (isYear(yearLast) && (isDay(yearLast, at(2), at(0)) || isDay(yearLast, at(0), at(2)))) return true;
  return isYear(yearFirst) && isDay(yearFirst, at(4), at(6));
}

const reverse = (text: string) => [...text].reverse().join('');
const chunk = (pin: string, length: number) => pin.match(new RegExp(`.{1,${length}}`, 'g')) ?? [];

/** Whether the PIN repeats its beginning to the end (111111, 123123), or each digit (112233, 111222). */
const isRepetition = (pin: string) =>
  `${pin}${pin}`.indexOf(pin, 1) < pin.length || [2, 3].some((length) => chunk(pin, length).every(isOneDigit));

const isOneDigit = (part: string) => part.length > 1 && new Set(part).size === 1;

/** Whether one half mirrors the other (123321), or each pair is the first one or its mirror image (122112). */
function isMirrored(pin: string): boolean {
  if (pin === reverse(pin)) return true;
  const [first = '', ...others] = chunk(pin, 2);
  return others.every((pair) => pair === first || pair === reverse(first));
}

/** Whether all digits, or all pairs of digits, are as far from the one before: 123456, 135791, 102030. */
const hasConstantSteps = (pin: string) =>
  [1, 2].some((length) => {
    if (pin.length % length > 0) return false;
    const numbers = chunk(pin, length).map(Number);
    const steps = numbers.slice(1).map((number, at) => (number - (numbers[at] ?? 0) + 10 ** length) % 10 ** length);
    return new Set(steps).size === 1;
  });

/** Three keys in a line on the keypad of a telephone or computer, and the column with the 0. */
const lines = ['123', '456', '789', '147', '258', '369', '159', '357', '0852'];
const keypadLines = new RegExp(`^(?:${[...lines, ...lines.map(reverse)].join('|')})+$`);
/** The keys around the 5, twice. */
const ring = '1236987412369874';

/** Whether the PIN consists of lines on the keypad (147258, 159357), or goes around it (789632). */
const isOnKeypad = (pin: string) => keypadLines.test(pin) || ring.includes(pin) || reverse(ring).includes(pin);

/** A new PIN: 6 to 12 digits that are not among the first that someone would try. The screen checks it too. */
export const NewPin = z.string('Enter a PIN').check(
  z.regex(/^\d*$/, 'A PIN has digits only'),
  z.refine(
    ({ length }) => length >= pinDigits.min && length <= pinDigits.max,
    `A PIN has ${pinDigits.min} to ${pinDigits.max} digits`,
  ),
  z.refine((pin) => !isRepetition(pin), 'Choose a PIN that does not repeat digits'),
  z.refine((pin) => !hasConstantSteps(pin), 'Choose a PIN without a sequence such as 123456'),
  z.refine((pin) => !isMirrored(pin), 'Choose a PIN that does not read the same backwards, such as 123321'),
  z.refine((pin) => !isOnKeypad(pin), 'Choose a PIN that is not a line of keys, such as 147258'),
  z.refine((pin) => !isDate(pin), 'Choose a PIN that is not a date'),
  z.refine((pin) => !commonPins.has(pin), 'Choose another PIN: many people use this one'),
);
