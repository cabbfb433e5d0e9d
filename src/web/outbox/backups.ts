// A second copy of every waiting item, in the Cache API. Chromium deletes all of a site's IndexedDB
// if a kill has left half a record in its log (docs/decisions/030); the Cache API has files of its
// own.
import { backupsCache } from '#shared/caches.ts';
import {
  isPersistent,
  outboxPrefix,
  readRecord,
  type StoredRecord,
  writeMissingRecords,
  writeRecords,
} from '../database/database.ts';

/** A record of an item: the item itself, or the bytes of a file. */
export type ItemRecord = { key: string; format: number; value: unknown };

const backupPath = '/outbox-backups/';
/** A database without this record is new: the browser has deleted the one before. */
const marker: StoredRecord = { key: `${outboxPrefix}backups` };

/** If a browser never opens or changes its cache, items must be sent without backups. */
const openTimeoutMs = 3000;
const changeTimeoutMs = 20_000;

/** Undefined without HTTPS, and if the browser stores nothing. */
async function openCache(): Promise<Cache | undefined> {
  if (!globalThis.caches) return undefined;
  const timeout = new Promise<undefined>((resolve) => setTimeout(resolve, openTimeoutMs));
  return Promise.race([caches.open(backupsCache), timeout]).catch(() => undefined);
}

let lastChange: Promise<unknown> = Promise.resolve();

/**
 * Changes backups in the order of the calls. Never rejects: items without a backup are sent too.
 */
function queueChange(work: (cache: Cache) => Promise<unknown>): Promise<unknown> {
  lastChange = lastChange
    .then(async () => {
      const cache = await openCache();
      const timeout = new Promise((resolve) => setTimeout(resolve, changeTimeoutMs));
      if (cache) await Promise.race([work(cache), timeout]);
    })
    // Fails, for example, if a full device has no room for a second copy.
    .catch(() => undefined);
  return lastChange;
}

/** Copies an item; `read` returns its records, or none if it no longer waits. Never rejects. */
export const backUp = (itemId: string, read: () => Promise<ItemRecord[]>) =>
  queueChange(async (cache) => {
    // An item that only this page has gets no backup: the user is told that it is lost with the
    // page.
    const records = (await isPersistent()) ? await read() : [];
    if (records.length > 0) await cache.put(backupPath + itemId, new Response(toFormData(records)));
  });

/** Call before the item is deleted, so that it cannot be restored afterwards. Never rejects. */
export const deleteBackup = (itemId: string) => queueChange((cache) => cache.delete(backupPath + itemId));

/** Frees the room of all backups on a full device, for the items themselves. Never rejects. */
export const deleteAllBackups = () => queueChange(() => caches.delete(backupsCache));

/** The ids of the items that have a backup; undefined while lost items have not been restored. */
export async function listBackups(): Promise<string[] | undefined> {
  if (!(await readRecord(marker.key))) return undefined;
  const requests = (await (await openCache())?.keys()) ?? [];
  return requests.map(({ url }) => new URL(url).pathname.slice(backupPath.length));
}

/**
 * Restores all items if the browser has deleted the database; resolves with whether there were any.
 * An item that had been sent is sent again under the same keys, so the server stores it only once.
 * Rejects if some could not be restored: they are tried again at the next start.
 */
export async function restoreLostItems(): Promise<boolean> {
  if (!(await isPersistent()) || (await readRecord(marker.key))) return false;
  const cache = await openCache();
  // Otherwise the backups would count as restored, and be deleted.
  if (!cache && globalThis.caches) throw new Error('The backups could not be opened');
  const requests = (await cache?.keys()) ?? [];
  const errors: unknown[] = [];
  // Backups are read one at a time, because together they may be too large for a phone's memory.
  for (const request of requests) {
    const backup = await cache?.match(request);
    if (!backup) continue; // sent or deleted by another tab
    await backup
      .formData()
      .then(fromFormData)
      .then((records) => writeMissingRecords(records, marker.key))
      .catch((error: unknown) => errors.push(error));
  }
  if (errors.length > 0) throw new AggregateError(errors, 'Some items could not be restored');
  await writeRecords({ put: [marker] });
  return requests.length > 0;
}

function toFormData(records: ItemRecord[]): FormData {
  const form = new FormData();
  for (const { key, format, value } of records) {
    form.append('format', String(format));
    form.append(key, value instanceof ArrayBuffer ? new Blob([value]) : JSON.stringify(value));
  }
  return form;
}

async function fromFormData(form: FormData): Promise<ItemRecord[]> {
  const records: ItemRecord[] = [];
  let format = 0;
  for (const [key, value] of form) {
    if (key === 'format') format = Number(value);
    else
      records.push({ key, format, value: typeof value === 'string' ? JSON.parse(value) : await value.arrayBuffer() });
  }
  return records;
}
