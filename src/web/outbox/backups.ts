// A second copy of every waiting item, in the Cache API. Chromium deletes all of a site's IndexedDB
// if a kill has left half a record in its log (docs/decisions/030); the Cache API has files of its own.
import {
  isPersistent,
  outboxPrefix,
  readRecord,
  type StoredRecord,
  writeMissingRecords,
  writeRecords,
} from '../drafts/database.ts';

/** A record of an item: the item itself, or the bytes of a file. */
export type ItemRecord = { key: string; format: number; value: unknown };

const cacheName = 'outbox-backups';
const path = '/outbox-backups/';
/** If the database does not have this record, it is new: the browser has deleted the one before. */
const marker: StoredRecord = { key: `${outboxPrefix}has-backups` };

/** Undefined without HTTPS, and if the browser stores nothing. */
const openCache = async () => globalThis.caches?.open(cacheName).catch(() => undefined);

/** Changes are made in order, and nobody waits for them: an item that has no backup is sent too. */
let lastChange: Promise<unknown> = Promise.resolve();
function change(work: (cache: Cache) => Promise<unknown>): Promise<unknown> {
  lastChange = lastChange.then(async () => {
    const cache = await openCache();
    // A full device has no room for a second copy.
    if (cache) await work(cache).catch(() => undefined);
  });
  return lastChange;
}

/** Stores a copy of an item's records. Never rejects. */
export const backUp = (itemId: string, records: ItemRecord[]) =>
  change((cache) => cache.put(path + itemId, new Response(toForm(records))));

/** Never rejects. */
export const deleteBackup = (itemId: string) => change((cache) => cache.delete(path + itemId));

/** The ids of the items that have a backup; undefined while lost items have not been restored. */
export async function listBackups(): Promise<string[] | undefined> {
  const cache = await openCache();
  if (!cache || !(await readRecord(marker.key))) return undefined;
  return (await cache.keys()).map(({ url }) => new URL(url).pathname.slice(path.length));
}

/**
 * Restores all items if the browser has deleted the database; resolves with whether it did. An item
 * that had been sent is sent again under the same keys, so the server stores it only once.
 */
export async function restoreLostItems(): Promise<boolean> {
  const cache = await openCache();
  if (!cache || !(await isPersistent()) || (await readRecord(marker.key))) return false;
  const requests = await cache.keys();
  // One at a time, because together they may be too large for a phone's memory.
  for (const request of requests) await writeMissingRecords(await readBackup(cache, request));
  await writeRecords({ put: [marker] });
  return requests.length > 0;
}

/** Empty if it was deleted in the meantime or cannot be read, which must not stop the others. */
const readBackup = (cache: Cache, request: Request): Promise<ItemRecord[]> =>
  cache
    .match(request)
    .then(async (backup) => (backup ? fromForm(await backup.formData()) : []))
    .catch(() => []);

function toForm(records: ItemRecord[]): FormData {
  const form = new FormData();
  for (const { key, format, value } of records) {
    form.append('format', String(format));
    form.append(key, value instanceof ArrayBuffer ? new Blob([value]) : JSON.stringify(value));
  }
  return form;
}

async function fromForm(form: FormData): Promise<ItemRecord[]> {
  const records: ItemRecord[] = [];
  let format = 0;
  for (const [key, value] of form) {
    if (key === 'format') format = Number(value);
    else
      records.push({ key, format, value: typeof value === 'string' ? JSON.parse(value) : await value.arrayBuffer() });
  }
  return records;
}
