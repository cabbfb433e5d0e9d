import type { Role } from '../../shared/access.ts';
import { usernameKey } from '../../shared/users.ts';
import type { Database, Tables } from '../db/schema.ts';
import { newId } from '../ids.ts';

type UserRow = Tables['users'] & { role: Role };

/** The user of this id; a deleted one only when asked for. */
export async function findUser(db: Database, id: string, { deleted = false } = {}): Promise<UserRow | undefined> {
  const query = db.selectFrom('users').selectAll().where('id', '=', id);
  const row = await (deleted ? query : query.where('deleted_at', 'is', null)).executeTakeFirst();
  return row as UserRow | undefined;
}

export async function findUserByName(db: Database, username: string): Promise<UserRow | undefined> {
  const row = await db
    .selectFrom('users')
    .selectAll()
    .where('username_key', '=', usernameKey(username))
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return row as UserRow | undefined;
}

export async function countUsers(db: Database): Promise<number> {
  const { count } = await db
    .selectFrom('users')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

type NewUser = { username: string; passwordHash: string; role: Role; park: string; mustChangePassword: boolean };

export async function insertUser(db: Database, user: NewUser, now: Date): Promise<string> {
  const id = newId();
  await db
    .insertInto('users')
    .values({
      id,
      username: user.username,
      username_key: usernameKey(user.username),
      password_hash: user.passwordHash,
      must_change_password: user.mustChangePassword ? 1 : 0,
      role: user.role,
      park: user.park,
      created_at: now.toISOString(),
      last_sign_in_at: null,
      deleted_at: null,
    })
    .execute();
  return id;
}

export async function updatePassword(
  db: Database,
  id: string,
  passwordHash: string,
  mustChange: boolean,
): Promise<void> {
  await db
    .updateTable('users')
    .set({ password_hash: passwordHash, must_change_password: mustChange ? 1 : 0 })
    .where('id', '=', id)
    .execute();
}

export async function updateSignIn(db: Database, id: string, now: Date): Promise<void> {
  await db.updateTable('users').set({ last_sign_in_at: now.toISOString() }).where('id', '=', id).execute();
}
