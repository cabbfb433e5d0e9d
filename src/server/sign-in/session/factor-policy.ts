// Who must sign in with a second factor: REQUIRE_SECOND_FACTOR, and since when.
import type { Role } from '#shared/access.ts';
import type { FactorNeed } from '#shared/sign-in/second-factors.ts';
import type { SignInMethod } from '#shared/users.ts';
import { maxClockDriftMs } from '../../clock.ts';
import type { Config } from '../../config.ts';
import { getCounter } from '../../db/counters.ts';
import type { Database } from '../../db/schema.ts';

type Policy = Pick<Config, 'secondFactorFor'>;

const startName = 'second factors required since';
const gracePeriodMs = 14 * 24 * 60 * 60_000;

/** Returns when users may no longer put off a second factor. */
export const findEndOfGrace = async (db: Database): Promise<Date> =>
  new Date((await getCounter(db, startName)) + gracePeriodMs);

/**
 * Stores when the policy was first in force, which begins the days in which users may put it off. They begin again if
 * the clock was ahead then.
 */
export async function startFactorPolicy(db: Database, { secondFactorFor }: Policy, now: Date): Promise<void> {
  if (secondFactorFor === 'off') return;
  await db
    .insertInto('counters')
    .values({ name: startName, value: now.getTime() })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ value: now.getTime() })
        .where('counters.value', '>', now.getTime() + maxClockDriftMs),
    )
    .execute();
}

export const isRequired = ({ secondFactorFor }: Policy, role: Role) =>
  secondFactorFor === 'everyone' || (secondFactorFor === 'reviewers' && role !== 'None');

const methodsWithoutFactor = new Set<SignInMethod>(['password', 'one-time password', 'single sign-on']);

/**
 * Returns until when the user of a session may put off a second factor, and whether they can set one up now.
 * Returns undefined unless one is required and the session has none.
 */
export async function findFactorNeed(
  db: Database,
  policy: Policy,
  { role, method }: { role: Role; method: SignInMethod },
  now: Date,
): Promise<FactorNeed | undefined> {
  // A session by PIN has the rights of staff, and cannot set up a second factor.
  if (!isRequired(policy, role) || !methodsWithoutFactor.has(method)) return undefined;
  const end = await findEndOfGrace(db);
  const isLaterPossible = now < end;
  return {
    laterUntil: isLaterPossible ? end.toISOString() : null,
    canSetUp: isLaterPossible || method === 'one-time password',
    isReviewer: role !== 'None',
  };
}

/** Returns the role for a session: staff if a required second factor was not set up in time. */
export const limitRole = (role: Role, need: FactorNeed | undefined): Role =>
  need?.laterUntil === null ? 'None' : role;

/**
 * Returns the role with which the device of this session may be shown something. Of a session that has ended for so
 * long that it is not stored, counts whether its user has a second factor, here or at the provider.
 */
export async function findRoleOnDevice(
  db: Database,
  policy: Policy,
  { userId, role, tokenHash }: { userId: string; role: Role; tokenHash: string },
  now: Date,
): Promise<Role> {
  if (!isRequired(policy, role)) return role;
  const session = await db
    .selectFrom('sessions')
    .select('method')
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
  if (!session && (await hasFactorOfAnyKind(db, userId))) return role;
  const method = (session?.method ?? 'password') as SignInMethod;
  return method === 'PIN' ? 'None' : limitRole(role, await findFactorNeed(db, policy, { role, method }, now));
}

async function hasFactorOfAnyKind(db: Database, userId: string): Promise<boolean> {
  const rows = await db
    .selectFrom('authenticators')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('is_confirmed', '=', 1)
    .union(db.selectFrom('passkeys').select('user_id').where('user_id', '=', userId).where('is_confirmed', '=', 1))
    .union(db.selectFrom('identity_links').select('user_id').where('user_id', '=', userId))
    .execute();
  return rows.length > 0;
}
