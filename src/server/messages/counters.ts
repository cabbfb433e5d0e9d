// Counts what guests send, for at most a day. Networks are counted by a hash with a key that only the running server
// knows, so nothing here says who wrote after the server stops.
import { sql } from 'kysely';
import { prepare } from '../db/prepared.ts';
import type { Database, Tables } from '../db/schema.ts';

type Counter = Pick<Tables['guest_counters'], 'amount' | 'ref'>;
type Addition = { key: string; amount: number; ref?: string; endsAt: Date; now: Date };

const maxLengthMs = 24 * 60 * 60 * 1000;

/**
 * Adds to a counter; returns it. `ref` and `endsAt` are those of a new counter: one that is running keeps its own.
 */
export async function addToCounter(db: Database, { key, amount, ref, endsAt, now }: Addition): Promise<Counter> {
  const values = { key, amount, ref: ref ?? null, at: now.toISOString(), endsAt: endsAt.toISOString() };
  const [row] = await upsertCounter(db, values);
  return row ?? { amount, ref: null };
}

const upsertCounter = prepare(
  (
    db,
    {
      key,
      amount,
      ref,
      at,
      endsAt,
    }: Omit<Addition, 'endsAt' | 'now' | 'ref'> & Record<'at' | 'endsAt', string> & { ref: string | null },
  ) =>
    db
      .insertInto('guest_counters')
      .values({ key, amount, ref, ends_at: endsAt })
      .onConflict((conflict) =>
        conflict.column('key').doUpdateSet({
          amount: sql`case when guest_counters.ends_at <= ${at} then excluded.amount else guest_counters.amount + excluded.amount end`,
          ref: sql`case when guest_counters.ends_at <= ${at} then excluded.ref else guest_counters.ref end`,
          ends_at: sql`case when guest_counters.ends_at <= ${at} then excluded.ends_at else guest_counters.ends_at end`,
        }),
      )
      .returning(['amount', 'ref']),
);

export async function startCounter(
  db: Database,
  { key, ref = null, endsAt }: { key: string; ref?: string | null; endsAt: Date },
) {
  const values = { amount: 1, ref, ends_at: endsAt.toISOString() };
  await db
    .insertInto('guest_counters')
    .values({ key, ...values })
    .onConflict((conflict) => conflict.column('key').doUpdateSet(values))
    .execute();
}

/** Returns a counter that is running. */
export async function findCounter(db: Database, key: string, now: Date): Promise<Counter | undefined> {
  const [row] = await selectCounter(db, { key, at: now.toISOString() });
  return row;
}

const selectCounter = prepare((db, { key, at }: { key: string; at: string }) =>
  db.selectFrom('guest_counters').select(['amount', 'ref']).where('key', '=', key).where('ends_at', '>', at),
);

/** Deletes counters that have ended, and those that end later than any can: they are of a clock that was ahead. */
export async function deleteEndedCounters(db: Database, now: Date): Promise<void> {
  const latest = new Date(now.getTime() + maxLengthMs).toISOString();
  await db
    .deleteFrom('guest_counters')
    .where((eb) => eb.or([eb('ends_at', '<=', now.toISOString()), eb('ends_at', '>', latest)]))
    .execute();
}
