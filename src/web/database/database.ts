// The app's IndexedDB database: drafts, waiting items and receipts, in the one object store of the
// first release. Its version is never raised, so that an older build can still open it after a
// rollback. A record has its own `format`; a build ignores formats it does not know.
//
// WebKit freezes a page that is left, with its open transactions, and these block all later pages.
// So a transaction of one step is committed at once, and one of several is aborted with the page.
import { type DBSchema, type IDBPDatabase, type IDBPObjectStore, openDB } from 'idb';

export type StoredRecord = { key: string; format?: number };

interface Schema extends DBSchema {
  drafts: { key: string; value: StoredRecord };
}
type Database = IDBPDatabase<Schema>;
type Store<Mode extends IDBTransactionMode> = IDBPObjectStore<Schema, ['drafts'], 'drafts', Mode>;

export type Changes = {
  put?: StoredRecord[];
  /** Keys, or ranges of them. */
  delete?: (string | IDBKeyRange)[];
};

/** If a browser never opens its database, forms must work without it. */
const openTimeoutMs = 3000;

let opened: Database | undefined;
let opening: Promise<Database | undefined> | undefined;

/** Open transactions of several steps. */
const openTransactions = new Set<{ abort(): void }>();
/** A promise that is pending from when the page is left until it is shown again. */
let nextPageShow: Promise<unknown> | undefined;

// There are no page events in unit tests.
globalThis.addEventListener?.('pagehide', () => {
  nextPageShow = new Promise((resolve) => addEventListener('pageshow', resolve, { once: true }));
  for (const transaction of openTransactions) abort(transaction);
});

function abort(transaction: { abort(): void }) {
  try {
    transaction.abort();
    openTransactions.delete(transaction);
  } catch {
    // The transaction is being committed.
  }
}

/** If the browser stores nothing (a private window), records exist until the page closes. */
const memory = new Map<string, StoredRecord>();

function open(): Promise<Database | undefined> {
  opening ??= Promise.race([
    openDB<Schema>('drafts', 1, {
      upgrade: (db) => void db.createObjectStore('drafts', { keyPath: 'key' }),
      blocking: close,
      terminated: close,
    }),
    new Promise<undefined>((resolve) => setTimeout(resolve, openTimeoutMs)),
  ])
    .catch(() => undefined)
    .then((db) => {
      opened = db;
      return db;
    });
  return opening;
}

function close() {
  opened?.close();
  opened = undefined;
  opening = undefined;
}

/** Whether records outlive the page. */
export const isPersistent = async () => (await open()) !== undefined;

/** Returns the keys with this prefix. */
export const getRange = (prefix: string) => IDBKeyRange.bound(prefix, `${prefix}\uffff`);

/** Makes one request in a transaction that is committed at once. */
function read<T>(db: Database, request: (store: Store<'readonly'>) => Promise<T>) {
  const transaction = db.transaction('drafts');
  const result = request(transaction.store);
  transaction.commit();
  return result;
}

export async function readRecord<T extends StoredRecord>(key: string): Promise<T | undefined> {
  const db = await open();
  const record = memory.get(key) ?? (db && (await read(db, (store) => store.get(key))));
  return record as T | undefined;
}

export async function readRecords<T extends StoredRecord>(prefix: string): Promise<T[]> {
  const db = await open();
  const stored = db ? await read(db, (store) => store.getAll(getRange(prefix))) : [];
  return [...stored, ...[...memory.values()].filter(({ key }) => key.startsWith(prefix))] as T[];
}

/**
 * Writes all or nothing; on disk when this resolves. Rejects with a QuotaExceededError when the
 * device is full.
 */
export async function writeRecords(changes: Changes): Promise<void> {
  const db = await open();
  deleteFromMemory(changes.delete);
  if (!db) return writeToMemory(changes);
  await startWriting(db, changes, 'strict');
}

/**
 * Writes those of these records that do not exist, or none if there is one with the key
 * `unlessKey`. Rejects if the browser stores nothing.
 */
export const writeMissingRecords = (records: StoredRecord[], unlessKey: string): Promise<void> =>
  writeInSteps(async (store) => {
    if (await store.get(unlessKey)) return;
    for (const record of records) if ((await store.getKey(record.key)) === undefined) await store.put(record);
  });

/**
 * Changes one existing record without losing changes by another tab. Resolves with the changed
 * record.
 */
export async function changeRecord<T extends StoredRecord>(
  key: string,
  change: (record: T) => T,
): Promise<T | undefined> {
  const db = await open();
  const recordInMemory = memory.get(key);
  if (recordInMemory || !db) {
    const changed = recordInMemory && change(recordInMemory as T);
    if (changed) memory.set(key, changed);
    return changed;
  }
  return writeInSteps(async (store) => {
    const found = (await store.get(key)) as T | undefined;
    const changed = found && change(found);
    if (changed) store.put(changed).catch(() => undefined);
    return changed;
  });
}

/**
 * Starts writing at once and does not wait for the disk, for typed input: the write completes even
 * if the page is being left. A power cut may lose the last characters.
 */
export function writeWithoutWaiting(changes: Changes): void {
  if (opened) startWriting(opened, changes, 'relaxed').catch(() => undefined);
  else
    void open().then((db) =>
      db ? startWriting(db, changes, 'relaxed').catch(() => undefined) : writeToMemory(changes),
    );
}

/** Keeps records in this page only: on a full device, a form can then still be sent from here. */
export function writeToMemory({ put = [], delete: deleted }: Changes): void {
  deleteFromMemory(deleted);
  for (const record of put) memory.set(record.key, record);
}

export const isInMemory = (key: string) => memory.has(key);

function deleteFromMemory(keys: Changes['delete'] = []) {
  for (const key of keys)
    for (const name of [...memory.keys()])
      if (typeof key === 'string' ? name === key : key.includes(name)) memory.delete(name);
}

function startWriting(db: Database, { put = [], delete: deleted = [] }: Changes, durability: IDBTransactionDurability) {
  const transaction = db.transaction('drafts', 'readwrite', { durability });
  // Errors of single requests are ignored, because the transaction reports them.
  const ignoreError = () => undefined;
  transaction.done.catch(ignoreError);
  for (const key of deleted) transaction.store.delete(key).catch(ignoreError);
  for (const record of put) {
    if (memory.has(record.key)) memory.set(record.key, record);
    else transaction.store.put(record).catch(ignoreError);
  }
  transaction.commit();
  return transaction.done;
}

/**
 * Takes several steps in one transaction. If the page is left before the last one, they are taken
 * again when it is shown again.
 */
async function writeInSteps<T>(runSteps: (store: Store<'readwrite'>) => Promise<T>): Promise<T> {
  await nextPageShow;
  const db = await open();
  if (!db) throw new Error('This browser no longer stores anything');
  const transaction = db.transaction('drafts', 'readwrite', { durability: 'strict' });
  transaction.done.catch(() => undefined);
  openTransactions.add(transaction);
  try {
    const result = await runSteps(transaction.store);
    transaction.commit();
    await transaction.done;
    return result;
  } catch (error) {
    if (openTransactions.has(transaction)) throw error;
    return writeInSteps(runSteps);
  } finally {
    openTransactions.delete(transaction);
  }
}

/** Prefix of the keys of records other than drafts. */
export const outboxPrefix = 'outbox/';

/**
 * Deletes the drafts for which `isOld` is true, one at a time: together they may be too large for a
 * phone's memory.
 */
export async function deleteOldDrafts(isOld: (record: StoredRecord) => boolean): Promise<void> {
  if (!(await isPersistent())) return;
  const others = [IDBKeyRange.upperBound(outboxPrefix, true), IDBKeyRange.lowerBound(`${outboxPrefix}\uffff`)];
  await writeInSteps(async (store) => {
    for (const range of others)
      for (let cursor = await store.openCursor(range); cursor; cursor = await cursor.continue())
        if (isOld(cursor.value)) await cursor.delete();
  });
}
