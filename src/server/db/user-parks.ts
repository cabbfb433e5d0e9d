// The parks of users in queries: which parks a user sees, and which users see a park.
import { sql } from 'kysely';
import type { Parks, ParkViewer } from '#shared/access.ts';

const storedAllParks = 'null';

/** Reads the column `parks` of users and packs: a JSON list, or `null` for all parks. */
export const parseStoredParks = (stored: string): Parks => JSON.parse(stored);

export const toStoredParks = (parks: Parks): string => JSON.stringify(parks);

/** The condition for rows whose park the user sees. */
export function isOfVisiblePark(column: string, { parks }: ParkViewer) {
  if (parks === null) return sql<boolean>`1 = 1`;
  // PostgreSQL rejects an empty list.
  return parks.length > 0 ? sql<boolean>`${sql.ref(column)} in (${sql.join(parks)})` : sql<boolean>`1 = 0`;
}

/** The condition for users who see the park of a pattern (`getParkPattern`). */
export const seesPark = (pattern: string) =>
  sql<boolean>`(users.parks = ${storedAllParks} or users.parks like ${pattern})`;

export const getParkPattern = (park: string) => `%${JSON.stringify(park)}%`;

/** The condition for users who see one of these parks. */
export const seesOneOf = (parks: readonly string[]) =>
  sql<boolean>`(${sql.join([seesAllParks, ...parks.map((park) => seesPark(getParkPattern(park)))], sql` or `)})`;

export const seesAllParks = sql<boolean>`users.parks = ${storedAllParks}`;
