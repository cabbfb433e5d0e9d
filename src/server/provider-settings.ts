// The settings of the operator's OpenID Connect provider.
import * as z from 'zod/mini';
import { type Role, roles, type Viewer } from '#shared/access.ts';
import { allParks } from '#shared/choices.ts';

const text = () => z._default(z.string(), '');
const flag = () => z._default(z.enum(['0', '1']), '0');

export const ProviderEnvironment = {
  /** The issuer of one tenant; without it there is no single sign-on. */
  OIDC_ISSUER: z.optional(z.url({ protocol: /^https?$/, error: 'must be an address that begins with https://' })),
  OIDC_CLIENT_ID: text(),
  OIDC_CLIENT_SECRET: text(),
  /** What users call the provider. */
  OIDC_LABEL: z._default(z.string().check(z.maxLength(40)), 'Single Sign-On'),
  /** Only identities of this domain may sign in; required for Google. */
  OIDC_DOMAIN: text(),
  /** The claim that names roles, and what its values mean; see `parseRoles`. */
  OIDC_ROLE_CLAIM: text(),
  OIDC_ROLES: text(),
  /** `1` creates a user for each identity for which the claim names role and parks. */
  OIDC_CREATE: flag(),
  /** Values of `acr` that stand for a second factor, comma-separated. */
  OIDC_SECOND_FACTOR_ACR: text(),
  /** `1` if the provider asks everyone for a second factor. */
  OIDC_HAS_SECOND_FACTOR: flag(),
  /** `admins` closes sign-in with a password or passkey for all but Admins. */
  LOCAL_SIGN_IN: z._default(z.enum(['everyone', 'admins']), 'everyone'),
};

export type ProviderSettings = {
  issuer: string;
  clientId: string;
  clientSecret: string;
  label: string;
  domain: string;
  /** '' if Admins set the role and the parks of users, instead of the provider. */
  roleClaim: string;
  roles: ReadonlyMap<string, Viewer>;
  createsUsers: boolean;
  secondFactorAcr: string[];
  hasSecondFactor: boolean;
};

type Environment = z.output<z.ZodMiniObject<typeof ProviderEnvironment>> & { PUBLIC_URL: string };

/** Each problem begins with the name of the setting. */
export const createSettingsError = (...problems: string[]) =>
  new Error(['These settings cannot be used:', ...problems].join('\n  '));

/**
 * Returns the provider's settings; undefined without one. Throws an Error that names what must be
 * set differently.
 */
export function readProvider(env: Environment): ProviderSettings | undefined {
  const problem = findProblem(env);
  if (problem) throw createSettingsError(problem);
  if (!env.OIDC_ISSUER) return undefined;
  return {
    issuer: env.OIDC_ISSUER,
    clientId: env.OIDC_CLIENT_ID,
    clientSecret: env.OIDC_CLIENT_SECRET,
    label: env.OIDC_LABEL,
    domain: env.OIDC_DOMAIN,
    roleClaim: env.OIDC_ROLE_CLAIM,
    roles: parseRoles(env.OIDC_ROLES),
    createsUsers: env.OIDC_CREATE === '1',
    secondFactorAcr: env.OIDC_SECOND_FACTOR_ACR.split(',')
      .map((value) => value.trim())
      .filter(Boolean),
    hasSecondFactor: env.OIDC_HAS_SECOND_FACTOR === '1',
  };
}

function findProblem(env: Environment): string | undefined {
  if (!env.OIDC_ISSUER)
    return env.LOCAL_SIGN_IN === 'admins' ? 'LOCAL_SIGN_IN can be admins only with OIDC_ISSUER' : undefined;
  const { protocol, hostname, pathname } = new URL(env.OIDC_ISSUER);
  const isLoopback = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  if (protocol !== 'https:' && !isLoopback) return 'OIDC_ISSUER must be an address that begins with https://';
  if (/^\/(common|organizations|consumers)(\/|$)/i.test(pathname))
    return "OIDC_ISSUER must name one tenant: replace common, organizations or consumers with the tenant's ID";
  if (!env.OIDC_CLIENT_ID || !env.OIDC_CLIENT_SECRET)
    return 'OIDC_CLIENT_ID and OIDC_CLIENT_SECRET must be set if OIDC_ISSUER is';
  if (!env.PUBLIC_URL && !isLoopback) return 'PUBLIC_URL must be set if OIDC_ISSUER is';
  if (hostname === 'accounts.google.com' && !env.OIDC_DOMAIN)
    return 'OIDC_DOMAIN must be set for Google: everyone with a Google account could sign in otherwise';
  if (Boolean(env.OIDC_ROLE_CLAIM) !== Boolean(env.OIDC_ROLES))
    return 'OIDC_ROLE_CLAIM and OIDC_ROLES must be set together';
  if (env.OIDC_CREATE === '1' && !env.OIDC_ROLE_CLAIM) return 'OIDC_ROLE_CLAIM must be set if OIDC_CREATE is 1';
  return undefined;
}

/**
 * Reads OIDC_ROLES: `value = role @ parks`, separated by semicolons, with all parks named or `All parks`, such
 * as `safety = Admin @ All parks; mounds-office = Health & Safety Manager @ Mounds, Winkups`.
 */
function parseRoles(list: string): Map<string, Viewer> {
  const entries = list.split(/[;\n]/).filter((entry) => entry.trim() !== '');
  const roles = entries.map(parseRole);
  const repeated = roles.find(([value], index) => roles.findIndex(([other]) => other === value) < index);
  if (repeated) throw createSettingsError(`OIDC_ROLES has two entries for "${repeated[0]}"`);
  return new Map(roles);
}

function parseRole(entry: string): [string, Viewer] {
  const [, value = '', role = '', names = ''] =
    /^(.+)=([^=@]+)@([^=@]+)$/.exec(entry)?.map((part) => part.trim()) ?? [];
  const named = names.split(',').map((name) => name.trim());
  if (value === '' || !roles.some((known) => known === role) || named.includes(''))
    throw createSettingsError(
      `OIDC_ROLES must be entries such as "value = None @ Kingsley, Mounds" or "value = Admin @ ${allParks}", separated by semicolons; this is not one: ${entry.trim()}`,
    );
  return [value, { role: role as Role, parks: names === allParks ? null : named }];
}
