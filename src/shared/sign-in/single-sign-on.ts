// Single sign-on with OpenID Connect: signing in through the operator's provider.
import * as z from 'zod/mini';

/** The page to which the provider returns, with a query that may be long. */
export const returnPath = '/sign-in/return';
export const maxReturnQuery = 16_000;
/** Bytes of the JSON body with that query. */
export const returnBytes = 20 * 1024;

/** The server's message for a return that it does not accept; the page shows it if it has no query to send. */
export const signInAgainMessage = 'This sign-in was not completed, or took too long. Please sign in again.';

/** To sign in, to link the user's account to an identity at the provider, or to confirm the user's identity. */
export const providerPurposes = ['sign in', 'link', 'confirm'] as const;
const Purpose = z.enum(providerPurposes, 'Choose a purpose');
export type ProviderPurpose = z.output<typeof Purpose>;

export const ProviderStart = z.object({ purpose: Purpose });
/** Where the browser goes next. */
export const ProviderUrl = z.object({ url: z.string() });
/** The query with which the provider sent the browser back. */
export const ProviderReturn = z.object({ query: z.string('The query is missing').check(z.maxLength(maxReturnQuery)) });
export const ProviderReply = { purpose: Purpose };

/** Someone whom the provider knows and who is not a user here. */
export const WaitingIdentity = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  firstAt: z.string(),
  lastAt: z.string(),
});
export type WaitingIdentity = z.output<typeof WaitingIdentity>;

/** The user to whom a waiting identity belongs. */
export const IdentityUser = z.object({
  user: z.string('Choose a user').check(z.regex(/^[A-Za-z0-9_-]{1,40}$/, 'Choose a user')),
});

/** How a user is linked to the provider. */
export const UserLink = z.object({
  lastSignInAt: z.nullable(z.string()),
  /** Whether no way in works, because the provider no longer names a role for the user. */
  isRefused: z.boolean(),
});
