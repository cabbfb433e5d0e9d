// Runs every write: one transaction with the change, its activity log entries and, for idempotent
// requests, the reply. Write transactions run one after another (docs/decisions/002), so what one
// reads stays true until it commits.
import { type ActivityEntry, type Actor, appendActivity, type LogLine, lockActivity } from './activity-log.ts';
import { waitUntilDurable } from './connect.ts';
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
    const lines: LogLine[] = [];
    const result = await work(db, (entry) => lines.push({ actor, now, entry }));
    await appendActivity(db, head, lines);
    return result;
  });
  await waitUntilDurable(db);
  return result;
}

/** Entries that share a transaction. `whenWritten` resolves when they are on disk. */
type EntryBatch = { lines: LogLine[]; whenWritten: Promise<void> };
/** By database: the batch that still accepts entries, if any, and the end of the last batch. */
const batches = new WeakMap<Database, { open: EntryBatch | undefined; last: Promise<void> }>();

/**
 * Adds an entry to the activity log without any other change. Entries of many requests share a
 * transaction: those that arrive while one batch is written and synced form the next batch.
 * Resolves when the entry is on disk.
 */
export async function writeLogEntry(db: Database, actor: Actor, now: Date, entry: ActivityEntry): Promise<void> {
  const batch = batches.get(db)?.open ?? openBatch(db);
  batch.lines.push({ actor, now, entry });
  return batch.whenWritten;
}

function openBatch(db: Database): EntryBatch {
  const previous = batches.get(db)?.last;
  const lines: LogLine[] = [];
  const whenWritten = previous ? previous.then(() => writeLines(db, lines)) : writeLines(db, lines);
  const open = { lines, whenWritten };
  // The next batch is written even if this one fails.
  batches.set(db, { open, last: whenWritten.catch(() => undefined) });
  return open;
}

async function writeLines(db: Database, lines: LogLine[]): Promise<void> {
  try {
    await db.transaction().execute(async (inner) => {
      const head = await lockActivity(inner);
      closeBatch(db, lines);
      await appendActivity(inner, head, lines);
    });
  } finally {
    closeBatch(db, lines);
  }
  await waitUntilDurable(db);
}

/** From here on, new entries are collected for the next transaction. */
function closeBatch(db: Database, lines: LogLine[]): void {
  const current = batches.get(db);
  if (current?.open?.lines === lines) batches.set(db, { ...current, open: undefined });
}
