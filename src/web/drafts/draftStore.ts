// Drafts in IndexedDB, which can also store photos, until submitted or for 14 days.

/** How long a draft is kept. */
export const draftLifetimeMs = 14 * 24 * 60 * 60_000;
const writeDelayMs = 300;
const readTimeoutMs = 3000;

type StoredDraft = { key: string; value: unknown; keptAt: number };

const toPromise = <T>(request: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

let opening: Promise<IDBDatabase> | undefined;

async function open() {
  const request = indexedDB.open('drafts', 1);
  request.onupgradeneeded = () => request.result.createObjectStore('drafts', { keyPath: 'key' });
  const db = await toPromise(request);
  const store = db.transaction('drafts', 'readwrite').objectStore('drafts');
  for (const { key, keptAt } of (await toPromise(store.getAll())) as StoredDraft[])
    if (keptAt < Date.now() - draftLifetimeMs) store.delete(key);
  return db;
}

async function drafts(mode: IDBTransactionMode) {
  opening ??= open();
  return (await opening).transaction('drafts', mode).objectStore('drafts');
}

/**
 * A user's draft of one form. Values may be anything cloneable: text, lists, Blobs. Without storage
 * (private windows) there is no draft and the form still works.
 */
export function openDraft<T>(userId: string, form: string) {
  const key = `${userId}/${form}`;
  let pending: { value: T } | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const flush = () => {
    clearTimeout(timer);
    if (!pending) return;
    const stored: StoredDraft = { key, value: pending.value, keptAt: Date.now() };
    pending = undefined;
    drafts('readwrite')
      .then((store) => {
        const done = toPromise(store.put(stored));
        // A page being left does not wait for the transaction to commit.
        store.transaction.commit();
        return done;
      })
      .catch(() => undefined);
  };

  return {
    find(): Promise<T | undefined> {
      const found = drafts('readonly')
        .then((store) => toPromise<StoredDraft | undefined>(store.get(key)))
        .then((stored) => stored?.value as T | undefined)
        .catch(() => undefined);
      // A browser that never responds must not block the form.
      const timedOut = new Promise<undefined>((resolve) => setTimeout(resolve, readTimeoutMs));
      return Promise.race([found, timedOut]);
    },
    /** Saves soon; a later value replaces this one. */
    save(value: T) {
      pending = { value };
      clearTimeout(timer);
      timer = setTimeout(flush, writeDelayMs);
    },
    /** Saves a pending value at once. */
    flush,
    discard() {
      pending = undefined;
      clearTimeout(timer);
      drafts('readwrite')
        .then((store) => toPromise(store.delete(key)))
        .catch(() => undefined);
    },
  };
}
