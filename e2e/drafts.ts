import { expect, type Page } from '@playwright/test';

/**
 * Waits until the drafts in this browser have this many photos and signatures: they are saved with
 * a delay.
 */
export const expectDraftPhotos = (page: Page, photos: number) =>
  expect.poll(() => page.evaluate(countDraftPhotos)).toBe(photos);

/** Counts the photos and signatures in the drafts of this browser. Runs in the page. */
export const countDraftPhotos = async () => {
  const readResult = <T>(request: IDBRequest<T>) =>
    new Promise<T>((resolve) => request.addEventListener('success', () => resolve(request.result)));
  const db = await readResult(indexedDB.open('drafts'));
  const drafts = await readResult(db.transaction('drafts').objectStore('drafts').getAll());
  db.close();
  const photos = drafts
    .filter(({ key }) => !key.startsWith('outbox/') && !key.startsWith('sealed/'))
    .flatMap(({ value }) => [
      ...(value.photos ?? value.changes?.photos ?? []),
      value.signature,
      value.affectedUserSignature,
    ]);
  return photos.filter(Boolean).length;
};

/** Waits until a draft in this browser contains this text. */
export const expectDraftText = (page: Page, text: string) =>
  expect.poll(() => page.evaluate(readDrafts, undefined)).toContain(text);

/** What is stored on the device to be read offline, as JSON. */
export const readOfflineCopies = (page: Page) => page.evaluate(readDrafts, { from: 'copy/', to: 'copy0' });

/** Returns the records of the browser's database between two keys as JSON. Runs in the page. */
const readDrafts = (keys: { from: string; to: string } | undefined) =>
  new Promise<string>((resolve) => {
    const opening = indexedDB.open('drafts');
    // A database that the page has not made yet is not made here, without its stores.
    opening.onupgradeneeded = () => opening.transaction?.abort();
    opening.onerror = () => resolve('');
    opening.onsuccess = () => {
      const range = keys && IDBKeyRange.bound(keys.from, keys.to);
      const records = opening.result.transaction('drafts').objectStore('drafts').getAll(range);
      records.onsuccess = () => resolve(JSON.stringify(records.result));
      opening.result.close();
    };
  });
