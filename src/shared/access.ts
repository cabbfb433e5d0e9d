// Roles, their ranks, and the parks a user sees.
import type { AccessLevel } from './contract.ts';

/** From lowest to highest rank. `None` is staff. */
export const roles = ['None', 'Health & Safety Manager', 'Admin'] as const;
export type Role = (typeof roles)[number];

export type Viewer = { role: Role; park: string };

const isReviewer = (role: Role) => role !== 'None';

/** Whether a role has the access level that an endpoint or screen requires. */
export function isAllowed(access: AccessLevel, role: Role | undefined): boolean {
  if (access === 'anyone') return true;
  if (role === undefined) return false;
  return access === 'signedIn' || (access === 'reviewer' && isReviewer(role)) || role === 'Admin';
}

/** Whether `actor` may manage users of this role: lower ranks only; Admins also Admins. */
export function canManage(actor: Role, target: Role): boolean {
  return actor === 'Admin' || roles.indexOf(target) < roles.indexOf(actor);
}

/** Whether a user sees a park. Users without a park see all parks. */
export function canSeePark(viewer: Viewer, park: string): boolean {
  return viewer.park === '' || viewer.park === park;
}
