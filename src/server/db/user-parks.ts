// The parks of users in queries: which parks a user sees, and which users see a park.
import { type RawBuilder, sql } from 'kysely';
import type { Parks, ParkViewer } from '#shared/access.ts';
import { parks } from '#shared/choices.ts';

const storedAllParks = 'null';

/** Reads the column `parks` of users and packs: a JSON list, or `null` for all parks. */
export const parseStoredParks = (stored: string): Parks => JSON.parse(stored);

export const toStoredParks = (parks: Parks): string => JSON.stringify(parks);

/** The condition for rows whose park the user sees; `park` is a column, or an expression. */
export function isOfVisiblePark(park: string | RawBuilder<unknown>, { parks }: ParkViewer) {
  if (parks === null) return sql<boolean>`1 = 1`;
  // PostgreSQL rejects an empty list.
  if (parks.length === 0) return sql<boolean>`1 = 0`;
  return sql<boolean>`${typeof park === 'string' ? sql.ref(park) : park} in (${sql.join(parks)})`;
}

/** The condition for rows with a JSON list of parks, all of which the user sees. */
export function seesNoOtherPark(column: string, { parks: seen }: ParkViewer) {
  const hidden = parks.filter((park) => seen !== null && !seen.includes(park));
  const conditions = hidden.map((park) => sql`${sql.ref(column)} not like ${getParkPattern(park)}`);
  return sql<boolean>`(${sql.join([sql`1 = 1`, ...conditions], sql` and `)})`;
}

/** The condition for users who see the park of a pattern (`getParkPattern`). */
export const seesPark = (pattern: string) =>
  sql<boolean>`(users.parks = ${storedAllParks} or users.parks like ${pattern})`;

export const getParkPattern = (park: string) => `%${JSON.stringify(park)}%`;

/** The condition for users who see one of these parks. */
export const seesOneOf = (parks: readonly string[]) =>
  sql<boolean>`(${sql.join([seesAllParks, ...parks.map((park) => seesPark(getParkPattern(park)))], sql` or `)})`;

export const seesAllParks = sql<boolean>`users.parks = ${storedAllParks}`;
