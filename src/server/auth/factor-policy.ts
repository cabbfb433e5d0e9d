// Who must sign in with a second factor: REQUIRE_SECOND_FACTOR, and since when.
import type { Role } from '#shared/access.ts';
import type { FactorNeed } from '#shared/sign-in/second-factors.ts';
import type { SignInMethod } from '#shared/users.ts';
import type { Config } from '../config.ts';
import { getCounter } from '../db/counters.ts';
import type { Database } from '../db/schema.ts';

type Policy = Pick<Config, 'secondFactorFor'>;

const startName = 'second factors required since';
const gracePeriodMs = 14 * 24 * 60 * 60_000;

/** Returns when users may no longer put off a second factor. */
export const findEndOfGrace = async (db: Database): Promise<Date> =>
  new Date((await getCounter(db, startName)) + gracePeriodMs);

/** Stores when the policy was first in force, which begins the days in which users may put it off. */
export async function startFactorPolicy(db: Database, { secondFactorFor }: Policy, now: Date): Promise<void> {
  if (secondFactorFor === 'off') return;
  await db
    .insertInto('counters')
    .values({ name: startName, value: now.getTime() })
    .onConflict((conflict) => conflict.column('name').doNothing())
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
