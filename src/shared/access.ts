// Roles, their ranks, and the parks a user sees.
import { allParks } from './choices.ts';
import type { AccessLevel } from './contract.ts';

/** From lowest to highest rank. `None` is staff. */
export const roles = ['None', 'Health & Safety Manager', 'Admin'] as const;
export type Role = (typeof roles)[number];

/** The parks a user sees, in their usual order; null for all, those that are added later too. */
export type Parks = readonly string[] | null;
export type ParkViewer = { parks: Parks };
export type Viewer = ParkViewer & { role: Role };

/** The access levels of each role; only Admins of all parks have the last one. */
const levels: Record<Role, AccessLevel[]> = {
  None: ['signedIn'],
  'Health & Safety Manager': ['signedIn', 'reviewer'],
  Admin: ['signedIn', 'reviewer', 'admin', 'adminOfAllParks'],
};

export const isAdminOfAllParks = ({ role, parks }: Viewer) => role === 'Admin' && parks === null;

/** Whether a user has the access level that an endpoint or screen requires. */
export function isAllowed(access: AccessLevel, user: Viewer | undefined): boolean {
  if (access === 'anyone') return true;
  if (user === undefined || (access === 'adminOfAllParks' && !isAdminOfAllParks(user))) return false;
  return levels[user.role].includes(access);
}

/**
 * Whether `actor` may manage users of this role and these parks. Admins of all parks manage everyone,
 * other Admins everyone but them, and Health & Safety Managers only staff.
 */
export function canManage(actor: Viewer, target: Viewer): boolean {
  if (isAdminOfAllParks(target)) return isAdminOfAllParks(actor);
  return actor.role === 'Admin' || roles.indexOf(target.role) < roles.indexOf(actor.role);
}

/**
 * Whether `actor` may give a user these parks instead of those before: Health & Safety Managers add
 * and remove only parks they see themselves.
 */
export function canGiveParks(actor: Viewer, before: Parks, after: Parks): boolean {
  if (before === null || after === null) return before === after || actor.role === 'Admin' || actor.parks === null;
  const isKept = (park: string) => before.includes(park) && after.includes(park);
  return [...before, ...after].every((park) => isKept(park) || canGivePark(actor, park));
}

/** Whether `actor` may add this park to a user's parks and remove it. */
export const canGivePark = (actor: Viewer, park: string): boolean => actor.role === 'Admin' || canSeePark(actor, park);

export const canSeePark = ({ parks }: ParkViewer, park: string): boolean => parks === null || parks.includes(park);

export const canSeeParks = (viewer: ParkViewer, parks: Parks): boolean =>
  viewer.parks === null || (parks?.every((park) => canSeePark(viewer, park)) ?? false);

/** The park of users who have one; of several the first, which forms suggest; '' for all parks. */
export const getFirstPark = ({ parks }: ParkViewer): string => parks?.[0] ?? '';

/** Returns the API's fields for a user's parks. */
export const toParkFields = (parks: Parks) => ({ park: getFirstPark({ parks }), parks });

/** Names the parks: `Mounds, Winkups`. */
export const nameParks = (parks: Parks): string => parks?.join(', ') ?? allParks;

/** Returns the parks that `toParkFields` wrote. Earlier versions wrote no `parks`: `park` is then the only one, or ''. */
export function readParks({ park, parks }: { park: string; parks?: Parks | undefined }): Parks {
  if (parks !== undefined) return parks;
  return park === '' ? null : [park];
}
