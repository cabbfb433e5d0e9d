// Second factors: what proves besides the password that it is the user who signs in.
import * as z from 'zod/mini';
import { lineSchema } from './text.ts';

/** What a user whose password was right may enter: a code from an app, or a recovery code. */
export const secondFactorMethods = ['app', 'recoveryCode'] as const;
export type SecondFactorMethod = (typeof secondFactorMethods)[number];

/** One's own second factors. */
export const OwnSecondFactors = z.object({
  /** When codes from an app were set up; null without. */
  appSince: z.nullable(z.string()),
  /** How many recovery codes are left. */
  recoveryCodes: z.number(),
});
export type OwnSecondFactors = z.output<typeof OwnSecondFactors>;

const codeMissing = 'Enter the code';
/** A code from an app, or a recovery code, as typed. */
export const TypedCode = z.object({ code: lineSchema({ min: 1, max: 40, missing: codeMissing }) });

/** The key for an app: as text, as a link, and as a picture of a QR code. Shown once. */
export const AppKey = z.object({ key: z.string(), link: z.string(), qrCode: z.string() });
export type AppKey = z.output<typeof AppKey>;

/** Shown once. */
export const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });

/** Proves that it is still the user: the password, and a code if they have a second factor. */
export const Confirmation = z.object({
  currentPassword: z.string('Enter your current password').check(z.maxLength(512)),
  code: z.optional(lineSchema({ max: 40 })),
});
