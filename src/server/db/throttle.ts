// Counts of what was tried, kept in the database: they survive a restart and hold across copies of the server.
import { sql } from 'kysely';
import { prepare } from './prepared.ts';
import type { Database } from './schema.ts';

const addSeconds = (now: Date, seconds: number) => new Date(now.getTime() + seconds * 1000).toISOString();
const secondsUntil = (instant: string, now: Date) =>
  Math.max(1, Math.ceil((Date.parse(instant) - now.getTime()) / 1000));

/** Counts one more try of `key` within a window of `seconds`. Gives the count so far and the seconds until it starts anew. */
export async function countAttempt(db: Database, key: string, seconds: number, now: Date) {
  const [row] = await upsertTry(db, { key, at: now.toISOString(), resets: addSeconds(now, seconds) });
  return { count: row?.count ?? 0, retryAfter: secondsUntil(row?.resets_at ?? '', now) };
}

const upsertTry = prepare((db, { key, at, resets }: { key: string; at: string; resets: string }) =>
  db
    .insertInto('throttles')
    .values({ key, count: 1, resets_at: resets })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        count: sql`case when throttles.resets_at <= ${at} then 1 else throttles.count + 1 end`,
        resets_at: sql`case when throttles.resets_at <= ${at} then excluded.resets_at else throttles.resets_at end`,
      }),
    )
    .returning(['count', 'resets_at']),
);

/** The count so far, without counting. */
export async function getAttempts(db: Database, key: string, now: Date) {
  const row = await db
    .selectFrom('throttles')
    .selectAll()
    .where('key', '=', key)
    .where('resets_at', '>', now.toISOString())
    .executeTakeFirst();
  return row ? { count: row.count, retryAfter: secondsUntil(row.resets_at, now) } : { count: 0, retryAfter: 0 };
}

/** Lets the count stand for `seconds` from now, whenever its window began. */
export async function extendAttempts(db: Database, key: string, seconds: number, now: Date): Promise<void> {
  await db
    .updateTable('throttles')
    .set({ resets_at: addSeconds(now, seconds) })
    .where('key', '=', key)
    .execute();
}

export async function deleteAttempts(db: Database, key: string): Promise<void> {
  await db.deleteFrom('throttles').where('key', '=', key).execute();
}

/** Forgets every key that begins so, with a space after it. */
export async function deleteAttemptsByPrefix(db: Database, start: string): Promise<void> {
  await db.deleteFrom('throttles').where('key', '>=', `${start} `).where('key', '<', `${start}!`).execute();
}

/** Forgets what is over, and what would last for more than two hours: no window is that long, so the clock was set back since. */
export async function deleteExpiredAttempts(db: Database, now: Date): Promise<void> {
  await db
    .deleteFrom('throttles')
    .where((eb) => eb.or([eb('resets_at', '<', now.toISOString()), eb('resets_at', '>', addSeconds(now, 2 * 60 * 60))]))
    .execute();
}
