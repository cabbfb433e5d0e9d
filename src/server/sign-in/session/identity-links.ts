// Which identity at the operator's provider a user has, and identities that wait for an Admin.
import type { WaitingIdentity } from '#shared/sign-in/single-sign-on.ts';
import type { Config } from '../../config.ts';
import type { Database, Tables } from '../../db/schema.ts';
import { sha256 } from '../../hash.ts';
import { newId } from '../../ids.ts';

export type IdentityLink = Tables['identity_links'];

const dayMs = 24 * 60 * 60_000;
const waitingMs = 30 * dayMs;
const maxWaiting = 100;
/** How long a linked user's PIN works after they signed in at the provider. */
const pinPeriodMs = 7 * dayMs;

/** An identity is issuer and subject, and nothing else: another tenant may have the same subject or email address. */
export const hashIdentity = (issuer: string, subject: string) => sha256(JSON.stringify([issuer, subject]));

/** Returns the link of an identity, also to a user who was deleted. */
export const findLink = (db: Database, identityHash: string): Promise<IdentityLink | undefined> =>
  db.selectFrom('identity_links').selectAll().where('identity_hash', '=', identityHash).executeTakeFirst();

export const findUserLink = (db: Database, userId: string): Promise<IdentityLink | undefined> =>
  db.selectFrom('identity_links').selectAll().where('user_id', '=', userId).executeTakeFirst();

/** Returns the usernames of users who are linked to an identity, also of those whom the provider no longer lets in. */
export async function listLinkedUsers(db: Database): Promise<string[]> {
  const rows = await db
    .selectFrom('identity_links')
    .innerJoin('users', 'users.id', 'identity_links.user_id')
    .select('username')
    .where('deleted_at', 'is', null)
    .orderBy('username_key')
    .execute();
  return rows.map(({ username }) => username);
}

type NewLink = { identityHash: string; userId: string; by: string; lastSignInAt: string | null };

/** Links an identity to a user. The identity may have waited for an Admin, or belonged to a deleted user. */
export async function insertLink(db: Database, { identityHash, userId, by, lastSignInAt }: NewLink, now: Date) {
  await db.deleteFrom('identity_links').where('identity_hash', '=', identityHash).execute();
  await db.deleteFrom('waiting_identities').where('identity_hash', '=', identityHash).execute();
  await db
    .insertInto('identity_links')
    .values({
      ...{ identity_hash: identityHash, user_id: userId, access: 'usual' },
      ...{ created_at: now.toISOString(), created_by: by, last_sign_in_at: lastSignInAt },
    })
    .execute();
}

export async function updateLink(
  db: Database,
  userId: string,
  change: Partial<Pick<IdentityLink, 'access' | 'last_sign_in_at'>>,
): Promise<void> {
  await db.updateTable('identity_links').set(change).where('user_id', '=', userId).execute();
}

export async function deleteLink(db: Database, userId: string): Promise<void> {
  await db.deleteFrom('identity_links').where('user_id', '=', userId).execute();
}

/** Keeps the hash, user and date of a deleted user's link, so that the identity is refused. */
export async function clearLink(db: Database, userId: string): Promise<void> {
  await db
    .updateTable('identity_links')
    .set({ access: 'refused', created_by: '', last_sign_in_at: null })
    .where('user_id', '=', userId)
    .execute();
}

/**
 * Whether a password or passkey signs the user in. Linked users sign in through the provider, or with a PIN; Admins
 * have both ways, in case the provider cannot be reached.
 */
export async function maySignInLocally(
  db: Database,
  { provider, localSignInFor }: Pick<Config, 'provider' | 'localSignInFor'>,
  user: { id: string; role: string },
): Promise<boolean> {
  const link = await findUserLink(db, user.id);
  if (link?.access === 'refused') return false;
  return !provider || user.role === 'Admin' || (!link && localSignInFor === 'everyone');
}

/** Whether role and parks of a user come from the provider, so that Admins cannot change them. */
export async function hasAccessFromProvider(
  db: Database,
  { provider }: Pick<Config, 'provider'>,
  userId: string,
): Promise<boolean> {
  const link = provider?.roleClaim ? await findUserLink(db, userId) : undefined;
  return link !== undefined && link.access !== 'allowed';
}

/**
 * Whether a user may use a PIN: a linked one only for some days after the last sign-in at the provider, or after the
 * link before the first one. Without a provider there is no limit, but someone refused may not use it either.
 */
export async function mayUsePin(
  db: Database,
  { provider }: Pick<Config, 'provider'>,
  userId: string,
  now: Date,
): Promise<boolean> {
  const link = await findUserLink(db, userId);
  if (!link || (!provider && link.access !== 'refused')) return true;
  const lastAt = Date.parse(link.last_sign_in_at ?? link.created_at);
  // It seems to be in the future if the clock was ahead then.
  return link.access !== 'refused' && Math.abs(now.getTime() - lastAt) < pinPeriodMs;
}

type Person = { name: string; email: string };

/** Stores someone who waits for an Admin to let them in. If more than 100 wait, the oldest are deleted. */
export async function saveWaitingIdentity(db: Database, identityHash: string, { name, email }: Person, now: Date) {
  const at = now.toISOString();
  await db
    .insertInto('waiting_identities')
    .values({ id: newId(), identity_hash: identityHash, name, email, first_at: at, last_at: at })
    .onConflict((conflict) => conflict.column('identity_hash').doUpdateSet({ name, email, last_at: at }))
    .execute();
  const newestFirst = db.selectFrom('waiting_identities').select('id').orderBy('last_at', 'desc').orderBy('id');
  await db
    .deleteFrom('waiting_identities')
    .where('id', 'not in', (eb) => eb.selectFrom(newestFirst.limit(maxWaiting).as('kept')).select('id'))
    .execute();
}

export async function listWaitingIdentities(db: Database, now: Date): Promise<WaitingIdentity[]> {
  const rows = await db
    .selectFrom('waiting_identities')
    .selectAll()
    .where('last_at', '>', getOldest(now))
    .orderBy('last_at', 'desc')
    .orderBy('id')
    .execute();
  return rows.map(({ id, name, email, first_at, last_at }) => ({
    ...{ id, name, email },
    ...{ firstAt: first_at, lastAt: last_at },
  }));
}

/** Returns the hash of the deleted identity; undefined if it was not waiting. */
export async function deleteWaitingIdentity(db: Database, id: string): Promise<string | undefined> {
  const row = await db
    .deleteFrom('waiting_identities')
    .where('id', '=', id)
    .returning('identity_hash')
    .executeTakeFirst();
  return row?.identity_hash;
}

const getOldest = (now: Date) => new Date(now.getTime() - waitingMs).toISOString();

export async function deleteOldWaitingIdentities(db: Database, now: Date): Promise<void> {
  await db.deleteFrom('waiting_identities').where('last_at', '<=', getOldest(now)).execute();
}
