// Who may do what: the roles, their ranks, and the parks a person sees.
import type { AccessLevel } from './contract.ts';

/** From the lowest rank to the highest. `None` is ordinary park staff. */
export const roles = ['None', 'Health & Safety Manager', 'Admin'] as const;
export type Role = (typeof roles)[number];

export type Viewer = { role: Role; park: string };

const isReviewer = (role: Role) => role !== 'None';

/** Whether a role satisfies what a row, or a screen, asks for. */
export function isAllowed(access: AccessLevel, role: Role | undefined): boolean {
  if (access === 'anyone') return true;
  if (role === undefined) return false;
  return access === 'signedIn' || (access === 'reviewer' && isReviewer(role)) || role === 'Admin';
}

/** Whether `actor` may make, change or delete a user of this role: strictly below one's own rank; an Admin also Admins. */
export function canManage(actor: Role, target: Role): boolean {
  return actor === 'Admin' || roles.indexOf(target) < roles.indexOf(actor);
}

/** No park means all parks. */
export function canSeePark(viewer: Viewer, park: string): boolean {
  return viewer.park === '' || viewer.park === park;
}
