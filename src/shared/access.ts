// Roles, their ranks, and the parks a user sees.
import type { AccessLevel } from './contract.ts';

/** From lowest to highest rank. `None` is staff. */
export const roles = ['None', 'Health & Safety Manager', 'Admin'] as const;
export type Role = (typeof roles)[number];

export type Viewer = { role: Role; park: string };

/** The access levels of each role; an Admin of one park does not have the last one. */
const levels: Record<Role, AccessLevel[]> = {
  None: ['signedIn'],
  'Health & Safety Manager': ['signedIn', 'reviewer'],
  Admin: ['signedIn', 'reviewer', 'admin', 'adminOfAllParks'],
};

export const isAdminOfAllParks = ({ role, park }: Viewer) => role === 'Admin' && park === '';

/** Whether a user has the access level that an endpoint or screen requires. */
export function isAllowed(access: AccessLevel, user: Viewer | undefined): boolean {
  if (access === 'anyone') return true;
  if (user === undefined || (access === 'adminOfAllParks' && !isAdminOfAllParks(user))) return false;
  return levels[user.role].includes(access);
}

/**
 * Whether `actor` may manage users of this role and park: lower ranks only; Admins also Admins, but
 * an Admin of one park no Admin of all parks.
 */
export function canManage(actor: Viewer, target: Viewer): boolean {
  if (isAdminOfAllParks(target)) return isAdminOfAllParks(actor);
  return actor.role === 'Admin' || roles.indexOf(target.role) < roles.indexOf(actor.role);
}

/** Whether a user sees a park. Users without a park see all parks. */
export function canSeePark(viewer: Viewer, park: string): boolean {
  return viewer.park === '' || viewer.park === park;
}
