// The app's IndexedDB database: drafts, offline copies, waiting items and receipts, in the one object
// store of the first release. Its version is never raised, so that an older build can still open it after a
// rollback. A record has its own `format`; a build ignores formats it does not know.
//
// WebKit freezes a page that is left, with its open transactions, and these block all later pages.
// So a transaction with one step is committed at once, and one with several steps is aborted when the
// page is left. So is the one that creates the database: it would keep later pages from opening it.
import { type DBSchema, type IDBPDatabase, type IDBPObjectStore, openDB } from 'idb';
import { createStore } from '../createStore.ts';

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

/** Prefix of the keys of the outbox: items, their files, receipts and a pending sign-out. */
export const outboxPrefix = 'outbox/';

/** If a browser never opens its database or never answers, forms must work without it. */
const openTimeoutMs = 3000;
const answerTimeoutMs = 5000;
const firstRetryMs = 250;
const longestRetryMs = 60_000;

let opened: Database | undefined;
let opening: Promise<Database | undefined> | undefined;
const noAnswer = Symbol();
/**
 * Keys whose reading timed out. The user has not seen what is stored under them, so it is not
 * overwritten or deleted: newer input stays in memory.
 */
const unread = new Set<string>();
/** The keys that were deleted while the database was not open. */
const missedDeletions: (string | IDBKeyRange)[] = [];
/** The number of the database's answers that arrived after their timeout. */
export const lateAnswers = createStore(0);

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
  opening ??= inTime(connect(), openTimeoutMs).then((db) => (db === noAnswer ? undefined : db));
  return opening;
}

/** Tries again until the browser opens its database. */
async function connect(): Promise<Database> {
  for (let delayMs = firstRetryMs; ; delayMs = Math.min(2 * delayMs, longestRetryMs))
    try {
      await nextPageShow;
      opened = await openDB<Schema>('drafts', 1, {
        upgrade(db, _oldVersion, _newVersion, transaction) {
          openTransactions.add(transaction);
          void transaction.done.catch(() => undefined).then(() => openTransactions.delete(transaction));
          db.createObjectStore('drafts', { keyPath: 'key' });
        },
        blocking: close,
        terminated: close,
      });
      opening = Promise.resolve(opened);
      return opened;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, delayMs));
    }
}

/** Resolves with `noAnswer` after this time. A later answer calls `handleLateAnswer`. */
function inTime<T>(answer: Promise<T>, ms: number): Promise<T | typeof noAnswer> {
  return new Promise((resolve, reject) => {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      resolve(noAnswer);
    }, ms);
    void answer.then(resolve, reject).then(() => {
      clearTimeout(timer);
      if (isLate) void handleLateAnswer();
    });
  });
}

async function handleLateAnswer() {
  // Listeners run first, because they check whether something was entered before the answer.
  lateAnswers.set(lateAnswers.get() + 1);
  storing = storing.then(async () => {
    isStoring = true;
    const db = await open();
    if (db) await storeMemory(db).catch(() => undefined);
    isStoring = false;
  });
}

/** One after the other: an earlier record could otherwise be written over a later one. */
let storing = Promise.resolve();
let isStoring = false;

/**
 * Stores what only this page has, except where that would replace something nobody has seen. What is entered
 * meanwhile is stored too.
 */
async function storeMemory(db: Database): Promise<void> {
  const deletions = [...missedDeletions];
  await write(db, { delete: deletions.filter((key) => !isUnread(key)) }, 'strict');
  missedDeletions.splice(0, deletions.length);
  for (;;) {
    for (const key of memory.keys())
      if (unread.has(key) && (await read(db, (store) => store.getKey(key))) === undefined) unread.delete(key);
    const put = [...memory.values()].filter(({ key }) => !unread.has(key));
    if (put.length === 0) return;
    await write(db, { put }, 'strict');
    for (const record of put) if (memory.get(record.key) === record) memory.delete(record.key);
  }
}

function markUnread(key: string) {
  // Items are not protected: nothing is typed over them, and one that cannot be read back is deleted.
  if (!key.startsWith(outboxPrefix)) unread.add(key);
}

const isUnread = (key: string | IDBKeyRange) => typeof key === 'string' && unread.has(key);

function close() {
  opened?.close();
  opened = undefined;
  opening = undefined;
}

/** Whether records outlive the page. */
export const isPersistent = async () => (await open()) !== undefined;

/** Returns the range of all keys with this prefix. */
export const getRange = (prefix: string) => IDBKeyRange.bound(prefix, `${prefix}\uffff`);

/** Makes one request in a transaction that is committed at once. */
function read<T>(db: Database, request: (store: Store<'readonly'>) => Promise<T>) {
  const transaction = db.transaction('drafts');
  const result = request(transaction.store);
  transaction.commit();
  return result;
}

/**
 * Reads with a new connection if the browser has lost it. Rejects if that fails too; resolves with
 * `noAnswer` if the database does not open or answer in time.
 */
async function readStored<T>(
  request: (store: Store<'readonly'>) => Promise<T>,
  isSecondTry = false,
): Promise<T | typeof noAnswer> {
  const db = await open();
  if (!db) return noAnswer;
  try {
    return await inTime(read(db, request), answerTimeoutMs);
  } catch (error) {
    if (isSecondTry) throw error;
    close();
    return readStored(request, true);
  }
}

export async function readRecord<T extends StoredRecord>(key: string): Promise<T | undefined> {
  await open();
  const recordInMemory = memory.get(key);
  if (recordInMemory) return recordInMemory as T;
  const record = await readStored((store) => store.get(key)).catch((error: unknown) => {
    markUnread(key);
    throw error;
  });
  if (record === noAnswer) markUnread(key);
  else unread.delete(key);
  return record === noAnswer ? undefined : (record as T | undefined);
}

/** Rejects if the database is open and does not answer in time. */
export async function readRecords<T extends StoredRecord>(prefix: string): Promise<T[]> {
  const found = await readStored((store) => store.getAll(getRange(prefix)));
  if (found === noAnswer && opened) throw new Error('The database does not answer');
  const stored = found === noAnswer ? [] : found;
  const records = new Map([...stored, ...memory.values()].map((record) => [record.key, record]));
  return [...records.values()].filter(({ key }) => key.startsWith(prefix)) as T[];
}

export async function readKeys(prefix: string): Promise<string[]> {
  const stored = await readStored((store) => store.getAllKeys(getRange(prefix)));
  const keys = new Set([...(stored === noAnswer ? [] : stored), ...memory.keys()]);
  return [...keys].filter((key) => key.startsWith(prefix));
}

/**
 * Writes all or nothing; on disk when this resolves. Rejects with a QuotaExceededError when the
 * device is full.
 */
export async function writeRecords(changes: Changes): Promise<void> {
  const db = await open();
  if (!db) return keepInMemory(changes);
  deleteFromMemory(changes.delete);
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
      db ? startWriting(db, changes, 'relaxed').catch(() => undefined) : keepInMemory(changes),
    );
}

/** Keeps records in this page only: on a full device, a form can then still be sent from here. */
export function writeToMemory({ put = [], delete: deleted }: Changes): void {
  deleteFromMemory(deleted);
  for (const record of put) memory.set(record.key, record);
}

/** Like `writeToMemory`, until the database opens. */
function keepInMemory(changes: Changes): void {
  writeToMemory(changes);
  missedDeletions.push(...(changes.delete ?? []));
}

export const isInMemory = (key: string) => memory.has(key);

function deleteFromMemory(keys: Changes['delete'] = []) {
  for (const key of keys)
    for (const name of [...memory.keys()])
      if (typeof key === 'string' ? name === key : key.includes(name)) memory.delete(name);
}

/**
 * Records in memory stay there until the page closes or the database answers. What is typed while they are being stored
 * is written too, because the page may be left before its turn.
 */
function startWriting(db: Database, { put = [], delete: deleted = [] }: Changes, durability: IDBTransactionDurability) {
  const isKeptInMemory = ({ key }: StoredRecord) => memory.has(key) || unread.has(key);
  const isWritten = ({ key }: StoredRecord) => !unread.has(key) && (isStoring || !memory.has(key));
  for (const record of put) if (isKeptInMemory(record)) memory.set(record.key, record);
  const changes = {
    put: put.filter(isWritten),
    delete: deleted.filter((key) => !isUnread(key)),
  };
  return write(db, changes, durability);
}

function write(db: Database, { put = [], delete: deleted = [] }: Changes, durability: IDBTransactionDurability) {
  const transaction = db.transaction('drafts', 'readwrite', { durability });
  // Errors of single requests are ignored, because the transaction reports them.
  const ignoreError = () => undefined;
  transaction.done.catch(ignoreError);
  for (const key of deleted) transaction.store.delete(key).catch(ignoreError);
  for (const record of put) transaction.store.put(record).catch(ignoreError);
  transaction.commit();
  return transaction.done;
}

/**
 * Takes several steps in one transaction. If the page is left before the last step, all of them are
 * repeated when the page is shown again.
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

/**
 * Deletes the drafts for which `isOld` is true, one at a time: together they may be too large for a
 * phone's memory.
 */
export async function deleteOldDrafts(isOld: (record: StoredRecord) => boolean): Promise<void> {
  if (!(await isPersistent())) return;
  const rangesOutsideOutbox = [
    IDBKeyRange.upperBound(outboxPrefix, true),
    IDBKeyRange.lowerBound(`${outboxPrefix}\uffff`),
  ];
  await writeInSteps(async (store) => {
    for (const range of rangesOutsideOutbox)
      for (let cursor = await store.openCursor(range); cursor; cursor = await cursor.continue())
        if (isOld(cursor.value)) await cursor.delete();
  });
}
