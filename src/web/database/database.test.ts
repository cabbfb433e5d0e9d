// What the database module does if the browser opens or reads its database late, or fails to.
import 'fake-indexeddb/auto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

let database: typeof import('./database.ts');
const lateAnswers = vi.fn();

const own = { key: 'draft/sian/own', value: 'typed before' };
const typed = (key: string) => ({ key, value: 'typed while it did not answer' });

/** What is stored, read without the module. */
const readStored = () =>
  new Promise<Record<string, unknown>>((resolve) => {
    void openDatabase().then((db) => {
      const reading = db.transaction('drafts').objectStore('drafts').getAll();
      reading.onsuccess = () => {
        db.close();
        resolve(Object.fromEntries(reading.result.map(({ key, value }) => [key, value])));
      };
    });
  });

const openDatabase = () =>
  new Promise<IDBDatabase>((resolve) => {
    const opening = factory.open('drafts', 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore('drafts', { keyPath: 'key' });
    opening.onsuccess = () => resolve(opening.result);
  });

const factory = indexedDB;

beforeEach(async () => {
  const db = await openDatabase();
  const transaction = db.transaction('drafts', 'readwrite');
  transaction.objectStore('drafts').clear();
  transaction.objectStore('drafts').put(own);
  await new Promise((resolve) => {
    transaction.oncomplete = resolve;
  });
  db.close();
  vi.resetModules();
  lateAnswers.mockReset();
  database = await import('./database.ts');
  database.lateAnswers.subscribe(lateAnswers);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** Delays the result of the next request of this kind until the returned function is called. */
function delayNext<Name extends string>(type: { prototype: Record<Name, unknown> }, method: Name) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const original = type.prototype[method] as (...args: unknown[]) => IDBRequest;
  vi.spyOn(type.prototype as Record<string, () => unknown>, method).mockImplementationOnce(function (
    this: unknown,
    ...args: unknown[]
  ) {
    const request = original.apply(this, args);
    const listen = request.addEventListener.bind(request) as (type: string, listener: (event: Event) => void) => void;
    request.addEventListener = (type: string, listener: (event: Event) => void) =>
      listen(type, (event) => void promise.then(() => listener(event)));
    return request;
  } as never);
  return resolve;
}

test('input is stored once a database opens late, and replaces and deletes no draft that was not shown', async () => {
  const openNow = delayNext(IDBFactory, 'open');
  const reading = database.readRecord(own.key);
  await vi.advanceTimersByTimeAsync(3000);
  expect(await reading).toBeUndefined();
  expect(await database.isPersistent()).toBe(false);
  database.writeWithoutWaiting({ put: [typed(own.key)] });
  await database.writeRecords({ put: [typed('draft/sian/new'), typed('draft/sian/sent')] });
  await database.writeRecords({ delete: ['draft/sian/sent'] });
  expect(await database.readRecord(own.key)).toEqual(typed(own.key));
  expect(lateAnswers).not.toHaveBeenCalled();

  vi.useRealTimers();
  openNow();
  await expect.poll(readStored).toEqual({ [own.key]: own.value, 'draft/sian/new': typed('').value });
  expect(lateAnswers).toHaveBeenCalledOnce();
  expect(await database.isPersistent()).toBe(true);
  // The form that has been filled in since is submitted; then the earlier draft is shown.
  expect(await database.readRecord(own.key)).toEqual(typed(own.key));
  await database.writeRecords({ delete: [own.key] });
  expect(await database.readRecord(own.key)).toEqual(own);
  await database.writeRecords({ put: [typed(own.key)] });
  expect((await readStored())[own.key]).toBe(typed('').value);
});

test('what is typed while input from before is being stored is stored too', async () => {
  const openNow = delayNext(IDBFactory, 'open');
  const { key } = typed('draft/sian/new');
  const reading = database.readRecord(key);
  await vi.advanceTimersByTimeAsync(3000);
  await reading;
  await database.writeRecords({ put: [typed(key)] });
  const last = { key, value: 'typed while it was stored' };
  const { put } = IDBObjectStore.prototype;
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementationOnce(function (this: IDBObjectStore, ...args) {
    queueMicrotask(() => database.writeWithoutWaiting({ put: [last] }));
    return put.apply(this, args);
  });
  vi.useRealTimers();
  openNow();
  await expect.poll(async () => (await readStored())[key]).toBe(last.value);
  await expect.poll(() => database.isInMemory(key)).toBe(false);
});

test.each(['SecurityError', 'UnknownError'])('a database whose opening throws a %s is opened again', async (name) => {
  vi.spyOn(IDBFactory.prototype, 'open').mockImplementationOnce(() => {
    throw new DOMException('Not now', name);
  });
  const reading = database.readRecord(own.key);
  await vi.advanceTimersByTimeAsync(250);
  vi.useRealTimers();
  expect(await reading).toEqual(own);
});

test('a list that could not be read once is read again with a new connection', async () => {
  vi.useRealTimers();
  vi.spyOn(IDBObjectStore.prototype, 'getAll').mockImplementationOnce(() => {
    throw new DOMException('Internal error', 'UnknownError');
  });
  expect(await database.readRecords('draft/')).toEqual([own]);
});

test('a draft that the database reads late is not overwritten by what was typed without it', async () => {
  const answerNow = delayNext(IDBObjectStore, 'get');
  const reading = database.readRecord(own.key);
  // Opening the database needs real events, so wait until the read has begun.
  while (vi.mocked(IDBObjectStore.prototype.get).mock.calls.length === 0) await new Promise(setImmediate);
  await vi.advanceTimersByTimeAsync(5000);
  expect(await reading).toBeUndefined();
  vi.useRealTimers();
  await database.writeRecords({ put: [typed(own.key), typed('draft/sian/new')] });
  answerNow();
  await expect.poll(() => lateAnswers.mock.calls.length).toBe(1);
  expect(await readStored()).toEqual({ [own.key]: own.value, 'draft/sian/new': typed('').value });
});

test('a page that is left while it creates the database creates it when it is shown again', async () => {
  vi.useRealTimers();
  await new Promise((resolve) => {
    factory.deleteDatabase('drafts').onsuccess = resolve;
  });
  const page = new EventTarget();
  const ended = Promise.withResolvers<string>();
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.resetModules();
  database = await import('./database.ts');
  const { createObjectStore } = IDBDatabase.prototype;
  vi.spyOn(IDBDatabase.prototype, 'createObjectStore').mockImplementationOnce(function (this: IDBDatabase, ...args) {
    const store = createObjectStore.apply(this, args);
    for (const end of ['abort', 'complete']) store.transaction.addEventListener(end, () => ended.resolve(end));
    queueMicrotask(() => page.dispatchEvent(new Event('pagehide')));
    return store;
  });
  const writing = database.writeRecords({ put: [own] });
  // Frozen pages of WebKit keep others from opening a database that is being created.
  expect(await ended.promise).toBe('abort');
  page.dispatchEvent(new Event('pageshow'));
  await writing;
  await expect.poll(readStored).toEqual({ [own.key]: own.value });
});
