// What the browser keeps of the input of forms.
import type { Page } from '@playwright/test';

/** Returns what the browser's database has under the keys with this part, as text. */
export const readStored = (page: Page, part: string) =>
  page.evaluate(
    (part) =>
      new Promise<string[]>((resolve) => {
        const opening = indexedDB.open('drafts');
        opening.onsuccess = () => {
          const reading = opening.result.transaction('drafts').objectStore('drafts').getAll();
          reading.onsuccess = () => {
            opening.result.close();
            const toText = (_: string, value: unknown) =>
              value instanceof ArrayBuffer ? new TextDecoder('latin1').decode(value) : value;
            const found = reading.result.filter(({ key }) => key.includes(part));
            resolve(found.map((row) => JSON.stringify(row, toText)));
          };
        };
      }),
    part,
  );

/** Returns all text that the browser stores for this page and its tab, also that in bytes. */
export const readEverythingStored = (page: Page) =>
  page.evaluate(async () => {
    const texts: string[] = [];
    const wait = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    const decode = (bytes: ArrayBuffer | ArrayBufferView) =>
      // Of a text in UTF-16, every second byte is 0.
      new TextDecoder('latin1').decode(bytes as ArrayBuffer).replaceAll('\0', '');
    async function collect(value: unknown): Promise<void> {
      if (typeof value === 'string') texts.push(value);
      else if (value instanceof Blob) texts.push(decode(await value.arrayBuffer()));
      else if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) texts.push(decode(value));
      else if (typeof value === 'object' && value !== null)
        for (const entry of value instanceof Map ? value : Object.entries(value))
          for (const part of entry) await collect(part);
    }
    await collect({ ...localStorage });
    await collect({ ...sessionStorage });
    for (const { name = '' } of await indexedDB.databases()) {
      const db = await wait(indexedDB.open(name));
      for (const store of db.objectStoreNames)
        await collect(await wait(db.transaction(store).objectStore(store).getAll()));
      db.close();
    }
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        texts.push(request.url, (await (await cache.match(request))?.text()) ?? '');
      }
    }
    return texts.join('\n');
  });

/** Stores a text in each place that `readEverythingStored` reads. Returns the texts. */
export const plant = (page: Page) =>
  page.evaluate(async () => {
    localStorage.setItem('planted', 'in localStorage');
    sessionStorage.setItem('planted', 'in sessionStorage');
    await (await caches.open('planted')).put('/planted', new Response('in a cache'));
    const value = Uint8Array.from('in bytes', (letter) => letter.charCodeAt(0)).buffer;
    await new Promise((resolve) => {
      const opening = indexedDB.open('drafts');
      opening.onsuccess = () => {
        const writing = opening.result.transaction('drafts', 'readwrite');
        writing.objectStore('drafts').put({ key: 'planted', value });
        writing.oncomplete = resolve;
        opening.result.close();
      };
    });
    return ['in localStorage', 'in sessionStorage', 'in a cache', 'in bytes'];
  });
