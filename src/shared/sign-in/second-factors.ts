// Second factors: what proves besides the password that it is the user who signs in. A passkey replaces
// the password too.
import * as z from 'zod/mini';
import { textLimits } from '../choices.ts';
import { lineSchema } from '../text.ts';

/** What a user whose password was right may enter: a passkey, a code from an app, or a recovery code. */
export type SecondFactorMethod = 'passkey' | 'app' | 'recoveryCode';

const Passkey = z.object({
  id: z.string(),
  name: z.string(),
  created_at: z.string(),
  last_used_at: z.nullable(z.string()),
  /** Whether it works at the server's present address. */
  isUsable: z.boolean(),
  /** Whether its device may copy it to others of the user, for example through a password manager. */
  isSynced: z.boolean(),
});
export type Passkey = z.output<typeof Passkey>;

/** The second factors of the signed-in user. */
export const OwnSecondFactors = z.object({
  /** When codes from an app were set up; null without. */
  appSince: z.nullable(z.string()),
  passkeys: z.array(Passkey),
  /** How many recovery codes are left. */
  recoveryCodes: z.number(),
  /** Whether the user is linked to the operator's provider. */
  isLinked: z.boolean(),
  hasPassword: z.boolean(),
});
export type OwnSecondFactors = z.output<typeof OwnSecondFactors>;

/** Set if a second factor is required and this session has none. */
export const FactorNeed = z.object({
  /** Until when the user may put it off; null once that has passed and reviewers have the rights of staff. */
  laterUntil: z.nullable(z.string()),
  /** Whether the user may set it up in this session. */
  canSetUp: z.boolean(),
  isReviewer: z.boolean(),
  /** Set if no other Admin can set a one-time password for this one: it is done in the server's terminal. */
  needsTerminal: z.optional(z.boolean()),
});

export type FactorNeed = z.output<typeof FactorNeed>;

const codeMissing = 'Enter the code';
const codeLength = 40;
/** A code from an app, or a recovery code, as typed. */
export const TypedCode = z.object({ code: lineSchema({ min: 1, max: codeLength, missing: codeMissing }) });

/** The key for an app: as text, as a link, and as the image of a QR code. Shown once. */
export const AppKey = z.object({ key: z.string(), link: z.string(), qrCode: z.string() });
export type AppKey = z.output<typeof AppKey>;

/** Codes that each replace a second factor once. They are shown only when they are created. */
export const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });
/** With recovery codes if it is the user's first, which becomes active when one of them is entered. */
export const NewSecondFactor = z.partial(RecoveryCodes);

export const PasskeyName = z.object({ name: lineSchema({ min: 1, max: textLimits.name, missing: 'Enter a name' }) });

const publicKey = z.literal('public-key');
/** What a browser needs to create a passkey (WebAuthn: PublicKeyCredentialCreationOptionsJSON). */
export const PasskeyCreation = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ type: publicKey, alg: z.number() })),
  excludeCredentials: z.array(z.object({ type: publicKey, id: z.string() })),
  authenticatorSelection: z.object({ residentKey: z.literal('required'), userVerification: z.literal('required') }),
  timeout: z.number(),
});

/** What a browser needs to use a passkey (WebAuthn: PublicKeyCredentialRequestOptionsJSON). */
export const PasskeyRequest = z.object({
  challenge: z.string(),
  rpId: z.string(),
  userVerification: z.literal('required'),
  timeout: z.number(),
});

const bytes = (maxLength: number) => z.string().check(z.regex(/^[\w-]+$/), z.maxLength(maxLength));
const credential = { id: bytes(1400), rawId: bytes(1400), type: publicKey };
/** A passkey that a browser has created. */
export const CreatedPasskey = z.object({
  ...credential,
  response: z.object({ clientDataJSON: bytes(4000), attestationObject: bytes(8000) }),
});
export type CreatedPasskey = z.output<typeof CreatedPasskey>;
/** What a passkey has signed. */
export const SignedPasskey = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes(4000),
    authenticatorData: bytes(4000),
    signature: bytes(1400),
    userHandle: z.optional(bytes(100)),
  }),
});
export type SignedPasskey = z.output<typeof SignedPasskey>;
/** Bytes of a JSON body with a passkey. */
export const passkeyBytes = 16 * 1024;

const secondStepFields = { code: z.optional(lineSchema({ max: codeLength })), passkey: z.optional(SignedPasskey) };
/** A code, or a passkey. */
export const SecondStep = z
  .object(secondStepFields)
  .check(z.refine(({ code, passkey }) => Boolean(code || passkey), { path: ['code'], error: codeMissing }));
export type SecondStep = z.output<typeof SecondStep>;

/** Proves that it is still the user: a passkey alone, or the password, and a code if they have a second factor. */
export const Confirmation = z.object({
  currentPassword: z.optional(z.string('Enter your current password').check(z.maxLength(512))),
  ...secondStepFields,
});
