// Users and sign-in: input and output schemas.
import * as z from 'zod/mini';
import { nameParks, type Parks, roles } from './access.ts';
import { textLimits } from './choices.ts';
import { listParks } from './park-list.ts';
import { parkSchema } from './places/park-schemas.ts';
import { CreatedReply } from './replies.ts';
import { FactorNeed } from './sign-in/second-factors.ts';
import { UserLink } from './sign-in/single-sign-on.ts';
import { lineSchema, linesSchema, matchesSearch } from './text.ts';

export const Role = z.enum(roles, 'Choose a role');
type Role = z.output<typeof Role>;
/** The role as screens show it. */
export const nameRole = (role: Role): string => (role === 'None' ? 'None (park staff)' : role);
/** A park, or empty for all. */
const ParkOrAll = z.union([parkSchema, z.literal('')], 'Choose a park');
type ParkOrAll = z.output<typeof ParkOrAll>;

/** Several parks. An empty list is rejected, because all parks are a choice of their own. */
const SeveralParks = z.pipe(
  z.array(parkSchema, 'Choose a park').check(z.minLength(1, 'Choose a park')),
  z.transform((chosen) => listParks().filter((park) => chosen.includes(park))),
);
/**
 * The parks of a user. `park` alone is the only one, or '' for all; with `parks` it is one of them.
 */
const parkFields = { park: ParkOrAll, parks: z.optional(SeveralParks) };
type ParkFields = { park: ParkOrAll; parks?: string[] | undefined };
/** Returns the fields that a request needs to set these parks. */
export const toParkInput = (parks: Parks) =>
  parks === null ? { park: '' } : { park: parks[0] ?? '', parks: [...parks] };

const hasParkInList = z.refine<ParkFields>(
  ({ park, parks }) => parks === undefined || parks.some((name) => name === park),
  { path: ['park'], error: 'Choose a park' },
);
/** The parks of a user in replies: `park` is the first, or '' for all; `parks` has each, or null for all. */
const parkReplyFields = { park: z.string(), parks: z.nullable(z.readonly(z.array(z.string()))) };

const scripts =
  'Arabic Armenian Bengali Cyrillic Devanagari Ethiopic Georgian Greek Gujarati Gurmukhi Hebrew Kannada Khmer Lao Latin Malayalam Myanmar Oriya Sinhala Tamil Telugu Thaana Thai Tibetan';
/** Chinese, Japanese and Korean are written in several scripts. */
const scriptGroups = [
  ...scripts.split(' ').map((script) => [script]),
  ['Han', 'Hiragana', 'Katakana'],
  ['Han', 'Bopomofo'],
  ['Han', 'Hangul'],
];
const oneScriptPattern = new RegExp(
  scriptGroups
    .map((group) => `^[${['Common', 'Inherited', ...group].map((script) => `\\p{scx=${script}}`).join('')}]*$`)
    .join('|'),
  'u',
);

/** A new username. Its letters are of one script, because a Cyrillic а looks like a Latin a. */
export const Username = lineSchema({
  min: 3,
  max: textLimits.username,
  missing: 'A username has 3 to 64 characters',
}).check(
  z.regex(/^[\p{L}\p{N}._@-]+$/u, 'A username has letters, digits and . _ - @ only'),
  z.regex(oneScriptPattern, 'A username has letters of one alphabet only'),
);

/** Returns a username for comparison, ignoring case and width. */
export const getUsernameKey = (username: string) => username.normalize('NFKC').trim().toLowerCase();

const password = { min: 8, max: 128 } as const;
const Password = z.string('Please enter a password').check(
  z.refine((value) => [...value].length >= password.min, `A password has at least ${password.min} characters`),
  z.refine(
    (value) => [...value].length <= password.max && value.length <= 512,
    `A password has at most ${password.max} characters`,
  ),
  z.refine((value) => value.trim() === value, 'A password cannot begin or end with a space'),
);

/** Empty if not known. */
export const FullName = lineSchema({ max: textLimits.name });

const invalidEmailMessage = 'Enter an email address such as sian@example.com';
/** Empty for none. */
export const EmailAddress = lineSchema({
  max: textLimits.email,
  tooLong: invalidEmailMessage,
  missing: invalidEmailMessage,
}).check(z.refine((text) => text === '' || isEmailAddress(text), invalidEmailMessage));

/** ASCII only, because not every mail server accepts more. No separators, such as commas. */
const isEmailAddress = (text: string) =>
  /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,63}$/.test(
    text,
  );

/** A username as typed, which may not exist. */
const TypedUsername = lineSchema({ max: 200, min: 1, missing: 'Username is required' });

export const Credentials = z.object({
  username: TypedUsername,
  password: z.string('Password is required').check(z.minLength(1, 'Password is required'), z.maxLength(512)),
});

export const SessionUser = z.object({
  id: z.string(),
  username: z.string(),
  role: Role,
  ...parkReplyFields,
  mustChangePassword: z.boolean(),
  /** If this session lacks a second factor that the user must have. */
  factorNeed: z.optional(FactorNeed),
});
export type SessionUser = z.output<typeof SessionUser>;

export const User = z.object({
  id: z.string(),
  username: z.string(),
  role: Role,
  ...parkReplyFields,
  lastSignInAt: z.nullable(z.string()),
  full_name: z.string(),
  /** For Admins only. */
  email: z.optional(z.string()),
  /** For those who manage the user. `oneWay`: the user cannot sign in if the phone, or what else it is, is lost. */
  secondFactor: z.optional(z.enum(['none', 'oneWay', 'several'])),
  /** For those who manage the user, if the user is linked to the operator's provider. */
  link: z.optional(UserLink),
  /** For those who manage the user, if the user can be invited: when the open invitation was sent. */
  invitation: z.optional(z.object({ sentAt: z.nullable(z.string()) })),
  /** Whether role and parks come from the provider, so that they cannot be changed here. */
  accessFromProvider: z.boolean(),
});
export type User = z.output<typeof User>;

/** Whether every word occurs in the names, the email address, the role or the parks. */
export const matchesUser = ({ username, full_name, email = '', role, parks }: User, search: string): boolean =>
  matchesSearch([username, full_name, email, nameRole(role), nameParks(parks)], search);

const secondFactorNames = {
  none: 'Password only',
  oneWay: 'Two-factor sign-in, only one way in',
  several: 'Two-factor sign-in',
} as const;
/** How safely a user signs in; empty if the viewer may not know. */
export const describeSecondFactor = ({ secondFactor }: Pick<User, 'secondFactor'>): string =>
  secondFactor ? secondFactorNames[secondFactor] : '';

const details = { full_name: z.optional(FullName), email: z.optional(EmailAddress) };
/** With `isOneTime`, the server makes a one-time password. */
export const NewUser = z
  .object({
    username: Username,
    password: z.optional(Password),
    isOneTime: z.optional(z.literal(true)),
    role: Role,
    ...parkFields,
    ...details,
  })
  .check(
    hasParkInList,
    z.refine(({ password, isOneTime }) => (password === undefined) === (isOneTime ?? false), {
      path: ['password'],
      error: 'Please enter a password',
    }),
  );
export type NewUser = z.output<typeof NewUser>;
/** What Admins set for a user besides role and park; users can change their own email address. */
export const UserDetails = z.object({ full_name: FullName, email: EmailAddress });
/** The user's own new address; empty for none. */
export const EmailChange = z.object({
  email: EmailAddress,
  currentPassword: z.string('Enter your current password').check(z.maxLength(512)),
});
/** What a user signed in with. Stored, so never change one. */
const signInMethods = [
  'password',
  'one-time password',
  'password and code',
  'password and recovery code',
  'password and passkey',
  'passkey',
  'PIN',
  'single sign-on',
  'single sign-on with second factor',
] as const;
export type SignInMethod = (typeof signInMethods)[number];

/** A session of the user: a device on which they are signed in. */
export const Session = z.object({
  id: z.string(),
  /** Browser and system, for example `Chrome on Android`; empty if not known. */
  device: z.string(),
  method: z.enum(signInMethods),
  signedInAt: z.string(),
  lastUsedAt: z.string(),
  /** Whether it is the session of this request. */
  isThis: z.boolean(),
});
export type Session = z.output<typeof Session>;
/** Ends one other session, or without `id` all others. */
export const SessionEnd = z.object({
  id: z.optional(z.string().check(z.regex(/^[0-9a-f]{64}$/))),
  currentPassword: z.string('Enter your current password').check(z.maxLength(512)),
});
/** The token in the email's link. */
export const EmailConfirmation = z.object({
  token: z.string('The link is not complete').check(z.regex(/^[\w-]{43}$/, 'The link is not complete')),
});
/** The token in the link of an invitation, and the password to set. Any token that cannot be used looks the same. */
export const InvitationUse = z.object({ token: z.string('The link is not complete'), password: Password });
/** The name shown for a user: the full name, or the username. */
export const PersonName = z.object({
  id: z.string(),
  username: z.string(),
  name: z.string(),
  ...parkReplyFields,
  /** The parks whose settings name the user for the audits of failing answers, if any. */
  checksAt: z.optional(z.array(z.string())),
});
export type PersonName = z.output<typeof PersonName>;
export const UsernameQuery = z.object({ username: TypedUsername });
export const RoleAssignment = z.object({ username: TypedUsername, role: Role, ...parkFields }).check(hasParkInList);
export type RoleAssignment = z.output<typeof RoleAssignment>;
/** The user whose password to reset. */
export const PasswordReset = z.object({
  id: z.string('Invalid user ID').check(z.regex(/^[A-Za-z0-9_-]{1,40}$/, 'Invalid user ID')),
  /** How the user was identified: required if they have a second factor, which is removed. */
  reason: z.optional(linesSchema({ max: textLimits.reason })),
});
export type PasswordReset = z.output<typeof PasswordReset>;
/** A CSV file of users; see user-import.ts. */
export const UserImport = z.object({ csv: linesSchema({ min: 1, max: 100_000, missing: 'The file is empty' }) });
/** How many users of each role the file would create. */
export const UserImportCheck = z.object({ counts: z.array(z.object({ role: Role, count: z.number() })) });
/** A new user with their one-time password, shown once. */
export const CreatedUser = z.object({
  username: z.string(),
  full_name: z.optional(z.string()),
  role: Role,
  ...parkReplyFields,
  password: z.string(),
});
export type CreatedUser = z.output<typeof CreatedUser>;
/** New users, and the address at which they sign in, with a picture of its QR code. */
export const CreatedUsers = z.object({ users: z.array(CreatedUser), address: z.string(), qrCode: z.string() });
export type CreatedUsers = z.output<typeof CreatedUsers>;
/** The reply to a repeated request lacks `created`: one-time passwords are not stored. */
export const NewUserReply = z.extend(CreatedReply, { created: z.optional(CreatedUsers) });
export type NewUserReply = z.output<typeof NewUserReply>;
export const PasswordChange = z.object({
  /** May be left out right after signing in with a one-time password. */
  currentPassword: z.optional(z.string().check(z.maxLength(512))),
  newPassword: Password,
});
