// Where a sign-in leads, also if the user comes back from another site.
import { isAllowed } from '#shared/access.ts';
import type { AccessLevel } from '#shared/contract.ts';
import type { SessionUser } from '#shared/users.ts';
import { tabItems } from '../browserItems.ts';
import { homePath } from '../screens.ts';

/** The page first requested, and the access level it needs. */
export type Target = { from?: string; access?: AccessLevel };

const key = 'sign-in-target';

/** Set in this tab while its user puts off setting up a second factor: by their id, until the next sign-in. */
export const factorLaterKey = 'second-factor-later';

/** Opens the page first requested if the role may see it, otherwise the home screen. */
export function openTarget({ from, access = 'admin' }: Target, role: SessionUser['role']) {
  tabItems.write(factorLaterKey, undefined);
  window.location.replace(from && isAllowed(access, { role, parks: null }) ? from : homePath);
}

/** Keeps the target in this tab while the user is at the provider; without one, forgets it. */
export const storeTarget = (target: Target | undefined) => tabItems.write(key, target && JSON.stringify(target));

export function readTarget(): Target | undefined {
  const text = tabItems.read(key);
  return text ? (JSON.parse(text) as Target) : undefined;
}
