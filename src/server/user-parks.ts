// The parks of users: which parks a user may name and sees, and which users see a park.
import { type RawBuilder, sql } from 'kysely';
import { canSeePark, type Parks, type ParkViewer } from '#shared/access.ts';
import { defaultParks } from '#shared/choices.ts';
import { HttpError } from './errors/http-error.ts';

const storedAllParks = 'null';

/** Reads the column `parks` of users and packs: a JSON list, or `null` for all parks. */
export const parseStoredParks = (stored: string): Parks => JSON.parse(stored);

export const toStoredParks = (parks: Parks): string => JSON.stringify(parks);

/** Throws 403 if a user names a park that is not theirs. */
export function assertCanUsePark(viewer: ParkViewer, park: string): void {
  if (!canSeePark(viewer, park))
    throw new HttpError(403, 'You can only use your own parks', {
      fields: { park: 'You can only use your own parks' },
    });
}

/** The condition for rows whose park the user sees; `park` is a column, or an expression. */
export function isOfVisiblePark(park: string | RawBuilder<unknown>, { parks }: ParkViewer) {
  if (parks === null) return sql<boolean>`1 = 1`;
  // PostgreSQL rejects an empty list.
  if (parks.length === 0) return sql<boolean>`1 = 0`;
  return sql<boolean>`${typeof park === 'string' ? sql.ref(park) : park} in (${sql.join(parks)})`;
}

/*
 * Lists of parks are compared as the JSON that `toStoredParks` writes, without its `[`: each park is then preceded by a
 * comma, `,"Mounds","Winkups"]`. Inside a name a quotation mark has a backslash before it, and no name has a comma, so
 * only a whole name matches. LIKE would ignore case on SQLite, and take `%`, `_` and `\` in a name as wildcards.
 */
const listItems = (column: string) => sql<string>`(',' || substr(${sql.ref(column)}, 2))`;

/** Returns what `seesPark` looks for. Prepared queries have it as a parameter. */
export const toListItem = (park: string) => `,${JSON.stringify(park)}`;

/** The condition for rows with a JSON list of parks, all of which the user sees. */
export function seesNoOtherPark(column: string, { parks: seen }: ParkViewer) {
  if (seen === null) return sql<boolean>`1 = 1`;
  const others = seen.reduce(
    (items, park) => sql<string>`replace(${items}, ${toListItem(park)}, '')`,
    listItems(column),
  );
  return sql<boolean>`${others} in (']', ',]')`;
}

/** The condition for users who see the park of an item (`toListItem`). */
export const seesPark = (item: string) => sql<boolean>`(${seesAllParks} or ${hasItem(item)})`;

const hasItem = (item: string) =>
  sql<boolean>`replace(${listItems('users.parks')}, ${item}, '') <> ${listItems('users.parks')}`;

/** The condition for users who see one of these parks. */
export const seesOneOf = (parks: readonly string[]) =>
  sql<boolean>`(${sql.join([seesAllParks, ...parks.map((park) => hasItem(toListItem(park)))], sql` or `)})`;

export const seesAllParks = sql<boolean>`users.parks = ${storedAllParks}`;

/** Throws 409 if a page that does not know the list of parks would take out a park that it could not show. */
export function assertShowsParks(
  { knowsParkList }: { knowsParkList: boolean },
  before: readonly string[] | null,
  after: readonly string[] | null,
): void {
  if (knowsParkList || before === null || after === null) return;
  const isLost = (park: string) => !defaultParks.some((name) => name === park) && !after.includes(park);
  if (before.some(isLost)) throw new HttpError(409, 'This page is out of date. Reload it and try again.');
}
