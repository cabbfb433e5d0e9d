// Finds the full names that are shown instead of usernames.
import type { Viewer } from '#shared/access.ts';
import { foldText } from '#shared/text.ts';
import type { PersonName } from '#shared/users.ts';
import type { Database } from './schema.ts';

/**
 * Returns the display names of users with a full name, including the username if others share the
 * full name. Staff of a park get only users who see that park. A username that a deleted user had
 * too is left out, since older records belong to that user.
 */
export async function listNames(db: Database, { role, park }: Viewer): Promise<PersonName[]> {
  const rows = await db
    .selectFrom('users')
    .select(['username', 'username_key', 'full_name'])
    .where('deleted_at', 'is', null)
    .$if(role === 'None' && park !== '', (qb) => qb.where('park', 'in', ['', park]))
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
  return rows
    .filter(({ username_key, full_name }) => full_name !== '' && !reusedKeys.has(username_key))
    .map(({ username, full_name }) => ({
      username,
      name: (counts.get(foldText(full_name)) ?? 0) > 1 ? `${full_name} (${username})` : full_name,
    }));
}

export type NameFinder = Awaited<ReturnType<typeof createNameFinder>>;

/** Returns a function that finds the name to show for a username. Other text stays as it is. */
export async function createNameFinder(db: Database, viewer: Viewer) {
  const names = new Map((await listNames(db, viewer)).map(({ username, name }) => [username, name]));
  return <Text extends string | null | undefined>(username: Text): Text | string =>
    (username && names.get(username)) ?? username;
}

export type UserNames = { username: string; full_name: string };

/** Returns the username and the full name of every user who has one. */
export const listBothNames = (db: Database): Promise<UserNames[]> =>
  db
    .selectFrom('users')
    .select(['username', 'full_name'])
    .where('deleted_at', 'is', null)
    .where('full_name', '<>', '')
    .execute();
