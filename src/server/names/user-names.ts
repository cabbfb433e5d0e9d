// Finds the full names that are shown instead of usernames.
import { canSeePark, toParkFields, type Viewer } from '#shared/access.ts';
import { foldText } from '#shared/text.ts';
import { getUsernameKey, type PersonName } from '#shared/users.ts';
import type { Database } from '../db/schema.ts';
import { parseStoredParks, seesOneOf, seesPark, toListItem } from '../user-parks.ts';

/** A viewer of every park, for work of the server and for copies that show the full names of all users. */
export const everyParkViewer = { role: 'Admin', parks: null } as const;

/**
 * Returns the display names of all users: full names, with the username if others share the full
 * name. Staff get only users who see one of their parks. A user whose username a deleted user had
 * is shown by it, because older records belong to the deleted user.
 */
export async function listNames(db: Database, { role, parks }: Viewer): Promise<PersonName[]> {
  const rows = await db
    .selectFrom('users')
    .select(['id', 'username', 'username_key', 'full_name', 'parks'])
    .where('deleted_at', 'is', null)
    .$if(role === 'None' && parks !== null, (qb) => qb.where(seesOneOf(parks ?? [])))
    .orderBy('username_key')
    .execute();
  const deleted = await db
    .selectFrom('users')
    .select('username_key')
    .where('deleted_at', 'is not', null)
    .where('username_key', 'in', (eb) =>
      eb.selectFrom('users').select('username_key').where('deleted_at', 'is', null).where('full_name', '<>', ''),
    )
    .execute();
  const reusedKeys = new Set(deleted.map(({ username_key }) => username_key));
  const counts = new Map<string, number>();
  for (const { username, full_name } of rows)
    for (const text of new Set([foldText(username), foldText(full_name)]))
      counts.set(text, (counts.get(text) ?? 0) + 1);
  const getName = ({ username, username_key, full_name }: (typeof rows)[number]) => {
    if (full_name === '' || reusedKeys.has(username_key)) return username;
    return (counts.get(foldText(full_name)) ?? 0) > 1 ? `${full_name} (${username})` : full_name;
  };
  return rows.map((row) => ({
    id: row.id,
    username: row.username,
    name: getName(row),
    ...toParkFields(parseStoredParks(row.parks)),
  }));
}

/** Returns the names with the parks, of those that the viewer sees, whose audits of failing answers the user does. */
export async function listPeople(db: Database, viewer: Viewer): Promise<PersonName[]> {
  const rows = await db.selectFrom('park_settings').select(['park', 'assignee_id']).execute();
  const parksByAssignee = Map.groupBy(
    rows.filter(({ park }) => canSeePark(viewer, park)),
    ({ assignee_id }) => assignee_id,
  );
  return (await listNames(db, viewer)).map((person) => {
    const checksAt = parksByAssignee.get(person.id)?.map(({ park }) => park);
    return checksAt ? { ...person, checksAt } : person;
  });
}

/**
 * Returns the user with this username, or else the only one with this full name. With `park`, looks
 * only at users who see that park.
 */
export async function findPerson(db: Database, typed: string, park?: string) {
  if (typed.trim() === '') return undefined;
  const rows = await db
    .selectFrom('users')
    .select(['id', 'username', 'username_key', 'full_name'])
    .where('deleted_at', 'is', null)
    .$if(park !== undefined, (qb) => qb.where(seesPark(toListItem(park ?? ''))))
    .where(({ or, eb }) => or([eb('username_key', '=', getUsernameKey(typed)), eb('full_name', '<>', '')]))
    .execute();
  const named = rows.filter(({ full_name }) => foldText(full_name) === foldText(typed.trim()));
  return (
    rows.find(({ username_key }) => username_key === getUsernameKey(typed)) ??
    (named.length === 1 ? named[0] : undefined)
  );
}

/** Returns the users whose full name contains some of these words (folded), with the words that it lacks. */
export async function listUsersNamed(db: Database, words: string[]) {
  if (words.length === 0) return [];
  return (await selectNamed(db).select('id').execute()).flatMap(({ id, username, full_name }) => {
    const name = foldText(full_name);
    const otherWords = words.filter((word) => !name.includes(word));
    return otherWords.length < words.length ? [{ id, username, otherWords }] : [];
  });
}

export type NameFinder = Awaited<ReturnType<typeof createNameFinder>>;

/** Returns a function that finds the name to show for a username. Other text stays as it is. */
export async function createNameFinder(db: Database, viewer: Viewer) {
  const names = new Map((await listNames(db, viewer)).map(({ username, name }) => [username, name]));
  return <Text extends string | null | undefined>(username: Text): Text | string =>
    (username && names.get(username)) ?? username;
}

export type UserNames = { username: string; full_name: string };

/** Returns the username and the full name of every user who has a full name. */
export const listUserNames = (db: Database): Promise<UserNames[]> => selectNamed(db).execute();

const selectNamed = (db: Database) =>
  db.selectFrom('users').select(['username', 'full_name']).where('deleted_at', 'is', null).where('full_name', '<>', '');
