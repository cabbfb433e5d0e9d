import { sql } from 'kysely';
import { canManage, type Parks, type Role, readParks, toParkFields, type Viewer } from '#shared/access.ts';
import { getLookalikeKey } from '#shared/sign-in/lookalikes.ts';
import { getUsernameKey, type User } from '#shared/users.ts';
import type { Config } from '../config.ts';
import { firstPasswordName } from '../db/first-step-names.ts';
import { pageSize } from '../db/page-size.ts';
import { countRows, findsRow, readPages } from '../db/queries.ts';
import type { Database, Tables } from '../db/schema.ts';
import { newId } from '../ids.ts';
import { guestAccountId } from '../names/guest-account.ts';
import { canSendLinks } from '../notifications/email.ts';
import { deleteSecondFactors } from '../sign-in/factors/second-factors.ts';
import { clearLink } from '../sign-in/session/identity-links.ts';
import { deleteInvitations, invitationSeconds } from '../sign-in/session/one-use-tokens.ts';
import { parseStoredParks, seesAllParks, toStoredParks } from '../user-parks.ts';
import { deleteEmailChanges } from './email-changes.ts';

export type UserRow = Omit<Tables['users'], 'parks'> & Viewer;

const toUser = (row: Tables['users'] | undefined) => row && ({ ...row, parks: parseStoredParks(row.parks) } as UserRow);

/** Returns a user; deleted ones only if asked for. */
export async function findUser(db: Database, id: string, { deleted = false } = {}): Promise<UserRow | undefined> {
  const query = db.selectFrom('users').selectAll().where('id', '=', id);
  return toUser(await (deleted ? query : query.where('deleted_at', 'is', null)).executeTakeFirst());
}

export async function findUserByName(db: Database, username: string): Promise<UserRow | undefined> {
  const row = await db
    .selectFrom('users')
    .selectAll()
    .where('username_key', '=', getUsernameKey(username))
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return toUser(row);
}

/**
 * Returns all active users by name. Email addresses are for Admins only; how someone signs in is for those
 * who manage them.
 */
export const listUsers = async (db: Database, viewer: Viewer, settings: Settings): Promise<User[]> =>
  (await selectUsers(db, viewer).execute()).map((row) => toListedUser(row, viewer, settings));

type Settings = Pick<Config, 'provider' | 'localSignInFor' | 'mail' | 'publicUrl'>;
type ListedRow = {
  parks: string;
  role: string;
  factors: number;
  recoveryCodes: number;
  access: string | null;
  last_sign_in_at: string | null;
  lastSignInAt: string | null;
  hasEmail: number;
  invitedUntil: string | null;
};

function toListedUser(listed: ListedRow, viewer: Viewer, settings: Settings): User {
  const { provider } = settings;
  const { factors, recoveryCodes, access, last_sign_in_at, hasEmail, invitedUntil, ...row } = listed;
  const link = access === null ? undefined : { lastSignInAt: last_sign_in_at, isRefused: access === 'refused' };
  const accessFromProvider = Boolean(provider?.roleClaim && link && access !== 'allowed');
  const parks = parseStoredParks(row.parks);
  const secondFactor = factors === 0 ? 'none' : factors + recoveryCodes === 1 ? 'oneWay' : 'several';
  const isManaged = canManage(viewer, { role: row.role as Role, parks });
  const hasPassword = !link && (!provider || row.role === 'Admin' || settings.localSignInFor === 'everyone');
  const invitation = hasPassword &&
    hasEmail === 1 &&
    row.lastSignInAt === null &&
    canSendLinks(settings) && { sentAt: invitedUntil && toSentAt(invitedUntil) };
  const managed = isManaged && { secondFactor, ...(link && { link }), ...(invitation && { invitation }) };
  return { ...row, ...toParkFields(parks), ...managed, accessFromProvider } as unknown as User;
}

const toSentAt = (expiresAt: string) => new Date(Date.parse(expiresAt) - invitationSeconds * 1000).toISOString();

/** Counts rows that the user has completed setting up; of recovery codes those that are not used. */
const countOf = (table: 'authenticators' | 'passkeys' | 'recovery_codes') =>
  sql<number>`(select count(*) from ${sql.table(table)} where user_id = users.id and is_confirmed = 1${table === 'recovery_codes' ? sql` and used_at is null` : sql``})`;

const selectUsers = (db: Database, viewer: { role: Role }) =>
  db
    .selectFrom('users')
    .leftJoin('identity_links', 'identity_links.user_id', 'users.id')
    .select(['id', 'username', 'role', 'parks', 'users.last_sign_in_at as lastSignInAt', 'full_name'])
    .select(['access', 'identity_links.last_sign_in_at'])
    .select([
      sql<number>`${countOf('authenticators')} + ${countOf('passkeys')}`.as('factors'),
      countOf('recovery_codes').as('recoveryCodes'),
      sql<number>`case when email = '' then 0 else 1 end`.as('hasEmail'),
      sql<
        string | null
      >`(select max(expires_at) from one_use_tokens where user_id = users.id and kind = 'invitation')`.as(
        'invitedUntil',
      ),
    ])
    .$if(viewer.role === 'Admin', (all) => all.select('email'))
    .where('deleted_at', 'is', null)
    .orderBy('username_key');

/** Reads all active users by name, page by page. */
export async function* readUserPages(db: Database, viewer: Viewer, settings: Settings): AsyncGenerator<User[]> {
  const users = selectUsers(db, viewer).select('username_key').limit(pageSize);
  const pages = readPages<ListedRow & { username_key: string }>((last) =>
    users.where('username_key', '>', last?.username_key ?? '').execute(),
  );
  for await (const page of pages) yield page.map((row) => toListedUser(row, viewer, settings));
}

/** Returns those of the usernames that active users have, as `getUsernameKey` writes them. */
export async function listTakenUsernames(db: Database, usernames: string[]): Promise<Set<string>> {
  if (usernames.length === 0) return new Set();
  const rows = await db
    .selectFrom('users')
    .select('username_key')
    .where('username_key', 'in', usernames.map(getUsernameKey))
    .where('deleted_at', 'is', null)
    .execute();
  return new Set(rows.map((row) => row.username_key));
}

/**
 * Returns a function that finds the active user whose username another one looks like. Equal usernames are no lookalikes.
 */
export async function createLookalikeFinder(db: Database): Promise<(username: string) => string | undefined> {
  const rows = await db
    .selectFrom('users')
    .select(['username', 'username_key'])
    .where('deleted_at', 'is', null)
    .execute();
  const users = new Map(rows.map((row) => [getLookalikeKey(row.username), row]));
  return (username) => {
    const user = users.get(getLookalikeKey(username));
    return user && user.username_key !== getUsernameKey(username) ? user.username : undefined;
  };
}

/** Returns the number of users, including deleted ones, without the account of guests. */
export const countUsers = async (db: Database): Promise<number> =>
  countRows(db.selectFrom('users').where('id', '<>', guestAccountId));

/**
 * Returns the number of Admins of all parks other than `except` who can sign in without the provider: not those whose
 * one-time password is used up and who have not chosen one of their own.
 */
export async function countLocalAdmins(db: Database, except: string): Promise<number> {
  return countRows(
    selectAdminsOfAllParks(db)
      .leftJoin('identity_links', 'identity_links.user_id', 'users.id')
      .where('users.id', '!=', except)
      .where('password_hash', '!=', '')
      .where((eb) => eb.or([eb('must_change_password', '=', 0), eb('one_time_used_at', 'is', null)]))
      .where((eb) => eb.or([eb('access', 'is', null), eb('access', '!=', 'refused')])),
  );
}

export const hasAdminOfAllParks = (db: Database): Promise<boolean> => findsRow(selectAdminsOfAllParks(db));

const selectAdminsOfAllParks = (db: Database) =>
  db.selectFrom('users').where('role', '=', 'Admin').where(seesAllParks).where('deleted_at', 'is', null);

type NewUser = {
  username: string;
  passwordHash: string;
  role: Role;
  park: string;
  parks?: Parks | undefined;
  mustChangePassword: boolean;
  full_name?: string | undefined;
  email?: string | undefined;
};

export async function insertUser(db: Database, user: NewUser, now: Date): Promise<string> {
  const id = newId();
  await db
    .insertInto('users')
    .values({
      id,
      username: user.username,
      username_key: getUsernameKey(user.username),
      password_hash: user.passwordHash,
      must_change_password: user.mustChangePassword ? 1 : 0,
      ...{ one_time_used_at: null, one_time_attempt: '' },
      role: user.role,
      parks: toStoredParks(readParks(user)),
      created_at: now.toISOString(),
      last_sign_in_at: null,
      deleted_at: null,
      full_name: user.full_name ?? '',
      email: user.email ?? '',
      email_confirmed: 0,
    })
    .execute();
  return id;
}

// Every change of role, parks, email address or password ends an invitation, here, so that none is forgotten.

export async function updateAssignment(db: Database, id: string, { role, parks }: Viewer) {
  await deleteInvitations(db, id);
  await db
    .updateTable('users')
    .set({ role, parks: toStoredParks(parks) })
    .where('id', '=', id)
    .execute();
}

type Details = { full_name: string; email: string };

export async function updateDetails(db: Database, id: string, { full_name, email }: Details): Promise<void> {
  const isNewEmail = (await findUser(db, id))?.email !== email;
  if (isNewEmail) await deleteInvitations(db, id);
  await db
    .updateTable('users')
    .set({ full_name, email, ...(isNewEmail && { email_confirmed: 0 }) })
    .where('id', '=', id)
    .execute();
}

/** Stores an address whose owner has opened the link sent to it, or none. */
export async function updateEmail(db: Database, id: string, email: string): Promise<void> {
  await deleteInvitations(db, id);
  await db
    .updateTable('users')
    .set({ email, email_confirmed: email === '' ? 0 : 1 })
    .where('id', '=', id)
    .execute();
}

export async function updatePassword(
  db: Database,
  id: string,
  passwordHash: string,
  mustChange: boolean,
): Promise<void> {
  await deleteInvitations(db, id);
  await db.deleteFrom('counters').where('name', '=', firstPasswordName(id)).execute();
  await db
    .updateTable('users')
    .set({
      ...{ password_hash: passwordHash, must_change_password: mustChange ? 1 : 0 },
      ...{ one_time_used_at: null, one_time_attempt: '' },
    })
    .where('id', '=', id)
    .execute();
}

/** Stores the same password with another hash. */
export async function updateHash(db: Database, id: string, password_hash: string): Promise<void> {
  await db.updateTable('users').set({ password_hash }).where('id', '=', id).execute();
}

export async function updateSignIn(db: Database, id: string, now: Date): Promise<void> {
  await db.updateTable('users').set({ last_sign_in_at: now.toISOString() }).where('id', '=', id).execute();
}

/**
 * Keeps the row, because records show its username. A new user may get the same username. The full
 * name, the email address, second factors, PIN and browsers are deleted. A link to the provider keeps its hash,
 * user and date, so that the identity is refused.
 */
export async function deleteUser(db: Database, id: string, now: Date): Promise<void> {
  const details = { full_name: '', email: '', email_confirmed: 0 } as const;
  await db
    .updateTable('users')
    .set({ ...details, deleted_at: now.toISOString() })
    .where('id', '=', id)
    .execute();
  await deleteInvitations(db, id);
  await deleteEmailChanges(db, id);
  await deleteSecondFactors(db, id);
  await clearLink(db, id);
  for (const table of ['factor_resets', 'browsers', 'pins', 'device_sign_ins'] as const)
    await db.deleteFrom(table).where('user_id', '=', id).execute();
}
