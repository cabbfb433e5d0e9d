// What the signed claims of the provider say about someone.
import type { IDToken } from 'openid-client';
import { type Parks, roles, type Viewer } from '#shared/access.ts';
import { listOpenParks } from '#shared/park-list.ts';
import { EmailAddress, FullName, Username } from '#shared/users.ts';
import { HttpError } from '../../errors/http-error.ts';
import type { ProviderSettings } from '../../provider-settings.ts';
import { hashIdentity } from '../session/identity-links.ts';
import { maxAgeSeconds } from './provider.ts';

/** The role and parks that the provider names; `unknown` if it names none, and `local` if Admins set them here. */
export type ProviderAccess = { is: 'local' } | { is: 'named'; viewer: Viewer } | { is: 'unknown'; message: string };

export type Identity = {
  hash: string;
  /** For the list of people who wait for an Admin, and for new users; empty if not valid. */
  name: string;
  email: string;
  isEmailVerified: boolean;
  username: string;
  access: ProviderAccess;
  hasSecondFactor: boolean;
  /** When the user entered their password there, if that was in the last ten minutes; otherwise empty. */
  freshSince: string;
};

/** Reads the claims. Throws 403 if the account belongs to another domain than the settings name. */
export function readIdentity(settings: ProviderSettings, claims: IDToken, now: Date): Identity {
  if (settings.domain && claims.hd !== settings.domain) throw createNoAccessError(`Use your ${settings.label} account`);
  const amr = Array.isArray(claims.amr) ? claims.amr : [];
  const enteredAt = (claims.auth_time ?? 0) * 1000;
  const isFresh = Math.abs(now.getTime() - enteredAt) < maxAgeSeconds * 1000;
  const parse = (schema: typeof FullName, ...values: unknown[]) =>
    values.map((value) => schema.safeParse(value).data ?? '').find((value) => value !== '') ?? '';
  return {
    hash: hashIdentity(claims.iss, claims.sub),
    name: parse(FullName, claims.name, claims.preferred_username),
    email: parse(EmailAddress, claims.email),
    isEmailVerified: claims.email_verified === true,
    username: parse(Username, claims.preferred_username, claims.email),
    access: readAccess(settings, claims),
    hasSecondFactor:
      settings.hasSecondFactor || amr.includes('mfa') || settings.secondFactorAcr.includes(String(claims.acr)),
    freshSince: isFresh ? new Date(Math.min(enteredAt, now.getTime())).toISOString() : '',
  };
}

/** An absent claim is the same as an empty one. Of several values the highest role counts, with its parks only. */
function readAccess({ roleClaim, roles: meanings }: ProviderSettings, claims: IDToken): ProviderAccess {
  if (!roleClaim) return { is: 'local' };
  const named = [claims[roleClaim]]
    .flat()
    .map((value) => meanings.get(String(value)))
    .filter((viewer) => viewer !== undefined);
  const viewers = named
    .map(({ role, parks }) => ({ role, parks: parks && listOpenParks().filter((park) => parks.includes(park)) }))
    .filter(({ parks }) => parks?.length !== 0);
  if (named.length > 0 && viewers.length === 0) return { is: 'unknown', message: noParkMessage };
  const role = roles.findLast((role) => viewers.some((viewer) => viewer.role === role));
  if (role === undefined) {
    const areTooMany = claims.hasgroups === true || Object.hasOwn(Object(claims._claim_names), roleClaim);
    return { is: 'unknown', message: areTooMany ? tooManyGroupsMessage : noRoleMessage };
  }
  const lists = viewers.filter((viewer) => viewer.role === role).map((viewer) => viewer.parks);
  return { is: 'named', viewer: { role, parks: mergeParks(lists) } };
}

const mergeParks = (lists: Parks[]): Parks =>
  lists.includes(null) ? null : listOpenParks().filter((park) => lists.some((list) => list?.includes(park)));

const tooManyGroupsMessage =
  'Your account is in too many groups to find your role. Ask an Admin to use app roles instead';
const noParkMessage = 'The parks of your account are closed, or not known here. Ask an Admin';
const noRoleMessage = 'Your account has no role for this. Ask an Admin';

export const createNoAccessError = (message: string) => new HttpError(403, message, { code: 'NO_ACCESS' });
