// Devices that the staff of a park share, and the PINs with which they sign in there.
import * as z from 'zod/mini';
import { textLimits } from '../choices.ts';
import { parkSchema } from '../places/park-schemas.ts';
import { lineSchema } from '../text.ts';
import { NewPin, pinDigits } from './new-pin.ts';

const UserId = z.string().check(z.regex(/^[A-Za-z0-9_-]{1,40}$/, 'Choose your name'));

export const PinChange = z.object({
  pin: NewPin,
  /** May be left out right after signing in with a one-time password. */
  currentPassword: z.optional(z.string().check(z.maxLength(512))),
});
export type PinChange = z.output<typeof PinChange>;

export const PinSignIn = z.object({ user: UserId, pin: z.string('Enter your PIN').check(z.maxLength(pinDigits.max)) });

export const NewSharedDevice = z.object({
  park: parkSchema,
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
