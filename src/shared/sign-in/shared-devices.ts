// Devices that the staff of a park share, and the PINs with which they sign in there.
import * as z from 'zod/mini';
import { parks, textLimits } from '../choices.ts';
import { lineSchema } from '../text.ts';

const pinDigits = { min: 6, max: 12 } as const;

const isDay = (year: number, month: number, day: number) =>
  month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate();

/** Whether the PIN is a day, month and year in a usual order, with two or four digits of the year. */
function isDate(pin: string): boolean {
  const at = (start: number, length = 2) => Number(pin.slice(start, start + length));
  // 2000 was a leap year.
  if (pin.length === 6) return isDay(2000, at(2), at(0)) || isDay(2000, at(2), at(4));
  if (pin.length !== 8) return false;
  const isYear = (year: number) => year >= 1900 && year < 2100;
  return (isYear(at(4, 4)) && isDay(at(4, 4), at(2), at(0))) || (isYear(at(0, 4)) && isDay(at(0, 4), at(4), at(6)));
}

/** Whether the PIN repeats its beginning to the end, such as 111111 and 123123. */
const isRepetition = (pin: string) => `${pin}${pin}`.indexOf(pin, 1) < pin.length;

const isSequence = (pin: string) => '01234567890123'.includes(pin) || '98765432109876'.includes(pin);

/** A new PIN: 6 to 12 digits that are not among the first that someone would try. */
export const NewPin = z.string('Enter a PIN').check(
  z.regex(/^\d*$/, 'A PIN has digits only'),
  z.refine(
    ({ length }) => length >= pinDigits.min && length <= pinDigits.max,
    `A PIN has ${pinDigits.min} to ${pinDigits.max} digits`,
  ),
  z.refine((pin) => !isRepetition(pin), 'Choose a PIN that does not repeat digits'),
  z.refine((pin) => !isSequence(pin), 'Choose a PIN without a sequence such as 123456'),
  z.refine((pin) => !isDate(pin), 'Choose a PIN that is not a date'),
);

const UserId = z.string().check(z.regex(/^[A-Za-z0-9_-]{1,40}$/, 'Choose your name'));

export const PinChange = z.object({
  pin: NewPin,
  /** May be left out right after signing in with a one-time password. */
  currentPassword: z.optional(z.string().check(z.maxLength(512))),
});
export type PinChange = z.output<typeof PinChange>;

export const PinSignIn = z.object({ user: UserId, pin: z.string('Enter your PIN').check(z.maxLength(pinDigits.max)) });

export const NewSharedDevice = z.object({
  park: z.enum(parks, 'Choose a park'),
  name: lineSchema({ min: 1, max: textLimits.name, missing: 'Enter a name' }),
});

export const SharedDevice = z.object({
  id: z.string(),
  park: z.string(),
  name: z.string(),
  createdAt: z.string(),
  lastUsedAt: z.string(),
  /** False after a backup was restored, until an Admin allows it again. */
  isAllowed: z.boolean(),
});
export type SharedDevice = z.output<typeof SharedDevice>;

/** What the device shows before anyone signs in. */
export const OwnSharedDevice = z.object({
  park: z.string(),
  name: z.string(),
  idleMinutes: z.number(),
  /** Users who can sign in here with a PIN, the last to do so first. */
  people: z.array(z.object({ id: z.string(), name: z.string() })),
});
export type OwnSharedDevice = z.output<typeof OwnSharedDevice>;
