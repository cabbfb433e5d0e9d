// Who is asking: a random token in a cookie, of which the database keeps only the hash.
import { randomBytes } from 'node:crypto';
import type { Role } from '#shared/access.ts';
import type { Config } from '../config.ts';
import { prepare } from '../db/prepared.ts';
import type { Database } from '../db/schema.ts';
import { sha256 } from '../hash.ts';

export type SignedInUser = {
  id: string;
  username: string;
  role: Role;
  park: string;
  mustChangePassword: boolean;
  signedInAt: string;
  expiresAt: string;
  tokenHash: string;
};

type Lifetimes = Config['sessions'];

const sessionsPerUser = 10;
/** Between the clocks of two copies. What began later than that from now began under a clock that has been set back since. */
const maxClockDriftMs = 60_000;

export const getCookieName = (isSecure: boolean) => (isSecure ? '__Host-hs_session' : 'hs_session');

const attributes = (isSecure: boolean) => `Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
/** Staff stay signed in when the browser is closed: what waits to be sent on their device needs them. The idle limit is the server's. */
export function createSessionCookie(token: string, isSecure: boolean, role: string, { staff }: Lifetimes): string {
  const maxAge = role === 'None' ? `; Max-Age=${Math.floor(staff.absoluteMs / 1000)}` : '';
  return `${getCookieName(isSecure)}=${token}; ${attributes(isSecure)}${maxAge}`;
}
export const createExpiredCookie = (isSecure: boolean) =>
  `${getCookieName(isSecure)}=; ${attributes(isSecure)}; Max-Age=0`;

/** The token in a Cookie header; none when there are two of the name, which is how somebody plants one. */
export function parseSessionToken(header: string | undefined, isSecure: boolean): string | undefined {
  const name = `${getCookieName(isSecure)}=`;
  const found = (header ?? '').split(/;\s*/).filter((part) => part.startsWith(name));
  const token = found.length === 1 ? found[0]?.slice(name.length) : undefined;
  return token && /^[\w-]{43}$/.test(token) ? token : undefined;
}

/** Starts a session and gives its token. The oldest go when a person has more than ten. */
export async function insertSession(db: Database, userId: string, now: Date): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const at = now.toISOString();
  await db
    .insertInto('sessions')
    .values({ token_hash: sha256(token), user_id: userId, created_at: at, last_seen_at: at })
    .execute();
  const kept = db
    .selectFrom('sessions')
    .select('token_hash')
    .where('user_id', '=', userId)
    .where('token_hash', '!=', sha256(token))
    .orderBy('created_at', 'desc')
    .orderBy('token_hash')
    .limit(sessionsPerUser - 1);
  await db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('token_hash', 'not in', (eb) => eb.selectFrom(kept.as('kept')).select('token_hash'))
    .where('token_hash', '!=', sha256(token))
    .execute();
  return token;
}

const selectSession = prepare((db, { hash }: { hash: string }) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select([
      'sessions.token_hash',
      'sessions.created_at',
      'sessions.last_seen_at',
      'users.id',
      'users.username',
      'users.role',
      'users.park',
      'users.must_change_password',
    ])
    .where('sessions.token_hash', '=', hash)
    .where('users.deleted_at', 'is', null),
);

/** The person behind a token, as the database has them now; nobody when the session has ended or is over its time. */
export async function findSession(
  db: Database,
  token: string,
  lifetimes: Lifetimes,
  now: Date,
): Promise<SignedInUser | undefined> {
  const [row] = await selectSession(db, { hash: sha256(token) });
  if (!row) return undefined;
  const { idleMs, absoluteMs } = row.role === 'None' ? lifetimes.staff : lifetimes.reviewer;
  const ends = Date.parse(row.created_at) + absoluteMs;
  if (now.getTime() >= Math.min(ends, Date.parse(row.last_seen_at) + idleMs)) return undefined;
  if (Math.max(Date.parse(row.created_at), Date.parse(row.last_seen_at)) > now.getTime() + maxClockDriftMs)
    return undefined;
  if (now.getTime() - Date.parse(row.last_seen_at) >= 60_000) await touchSession(db, row.token_hash, now);
  return {
    id: row.id,
    username: row.username,
    role: row.role as Role,
    park: row.park,
    mustChangePassword: row.must_change_password === 1,
    signedInAt: row.created_at,
    expiresAt: new Date(Math.min(ends, now.getTime() + idleMs)).toISOString(),
    tokenHash: row.token_hash,
  };
}

async function touchSession(db: Database, tokenHash: string, now: Date): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ last_seen_at: now.toISOString() })
    .where('token_hash', '=', tokenHash)
    .execute();
}

export async function deleteSession(db: Database, tokenHash: string): Promise<void> {
  await db.deleteFrom('sessions').where('token_hash', '=', tokenHash).execute();
}

/** Ends a person's sessions, but the one given. */
export async function deleteUserSessions(db: Database, userId: string, except = ''): Promise<void> {
  await db.deleteFrom('sessions').where('user_id', '=', userId).where('token_hash', '!=', except).execute();
}

/** Removes sessions that no lifetime can still hold. */
export async function deleteExpiredSessions(db: Database, lifetimes: Lifetimes, now: Date): Promise<void> {
  const longest = Math.max(lifetimes.staff.absoluteMs, lifetimes.reviewer.absoluteMs);
  await db
    .deleteFrom('sessions')
    .where('created_at', '<', new Date(now.getTime() - longest).toISOString())
    .execute();
}
