// Counters of attempts in the database, so that they survive restarts and count across instances.
import { type ExpressionBuilder, sql } from 'kysely';
import { maxClockDriftMs } from '../../clock.ts';
import { prepare } from '../../db/prepared.ts';
import type { Database, Tables } from '../../db/schema.ts';

const addSeconds = (now: Date, seconds: number) => new Date(now.getTime() + seconds * 1000).toISOString();
const secondsUntil = (instant: string, now: Date) =>
  Math.max(1, Math.ceil((Date.parse(instant) - now.getTime()) / 1000));

type Attempts = { count: number; retryAfter: number };

/**
 * Counts an attempt for `key` within a window of `seconds`. Returns the count and the seconds until
 * the window ends.
 */
export const countAttempt = async (db: Database, key: string, seconds: number, now: Date): Promise<Attempts> =>
  (await countAttempts(db, [{ key, seconds }], now))[0] as Attempts;

/**
 * Counts an attempt for each key, and returns the same for each. Locks the rows in the order of their keys, as everything
 * does that locks several, so that no two statements wait for each other.
 */
export async function countAttempts(
  db: Database,
  windows: { key: string; seconds: number }[],
  now: Date,
): Promise<Attempts[]> {
  const sorted = windows.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  const rows = await upsertAttempts(db, {
    at: now.toISOString(),
    keys: sorted.map(({ key }) => key),
    resetsAt: sorted.map(({ seconds }) => addSeconds(now, seconds)),
  });
  const keys = windows.map(({ key }) => key);
  return describeRows(keys, rows, now);
}

const upsertAttempts = prepare((db, { keys, resetsAt, at }: { keys: string[]; resetsAt: string[]; at: string }) =>
  db
    .insertInto('throttles')
    .values(keys.map((key, i) => ({ key, count: 1, resets_at: resetsAt[i] as string, counted_at: at })))
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        count: sql`case when throttles.resets_at <= ${at} then 1 else throttles.count + 1 end`,
        resets_at: sql`case when throttles.resets_at <= ${at} then excluded.resets_at else throttles.resets_at end`,
        counted_at: at,
      }),
    )
    .returning(['key', 'count', 'resets_at']),
);

function describeRows(keys: string[], rows: { key: string; count: number; resets_at: string }[], now: Date) {
  const byKey = new Map(rows.map((row) => [row.key, row]));
  return keys.map((key) => {
    const row = byKey.get(key);
    return row ? { count: row.count, retryAfter: secondsUntil(row.resets_at, now) } : { count: 0, retryAfter: 0 };
  });
}

/** Returns the attempts counted for `key` and the seconds until the window ends, without counting another. */
export const getAttempts = async (db: Database, key: string, now: Date): Promise<Attempts> =>
  (await listAttempts(db, [key], now))[0] as Attempts;

/** Returns the same for each key. */
export async function listAttempts(db: Database, keys: string[], now: Date): Promise<Attempts[]> {
  const rows = await db
    .selectFrom('throttles')
    .selectAll()
    .where('key', 'in', keys)
    .where('resets_at', '>', now.toISOString())
    .execute();
  return describeRows(keys, rows, now);
}

/** Makes the window of `key` end `seconds` from now. */
export async function extendAttempts(db: Database, key: string, seconds: number, now: Date): Promise<void> {
  await db
    .updateTable('throttles')
    .set({ resets_at: addSeconds(now, seconds) })
    .where('key', '=', key)
    .execute();
}

/** Takes back an attempt that turned out not to count; with several keys, from each. */
export async function uncountAttempt(db: Database, ...keys: string[]): Promise<void> {
  for (const key of keys.toSorted())
    await db.updateTable('throttles').set({ count: sql`count - 1` }).where('key', '=', key).execute();
}

export async function deleteAttempts(db: Database, key: string): Promise<void> {
  await db.deleteFrom('throttles').where('key', '=', key).execute();
}

/** Deletes all keys that start with this prefix and a space. */
export async function deleteAttemptsByPrefix(db: Database, prefix: string): Promise<void> {
  // In ASCII, `!` comes right after the space.
  await db.deleteFrom('throttles').where('key', '>=', `${prefix} `).where('key', '<', `${prefix}!`).execute();
}

/** Deletes windows that have ended, and those in which attempts were counted while a clock was ahead. */
export async function deleteExpiredAttempts(db: Database, now: Date): Promise<void> {
  const isExpired = (eb: ExpressionBuilder<Tables, 'throttles'>) =>
    eb.or([eb('resets_at', '<', now.toISOString()), eb('counted_at', '>', addSeconds(now, maxClockDriftMs / 1000))]);
  const rows = await db.selectFrom('throttles').select('key').where(isExpired).execute();
  // One at a time: a statement for all would lock them in any order.
  for (const { key } of rows) await db.deleteFrom('throttles').where('key', '=', key).where(isExpired).execute();
}
