// What waits to be sent, the files beside it, and the receipts of what was sent.
import type { Section } from '#shared/checklists.ts';
import {
  changeRecord,
  getRange,
  isInMemory,
  isLasting,
  outboxPrefix,
  readRecord,
  readRecords,
  type StoredRecord,
  writeRecords,
  writeToMemory,
} from '../drafts/database.ts';
import { readBytes } from '../drafts/storedBlobs.ts';
import { newUuid } from '../newUuid.ts';

export type OutboxKind = 'accident' | 'incident' | 'checklist' | 'audit' | 'completion';

/** Where in its request a file is named. */
export type FileSlot = 'photo' | 'signature' | 'affectedUserSignature';

export type OutboxFile = {
  id: string;
  /** Its Idempotency-Key. */
  key: string;
  slot: FileSlot;
  /** Of a checklist: the failing answer it shows. */
  section?: string;
  name: string;
  type: string;
  size: number;
  /** Of the bytes on this device; absent where the browser cannot compute it (plain HTTP). */
  sha256?: string;
  /** What the server answered to its upload. */
  upload?: { path: string; name: string; type: string; size: number };
  /** Why the server did not take it, for people. */
  problem?: string;
};

/** Why an item was not sent. `step` is what failed. */
export type SendError = {
  step: FileSlot | 'submit';
  /** The id of the photo that failed, if one did. */
  file?: string;
  /** 0: the server could not be reached. */
  status: number;
  code: string;
  message: string;
  /** The body of the response as it came. */
  text: string;
  fields: Record<string, string>;
  /** The record as it is on the server, where both were changed. */
  current?: unknown;
};

/** `signIn`: its user has to sign in. `refused`: the server says that something has to be corrected. */
export type ItemState = 'waiting' | 'signIn' | 'refused';

export type OutboxItem = {
  /** Also the Idempotency-Key of its request. */
  id: string;
  userId: string;
  username: string;
  /** The id of someone who has left, if a reviewer sends it for them. */
  submittedFor?: string;
  kind: OutboxKind;
  /** The form it came from, and returns to for a correction. */
  form: string;
  /** Where that form is. */
  address: string;
  /** The first words, for the list. */
  title: string;
  park: string;
  createdAt: number;
  /** The same instant by the server's clock, as far as it was known. */
  capturedAt: string;
  /** The id in the path of its request. */
  recordId?: string;
  /** The request's body, but for its files. */
  body: Record<string, unknown>;
  /** Of a checklist: the sections its answers belong to. */
  sections?: Section[];
  /** Keys of drafts that stay until it has arrived. */
  drafts?: string[];
  files: OutboxFile[];
  state: ItemState;
  attempts: number;
  nextAttemptAt: number;
  error?: SendError;
  /** Still shown in its form, which follows what becomes of it. */
  isOnForm: boolean;
};

export type Receipt = {
  id: string;
  userId: string;
  kind: OutboxKind;
  form: string;
  park: string;
  number?: string;
  submittedAt: number;
  sentAt: number;
  photos: number;
  signatures: number;
  /** Photos that the server could not read; their bytes stay until the receipt goes. */
  rejected: { id: string; name: string; position: number; problem: string }[];
  /** Of an audit that someone else had completed: who. */
  completedBy?: string;
  /** The server had it already, as it was before its last changes. */
  isEarlier?: boolean;
  isOnForm: boolean;
};

const format = 1;
const keepReceiptsForMs = 30 * 24 * 60 * 60_000;
const itemPrefix = `${outboxPrefix}item/`;
const filePrefix = `${outboxPrefix}file/`;
const receiptPrefix = `${outboxPrefix}receipt/`;

const itemKey = (id: string) => `${itemPrefix}${id}`;
const receiptKey = (id: string) => `${receiptPrefix}${id}`;
const fileKey = (itemId: string, fileId: string) => `${filePrefix}${itemId}/${fileId}`;
const getFilesRange = (itemId: string) => getRange(`${filePrefix}${itemId}/`);

type Stored<T> = StoredRecord & { value: T };
const toRecord = <T>(key: string, value: T): Stored<T> => ({ key, format, value });
const readValues = async <T>(prefix: string): Promise<T[]> =>
  (await readRecords<Stored<T>>(prefix)).flatMap((record) => (record.format === format ? [record.value] : []));

/** Oldest first. */
export const listItems = async (): Promise<OutboxItem[]> =>
  (await readValues<OutboxItem>(itemPrefix)).sort((a, b) => a.createdAt - b.createdAt);

export async function findItem(id: string): Promise<OutboxItem | undefined> {
  const record = await readRecord<Stored<OutboxItem>>(itemKey(id));
  return record?.format === format ? record.value : undefined;
}

/** Newest first; those of the last 30 days. */
export async function listReceipts(now = Date.now()): Promise<Receipt[]> {
  const receipts = await readValues<Receipt>(receiptPrefix);
  const old = receipts.filter(({ sentAt }) => sentAt < now - keepReceiptsForMs);
  if (old.length > 0) await writeRecords({ delete: old.flatMap(({ id }) => [receiptKey(id), getFilesRange(id)]) });
  return receipts.filter((receipt) => !old.includes(receipt)).sort((a, b) => b.sentAt - a.sentAt);
}

export type NewFile = { id: string; slot: FileSlot; file: File } & Partial<
  Pick<OutboxFile, 'key' | 'upload' | 'section'>
>;
/** Whether only this page has it, because the device has no room. */
export const isOnlyInMemory = (id: string) => isInMemory(itemKey(id));

export type NewItem = Omit<OutboxItem, 'files' | 'state' | 'attempts' | 'nextAttemptAt' | 'isOnForm'> & {
  files: NewFile[];
};

type InsertOptions = {
  /** Keys of the drafts that it was made from: they go with the same write. */
  drafts?: string[];
  /** The item that it corrects. */
  replaces?: string | undefined;
  /** The device has no room: only this page has it. */
  inMemory?: boolean;
};

/**
 * Stores an item with its files, in one write, then reads it back. Rejects and stores nothing when the device has no room.
 * Resolves with the item, and whether it outlives the page.
 */
export async function insertItem(
  { files, ...given }: NewItem,
  { drafts = [], replaces, inMemory = false }: InsertOptions = {},
): Promise<{ item: OutboxItem; isStored: boolean }> {
  const bytes = await Promise.all(files.map(({ file }) => readBytes(file)));
  const hashes = await Promise.all(bytes.map(hash));
  // What got through of the item that this one corrects is not sent again.
  const replaced = replaces === undefined ? undefined : await findItem(replaces);
  const findKnown = (id: string) => replaced?.files.find((file) => file.id === id);
  const item: OutboxItem = {
    ...given,
    ...(replaced?.submittedFor && { username: replaced.username, submittedFor: replaced.submittedFor }),
    files: files.map(
      ({ id, slot, section, file, key = findKnown(id)?.key ?? newUuid(), upload = findKnown(id)?.upload }, index) => ({
        id,
        key,
        slot,
        ...(section !== undefined && { section }),
        name: file.name,
        type: file.type,
        size: file.size,
        ...(hashes[index] && { sha256: hashes[index] }),
        ...(upload && { upload }),
      }),
    ),
    state: 'waiting',
    attempts: 0,
    nextAttemptAt: 0,
    isOnForm: true,
  };
  const records = [
    toRecord(itemKey(item.id), item),
    ...files.map(({ id }, index) => toRecord(fileKey(item.id, id), bytes[index])),
  ];
  const changes = { put: records, delete: [...drafts, ...(replaces ? getItemKeys(replaces) : [])] };
  if (inMemory) {
    writeToMemory(changes);
    await writeRecords({ delete: changes.delete }).catch(() => undefined);
    return { item, isStored: false };
  }
  await writeRecords(changes);
  await assertStored(item);
  return { item, isStored: await isLasting() };
}

/** What a browser says it has stored is read back and measured before anybody relies on it. */
async function assertStored(item: OutboxItem): Promise<void> {
  const stored = await findItem(item.id);
  const sizes = await Promise.all(item.files.map(async ({ id }) => (await readFileBytes(item.id, id))?.byteLength));
  if (!stored || item.files.some(({ size }, index) => sizes[index] !== size)) {
    await deleteItem(item.id);
    throw new Error('This browser did not store what it was given');
  }
}

const getItemKeys = (id: string) => [itemKey(id), getFilesRange(id)];

/** Changes an item that is still there. */
export async function updateItem(
  id: string,
  changes: Partial<OutboxItem> | ((item: OutboxItem) => Partial<OutboxItem>),
): Promise<OutboxItem | undefined> {
  const changed = await changeRecord<Stored<OutboxItem>>(itemKey(id), (record) => ({
    ...record,
    value: { ...record.value, ...(typeof changes === 'function' ? changes(record.value) : changes) },
  }));
  return changed?.value;
}

export const deleteItem = (id: string) => writeRecords({ delete: getItemKeys(id) });

export async function readFileBytes(itemId: string, fileId: string): Promise<ArrayBuffer | undefined> {
  return (await readRecord<Stored<ArrayBuffer>>(fileKey(itemId, fileId)))?.value;
}

export async function readFile(itemId: string, { id, name, type }: Pick<OutboxFile, 'id' | 'name' | 'type'>) {
  const bytes = await readFileBytes(itemId, id);
  return bytes && new File([bytes], name, { type });
}

/** Puts a receipt in the place of its item. What the server could not read stays beside it. */
export async function replaceWithReceipt(item: OutboxItem, receipt: Receipt): Promise<void> {
  const isRejected = (id: string) => receipt.rejected.some((rejected) => rejected.id === id);
  const files = item.files.filter(({ id }) => !isRejected(id)).map(({ id }) => fileKey(item.id, id));
  // What someone else's completion left out can still be copied from the draft.
  const drafts = receipt.completedBy ? [] : (item.drafts ?? []);
  await writeRecords({
    put: [toRecord(receiptKey(item.id), receipt)],
    delete: [itemKey(item.id), ...files, ...drafts],
  });
}

export async function updateReceipt(receipt: Receipt): Promise<void> {
  await writeRecords({ put: [toRecord(receiptKey(receipt.id), receipt)] });
}

async function hash(bytes: ArrayBuffer): Promise<string | undefined> {
  if (!globalThis.crypto?.subtle) return undefined;
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
