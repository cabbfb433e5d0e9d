// Every write goes through here: one transaction that holds the change, its lines in the activity log and, when the call carried
// an Idempotency-Key, its answer. Changes follow one another (docs/decisions/002), so what a change reads stays true until it commits.
import { type ActivityEntry, type Actor, appendActivity, lockActivity } from './activity-log.ts';
import { durable } from './connect.ts';
import type { Database } from './schema.ts';

/** Does the work inside the transaction. `logActivity` adds a line to the activity log; nothing is kept if the work throws. */
export type TransactionWork<T> = (db: Database, logActivity: (entry: ActivityEntry) => void) => Promise<T>;
export type WriteTransaction = <T>(work: TransactionWork<T>) => Promise<T>;

/** Resolves when the change is on the disk: what follows it may be told to anybody. */
export async function writeTransaction<T>(db: Database, actor: Actor, now: Date, work: TransactionWork<T>): Promise<T> {
  const result = await db.transaction().execute(async (db) => {
    const head = await lockActivity(db);
    const entries: ActivityEntry[] = [];
    const result = await work(db, (entry) => entries.push(entry));
    await appendActivity(db, head, actor, now, entries);
    return result;
  });
  await durable(db);
  return result;
}
