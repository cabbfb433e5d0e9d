// Runs every write: one transaction with the change, its activity log entries and, for idempotent
// requests, the reply. Write transactions run one after another (docs/decisions/002), so what one
// reads stays true until it commits.
import { type ActivityEntry, type Actor, appendActivity, type Line, lockActivity } from './activity-log.ts';
import { durable } from './connect.ts';
import type { Database } from './schema.ts';

/**
 * The work inside the transaction. `logActivity` adds an entry; nothing is stored if the work
 * throws.
 */
export type TransactionWork<T> = (db: Database, logActivity: (entry: ActivityEntry) => void) => Promise<T>;
export type WriteTransaction = <T>(work: TransactionWork<T>) => Promise<T>;

/** Resolves when the change is on disk, so that its result may be shown. */
export async function writeTransaction<T>(db: Database, actor: Actor, now: Date, work: TransactionWork<T>): Promise<T> {
  const result = await db.transaction().execute(async (db) => {
    const head = await lockActivity(db);
    const lines: Line[] = [];
    const result = await work(db, (entry) => lines.push({ actor, now, entry }));
    await appendActivity(db, head, lines);
    return result;
  });
  await durable(db);
  return result;
}

/** Entries waiting for the next transaction, and the callbacks to call when it is on disk. */
type EntryBatch = { lines: Line[]; written: Promise<void> };
const openBatches = new WeakMap<Database, EntryBatch>();

/**
 * Adds an entry to the activity log without another write. Entries of many requests share a
 * transaction: those that arrive while one is running go into the next. Resolves when the entry is
 * on disk.
 */
export async function writeLogEntry(db: Database, actor: Actor, now: Date, entry: ActivityEntry): Promise<void> {
  let batch = openBatches.get(db);
  if (!batch) {
    const lines: Line[] = [];
    batch = { lines, written: writeLines(db, lines) };
    openBatches.set(db, batch);
  }
  batch.lines.push({ actor, now, entry });
  return batch.written;
}

async function writeLines(db: Database, lines: Line[]): Promise<void> {
  try {
    await db.transaction().execute(async (inner) => {
      const head = await lockActivity(inner);
      // From here on, new entries are collected for the next transaction.
      openBatches.delete(db);
      await appendActivity(inner, head, lines);
    });
  } finally {
    if (openBatches.get(db)?.lines === lines) openBatches.delete(db);
  }
  await durable(db);
}
