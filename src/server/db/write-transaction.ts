// Runs the writes of requests: one transaction with the change, its activity log entries and, for idempotent
// requests, the reply. Write transactions run one after another (docs/decisions/002), so what one
// reads stays true until it commits.
import {
  type ActivityEntry,
  type Actor,
  appendActivity,
  type LogActivity,
  type LogLine,
  lockActivity,
} from './activity-log.ts';
import { waitUntilDurable } from './connect.ts';
import type { Database } from './schema.ts';

/**
 * The work inside the transaction. `logActivity` adds an entry; nothing is stored if the work
 * throws.
 */
export type TransactionWork<T> = (db: Database, logActivity: LogActivity) => Promise<T>;
export type WriteTransaction = <T>(work: TransactionWork<T>) => Promise<T>;

/** Runs `work` in a write transaction. Resolves when the change is on disk, so that its result may be shown. */
export async function writeTransaction<T>(db: Database, actor: Actor, now: Date, work: TransactionWork<T>): Promise<T> {
  const { result, tasksAfterwards } = await runInTurn(db, () =>
    db.transaction().execute(async (db) => {
      const head = await lockActivity(db);
      const lines: LogLine[] = [];
      const result = await work(db, (entry) => lines.push({ actor, now, entry }));
      await appendActivity(db, head, lines);
      return { result, tasksAfterwards: tasks.get(db) ?? [] };
    }),
  );
  await waitUntilDurable(db);
  for (const task of tasksAfterwards) void task(db);
  return result;
}

type Task = (db: Database) => Promise<unknown>;
const tasks = new WeakMap<Database, Task[]>();

/** Runs a task once the write transaction of this `db` has been committed. Nothing waits for it, and it must not throw. */
export function afterCommit(db: Database, task: Task): void {
  tasks.set(db, [...(tasks.get(db) ?? []), task]);
}

const lastTransactions = new WeakMap<Database, Promise<unknown>>();

/**
 * Runs the write transactions of this instance one after another. If they waited for the lock of
 * the log instead, each would hold a connection that readers need.
 */
function runInTurn<T>(db: Database, run: () => Promise<T>): Promise<T> {
  const turn = (lastTransactions.get(db) ?? Promise.resolve()).then(run);
  lastTransactions.set(
    db,
    turn.catch(() => undefined),
  );
  return turn;
}

/** Entries without a change wait here while the disk is full, so that users can still read. */
const waitingEntries = new WeakMap<Database, LogLine[]>();
/** If more would wait, reading is rejected too, so that the server does not run out of memory. */
const maxWaiting = 10_000;
// 53100 is PostgreSQL's disk_full.
const fullDiskCodes = new Set(['SQLITE_FULL', '53100']);

/** Entries that share a transaction. `whenWritten` resolves when they are on disk. */
type EntryBatch = { lines: LogLine[]; whenWritten: Promise<void> };
/** By database: the batch that still accepts entries, if any, and the end of the last batch. */
const batches = new WeakMap<Database, { open: EntryBatch | undefined; last: Promise<void> }>();

/**
 * Adds an entry to the activity log without any other change. Entries of many requests share a
 * transaction: those that arrive while one batch is written and synced form the next batch.
 * Resolves when the entry is on disk, or waits in memory because the disk is full.
 */
export async function writeLogEntry(db: Database, actor: Actor, now: Date, entry: ActivityEntry): Promise<void> {
  const entries = waitingEntries.get(db) ?? [];
  if (entries.length > 0 && entries.length < maxWaiting) {
    entries.push({ actor, now, entry });
    return;
  }
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
    await appendLines(db, lines);
  } catch (error) {
    const entries = waitingEntries.get(db) ?? [];
    const isFullDisk = fullDiskCodes.has((error as { code?: string }).code ?? '');
    if (!isFullDisk || entries.length + lines.length > maxWaiting) throw error;
    entries.push(...lines);
    waitingEntries.set(db, entries);
  } finally {
    closeBatch(db, lines);
  }
}

async function appendLines(db: Database, lines: LogLine[]): Promise<void> {
  await db.transaction().execute(async (inner) => {
    const head = await lockActivity(inner);
    closeBatch(db, lines);
    await appendActivity(inner, head, lines);
  });
  await waitUntilDurable(db);
}

/** Writes the entries that wait because the disk was full. Throws, and lets them wait, if it cannot. */
export async function writeWaitingEntries(db: Database): Promise<void> {
  const entries = waitingEntries.get(db);
  const lines = entries?.splice(0) ?? [];
  try {
    if (lines.length > 0) await appendLines(db, lines);
    if (entries?.length === 0) waitingEntries.delete(db);
  } catch (error) {
    entries?.unshift(...lines);
    throw error;
  }
}

/** Makes later entries start a new batch. */
function closeBatch(db: Database, lines: LogLine[]): void {
  const current = batches.get(db);
  if (current?.open?.lines === lines) batches.set(db, { ...current, open: undefined });
}
