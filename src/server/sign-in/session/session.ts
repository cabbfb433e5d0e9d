// Sessions: a random token in a cookie. The database stores only its hash.
import { randomBytes } from 'node:crypto';
import type { Parks, Role } from '#shared/access.ts';
import type { FactorNeed } from '#shared/sign-in/second-factors.ts';
import type { SignInMethod } from '#shared/users.ts';
import { maxClockDriftMs } from '../../clock.ts';
import type { Config } from '../../config.ts';
import { prepare } from '../../db/prepared.ts';
import type { Database } from '../../db/schema.ts';
import { sha256 } from '../../hash.ts';
import { newId } from '../../ids.ts';
import { parseStoredParks } from '../../user-parks.ts';
import { findFactorNeed, limitRole } from './factor-policy.ts';
import { deleteUserTokens } from './one-use-tokens.ts';

export type SignedInUser = {
  id: string;
  username: string;
  /**
   * The role that applies in this session: staff if the user signed in by PIN, or did not set up a required second
   * factor in time.
   */
  role: Role;
  /** The user's own role. */
  fullRole: Role;
  factorNeed: FactorNeed | undefined;
  parks: Parks;
  mustChangePassword: boolean;
  method: SignInMethod;
  signedInAt: string;
  /**
   * When the user last proved who they are in this session: with password and second factor, a passkey, or at
   * the provider. Empty after a sign-in at the provider without entering the password there.
   */
  confirmedAt: string;
  /**
   * Whether the request has the token that the session had before the user proved who they are: someone may have
   * copied it. `confirmedAt` is empty then.
   */
  isByEarlierToken: boolean;
  expiresAt: string;
  /** Whether activity can move `expiresAt`: it is not the absolute limit. */
  canExtend: boolean;
  tokenHash: string;
  /** The shared device on which the session began, or that sends what the user submitted on it, and when they did. */
  sharedDevice?: { id: string; madeAt: string };
};

type Lifetimes = Config['sessions'];

/** How long an unused session by PIN lasts; the screens of the shared device sign the user out sooner. */
const pinIdleMs = 30 * 60_000;

/** Linked users sign in again twice a day, so that the provider's decisions take effect. */
const providerAbsoluteMs = 12 * 60 * 60_000;

export const isSingleSignOn = (method: string) => method.startsWith('single sign-on');

function getLifetimes({ staff, reviewer }: Lifetimes, { role, method }: { role: string; method: string }) {
  if (method === 'PIN') return { ...staff, idleMs: pinIdleMs };
  const lifetimes = role === 'None' ? staff : reviewer;
  if (!isSingleSignOn(method)) return lifetimes;
  return { ...lifetimes, absoluteMs: Math.min(lifetimes.absoluteMs, providerAbsoluteMs) };
}

/**
 * Returns a session's sign-in method after a second factor was accepted: `withFactor` if it began
 * with a password, the same method if it had a factor already.
 */
export function addFactor(method: SignInMethod, withFactor: SignInMethod): SignInMethod {
  if (method === 'single sign-on') return 'single sign-on with second factor';
  return method === 'password' || method === 'one-time password' ? withFactor : method;
}

type Times = { created_at: string; last_seen_at: string };

/** Returns when a session ends, as milliseconds since 1970: at the latest, and if it is not used again. */
const getEnds = ({ created_at, last_seen_at }: Times, { idleMs, absoluteMs }: Lifetimes['staff']) => ({
  absolute: Date.parse(created_at) + absoluteMs,
  idle: Date.parse(last_seen_at) + idleMs,
});

const maxSessionsPerUser = 10;

type CookieKind = 'session' | 'second_step' | 'browser' | 'shared_device' | 'provider';

export const getCookieName = (isSecure: boolean, kind: CookieKind = 'session') =>
  `${isSecure ? '__Host-' : ''}hs_${kind}`;

const getCookieAttributes = (isSecure: boolean) => `Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
/**
 * Staff stay signed in after the browser closes, since unsent input on their device needs their
 * session. The server enforces the idle limit.
 */
export function createSessionCookie(
  token: string,
  isSecure: boolean,
  person: { role: string; method: SignInMethod },
  lifetimes: Lifetimes,
): string {
  const { absoluteMs } = getLifetimes(lifetimes, person);
  const isPersistent = person.role === 'None' && person.method !== 'PIN';
  const maxAge = isPersistent ? `; Max-Age=${Math.floor(absoluteMs / 1000)}` : '';
  return `${getCookieName(isSecure)}=${token}; ${getCookieAttributes(isSecure)}${maxAge}`;
}
/** Returns a cookie of another kind than the session's, which the browser keeps for some seconds. */
export const createTokenCookie = (kind: CookieKind, token: string, isSecure: boolean, seconds: number) =>
  `${getCookieName(isSecure, kind)}=${token}; ${getCookieAttributes(isSecure)}; Max-Age=${seconds}`;
export const createExpiredCookie = (isSecure: boolean, kind: CookieKind = 'session') =>
  `${getCookieName(isSecure, kind)}=; ${getCookieAttributes(isSecure)}; Max-Age=0`;

/**
 * Returns the token of this kind in a Cookie header. Returns none if there are two: another site may have set
 * one of them.
 */
export function parseCookieToken(
  header: string | undefined,
  isSecure: boolean,
  kind: CookieKind = 'session',
): string | undefined {
  const name = `${getCookieName(isSecure, kind)}=`;
  const cookies = (header ?? '').split(/;\s*/).filter((part) => part.startsWith(name));
  const token = cookies.length === 1 ? cookies[0]?.slice(name.length) : undefined;
  return token && /^[\w-]{43}$/.test(token) ? token : undefined;
}

/** `confirmedAt` is when the user proved who they are; empty if not yet. */
type NewSession = { device?: string; method?: SignInMethod; sharedDeviceId?: string | null; confirmedAt?: string };

/**
 * Creates a session and returns its token. Deletes the oldest sessions of users with more than ten.
 */
export async function insertSession(
  db: Database,
  userId: string,
  now: Date,
  { device = '', method = 'password', sharedDeviceId = null, confirmedAt = now.toISOString() }: NewSession = {},
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const at = now.toISOString();
  await db
    .insertInto('sessions')
    .values({
      ...{ token_hash: sha256(token), user_id: userId, created_at: at, last_seen_at: at },
      ...{ device, method, confirmed_at: confirmedAt, shared_device_id: sharedDeviceId },
    })
    .execute();
  const newestSessions = db
    .selectFrom('sessions')
    .select('token_hash')
    .where('user_id', '=', userId)
    .where('token_hash', '!=', sha256(token))
    .orderBy('created_at', 'desc')
    .orderBy('token_hash')
    .limit(maxSessionsPerUser - 1);
  await db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('token_hash', 'not in', (eb) => eb.selectFrom(newestSessions.as('kept')).select('token_hash'))
    .where('token_hash', '!=', sha256(token))
    .execute();
  return token;
}

const selectSession = prepare((db, { hash, at }: { hash: string; at: string }) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .leftJoin('shared_devices', 'shared_devices.id', 'sessions.shared_device_id')
    .select([
      'shared_devices.park as devicePark',
      'sessions.token_hash',
      'sessions.created_at',
      'sessions.last_seen_at',
      'sessions.confirmed_at',
      'sessions.method',
      'sessions.shared_device_id',
      'users.id',
      'users.username',
      'users.role',
      'users.parks',
      'users.must_change_password',
    ])
    .where((eb) =>
      eb.or([
        eb('sessions.token_hash', '=', hash),
        eb.and([eb('sessions.earlier_hash', '=', hash), eb('sessions.earlier_until', '>', at)]),
      ]),
    )
    .where('users.deleted_at', 'is', null),
);

/**
 * Returns the user of a session token with current role and parks, or undefined if the session has
 * ended or expired. Only requests that a user causes (`isUserActive`) keep the session alive.
 */
export async function findSession(
  db: Database,
  token: string,
  config: Pick<Config, 'sessions' | 'secondFactorFor'>,
  now: Date,
  { isUserActive = true } = {},
): Promise<SignedInUser | undefined> {
  const hash = sha256(token);
  const [row] = await selectSession(db, { hash, at: now.toISOString() });
  if (!row) return undefined;
  const lifetimes = getLifetimes(config.sessions, row);
  const { absolute: absoluteEnd, idle } = getEnds(row, lifetimes);
  if (now.getTime() >= Math.min(absoluteEnd, idle)) return undefined;
  // A session that seems to begin in the future was created before the clock was set back.
  if (Math.max(Date.parse(row.created_at), Date.parse(row.last_seen_at)) > now.getTime() + maxClockDriftMs)
    return undefined;
  const method = row.method as SignInMethod;
  const parks = limitParks(parseStoredParks(row.parks), method, row.devicePark);
  if (parks?.length === 0) return undefined;
  const isTouched = isUserActive && now.getTime() - Date.parse(row.last_seen_at) >= 60_000;
  if (isTouched) await touchSession(db, row.token_hash, now);
  const idleEnd = isTouched ? now.getTime() + lifetimes.idleMs : idle;
  const fullRole = row.role as Role;
  const isByEarlierToken = row.token_hash !== hash;
  const factorNeed = await findFactorNeed(db, config, { role: fullRole, method }, now);
  return {
    id: row.id,
    username: row.username,
    ...{ role: method === 'PIN' ? 'None' : limitRole(fullRole, factorNeed), fullRole, factorNeed, method },
    parks,
    mustChangePassword: row.must_change_password === 1 && !isSingleSignOn(method),
    signedInAt: row.created_at,
    ...{ confirmedAt: isByEarlierToken ? '' : row.confirmed_at, isByEarlierToken },
    expiresAt: new Date(Math.min(absoluteEnd, idleEnd)).toISOString(),
    canExtend: idleEnd < absoluteEnd,
    tokenHash: row.token_hash,
    ...(row.shared_device_id && { sharedDevice: { id: row.shared_device_id, madeAt: now.toISOString() } }),
  };
}

/** A PIN, which colleagues may have seen, opens only the park of the device on which it was entered. */
const limitParks = (parks: Parks, method: SignInMethod, devicePark: string | null): Parks =>
  method === 'PIN' && devicePark !== null
    ? [devicePark].filter((park) => parks === null || parks.includes(park))
    : parks;

/** Returns a user's sessions that have not expired, the last used first. */
export async function listSessions(db: Database, user: SignedInUser, lifetimes: Lifetimes, now: Date) {
  const rows = await db
    .selectFrom('sessions')
    .select(['token_hash', 'created_at', 'last_seen_at', 'device', 'method'])
    .where('user_id', '=', user.id)
    .orderBy('last_seen_at', 'desc')
    .orderBy('token_hash')
    .execute();
  return rows.filter((row) => {
    const { absolute, idle } = getEnds(row, getLifetimes(lifetimes, { role: user.fullRole, method: row.method }));
    return now.getTime() < Math.min(absolute, idle);
  });
}

async function touchSession(db: Database, tokenHash: string, now: Date): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ last_seen_at: now.toISOString() })
    .where('token_hash', '=', tokenHash)
    .execute();
}

/** Deletes a session. One on a shared device leaves behind when it was last used: whoever had it was there until then. */
export async function deleteSession(db: Database, tokenHash: string): Promise<void> {
  const session = await db
    .selectFrom('sessions')
    .select(['user_id', 'shared_device_id as device_id', 'last_seen_at as at'])
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
  if (session?.device_id)
    await db
      .insertInto('device_sign_ins')
      .values({ id: newId(), ...session, device_id: session.device_id })
      .execute();
  await db.deleteFrom('sessions').where('token_hash', '=', tokenHash).execute();
}

export async function deleteSessionsBegunAt(db: Database, userId: string, at: string): Promise<void> {
  await db.deleteFrom('sessions').where('user_id', '=', userId).where('created_at', '=', at).execute();
}

export async function deleteSessionsOfDevice(db: Database, sharedDeviceId: string): Promise<void> {
  await db.deleteFrom('sessions').where('shared_device_id', '=', sharedDeviceId).execute();
}

/** How long the earlier token works, for requests under way when a session gets a new one. */
const earlierTokenMs = 30_000;

/** Stores how the user of a session has signed in, after they proved a second factor too. */
export async function updateSessionMethod(db: Database, tokenHash: string, method: SignInMethod): Promise<void> {
  await db.updateTable('sessions').set({ method }).where('token_hash', '=', tokenHash).execute();
}

/**
 * Stores that the user has just proved who they are. Returns the session's new token: one that someone copied
 * before stops working.
 */
export async function confirmSession(db: Database, tokenHash: string, now: Date): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await db
    .updateTable('sessions')
    .set({
      ...{ token_hash: sha256(token), confirmed_at: now.toISOString() },
      ...{ earlier_hash: tokenHash, earlier_until: new Date(now.getTime() + earlierTokenMs).toISOString() },
    })
    .where('token_hash', '=', tokenHash)
    .execute();
  return token;
}

/** Ends all sessions of a user except the given one, and sign-ins that are not complete. */
export async function deleteUserSessions(db: Database, userId: string, except = ''): Promise<void> {
  await deleteUserTokens(db, userId);
  await db.deleteFrom('sessions').where('user_id', '=', userId).where('token_hash', '!=', except).execute();
}

/** Deletes sessions older than the longest lifetime. */
export async function deleteExpiredSessions(db: Database, lifetimes: Lifetimes, now: Date): Promise<void> {
  const longest = Math.max(lifetimes.staff.absoluteMs, lifetimes.reviewer.absoluteMs);
  await db
    .deleteFrom('sessions')
    .where('created_at', '<', new Date(now.getTime() - longest).toISOString())
    .execute();
}
