// Waiting items with their files, and receipts of sent items.
import type { Answers } from '#shared/answers.ts';
import { countUnanswered } from '#shared/answers.ts';
import type { Told } from '#shared/audits.ts';
import type { Section } from '#shared/checklists.ts';
import { listFailingIndexes } from '#shared/failing-answers.ts';
import {
  changeRecord,
  getRange,
  isInMemory,
  isPersistent,
  outboxPrefix,
  readRecord,
  readRecords,
  writeRecords,
  writeToMemory,
  writeWithoutWaiting,
} from '../database/database.ts';
import { readBytes } from '../drafts/storedBlobs.ts';
import type { OutboxForm } from '../formNames.ts';
import { newUuid } from '../newUuid.ts';
import { backUp, deleteAllBackups, deleteBackup, type ItemRecord, listBackups } from './backups.ts';

export type OutboxKind = 'accident' | 'incident' | 'checklist' | 'audit' | 'hazard' | 'completion';

/** The section of photos that belong to the note of a completion. */
export const doneSection = 'done';

/** The position of the file in the request body. */
export type FileSlot = 'photo' | 'signature' | 'affectedUserSignature';

export type OutboxFile = {
  id: string;
  /** The Idempotency-Key of its upload. */
  key: string;
  slot: FileSlot;
  /** For a checklist: the section of the failing answer in the photo. For a completion: `done` if it shows what was done. */
  section?: string;
  name: string;
  type: string;
  size: number;
  /** SHA-256 of the bytes on this device; missing if the browser cannot compute it (plain HTTP). */
  sha256?: string;
  /** The server's reply to its upload. */
  upload?: { path: string; name: string; type: string; size: number };
  /** Why the server rejected it, as text for the user. */
  problem?: string;
};

/** Why an item was not sent. `step` is the request that failed. */
export type SendError = {
  step: FileSlot | 'submit';
  /** The id of the photo that failed, if one did. */
  file?: string;
  /** 0: the server could not be reached. -1: an error on this device. */
  status: number;
  code: string;
  message: string;
  /** The body of the response as it came. */
  text: string;
  fields: Record<string, string>;
  /** The server's version of the record, if someone else has changed it. */
  current?: unknown;
};

/** `signIn`: its user must sign in. `refused`: the server rejected it, and it must be corrected. */
type ItemState = 'waiting' | 'signIn' | 'refused';

export type OutboxItem = {
  /** Also the Idempotency-Key of its request. */
  id: string;
  userId: string;
  username: string;
  /** The name of the shared device on which it was submitted: the device sends it, no matter who is signed in. */
  fromDevice?: string | undefined;
  /** The id of the deleted user, if a reviewer sends it for them. */
  submittedFor?: string;
  kind: OutboxKind;
  /** The form it was submitted in, where it can be corrected. */
  form: OutboxForm;
  /** The URL of that form. */
  address: string;
  /** The beginning of its text, for the list. */
  title: string;
  park: string;
  /** For a checklist: the name of its place. */
  place?: string;
  /** When it was submitted, by this device's clock. */
  createdAt: number;
  /** The same time by the server's clock, if known. */
  capturedAt: string;
  /** The id in the path of its request. */
  recordId?: string;
  /** The request body without its files. */
  body: Record<string, unknown>;
  /** For a checklist: the sections of its answers. */
  sections?: Section[];
  /** Keys of drafts that are kept until the item has arrived. */
  drafts?: string[];
  files: OutboxFile[];
  state: ItemState;
  attempts: number;
  nextAttemptAt: number;
  error?: SendError;
  /** Whether its form still shows it and its progress. */
  isOnForm: boolean;
};

export type Receipt = {
  id: string;
  userId: string;
  kind: OutboxKind;
  form: OutboxForm;
  park: string;
  place?: string;
  number?: string;
  /** For a checklist: the id of the submission, and the number of its failing answers. */
  submissionId?: string;
  failing?: number;
  /** For a new audit or a hazard: the id of the audit, and who was told of it. */
  auditId?: string;
  told?: Told[];
  /** How many questions have no answer, as `countUnanswered` counts. */
  unanswered?: number;
  submittedAt: number;
  sentAt: number;
  photos: number;
  signatures: number;
  /** Photos that the server could not read; their bytes are kept until the receipt is deleted. */
  rejected: { id: string; name: string; position: number; problem: string }[];
  /** The name of another user who had completed the audit before. */
  completedBy?: string;
  /** In receipts of earlier releases: the server had received an earlier version, without the last changes. */
  isEarlier?: boolean;
  /** Whether its form shows this receipt. */
  isOnForm: boolean;
};

/** Returns the numbers of failing answers and of unanswered questions of a checklist. */
export function countAnswers({ sections = [], body }: OutboxItem): { failing: number; unanswered: number } {
  const answers = (body.data ?? {}) as Answers;
  return {
    failing: listFailingIndexes(sections, answers).length,
    unanswered: countUnanswered(sections, answers),
  };
}

const format = 1;
const keepReceiptsForMs = 30 * 24 * 60 * 60_000;
const itemPrefix = `${outboxPrefix}item/`;
const filePrefix = `${outboxPrefix}file/`;
const receiptPrefix = `${outboxPrefix}receipt/`;

const itemKey = (id: string) => `${itemPrefix}${id}`;
const receiptKey = (id: string) => `${receiptPrefix}${id}`;
const fileKey = (itemId: string, fileId: string) => `${filePrefix}${itemId}/${fileId}`;
const getFilesRange = (itemId: string) => getRange(`${filePrefix}${itemId}/`);

type StoredValue<T> = ItemRecord & { value: T };
const toRecord = <T>(key: string, value: T): StoredValue<T> => ({ key, format, value });
const readValues = async <T>(prefix: string): Promise<T[]> =>
  (await readRecords<StoredValue<T>>(prefix)).flatMap((record) => (record.format === format ? [record.value] : []));

/** The form of a checklist is for its place, which items of earlier versions name only in their body. */
function withFormOfPlace(item: OutboxItem): OutboxItem {
  const { kind, form, body } = item;
  const isOfPlace = kind === 'checklist' && typeof body.placeId === 'string';
  return isOfPlace && form === `checklist/${body.checklistId}` ? { ...item, form: `${form}/${body.placeId}` } : item;
}

/** Returns the waiting items, oldest first. */
export const listItems = async (): Promise<OutboxItem[]> =>
  (await readValues<OutboxItem>(itemPrefix)).map(withFormOfPlace).sort((a, b) => a.createdAt - b.createdAt);

export async function findItem(id: string): Promise<OutboxItem | undefined> {
  const record = await readRecord<StoredValue<OutboxItem>>(itemKey(id));
  return record?.format === format ? withFormOfPlace(record.value) : undefined;
}

/** Returns the receipts of the last 30 days, newest first, and deletes older ones. */
export async function listReceipts(now = Date.now()): Promise<Receipt[]> {
  const receipts = await readValues<Receipt>(receiptPrefix);
  const oldReceipts = receipts.filter(({ sentAt }) => sentAt < now - keepReceiptsForMs);
  if (oldReceipts.length > 0)
    await writeRecords({ delete: oldReceipts.flatMap(({ id }) => [receiptKey(id), getFilesRange(id)]) });
  return receipts.filter((receipt) => !oldReceipts.includes(receipt)).sort((a, b) => b.sentAt - a.sentAt);
}

export type NewFile = { id: string; slot: FileSlot; file: File } & Partial<
  Pick<OutboxFile, 'key' | 'upload' | 'section'>
>;
/** Whether only this page has the item, because the device could not store it. */
export const isOnlyInMemory = (id: string) => isInMemory(itemKey(id));

type Times = Pick<OutboxItem, 'createdAt' | 'capturedAt'>;

/** An item as a form submits it. */
export type NewItem = Omit<OutboxItem, 'files' | 'state' | 'attempts' | 'nextAttemptAt' | 'isOnForm' | keyof Times> & {
  files: NewFile[];
};

export type InsertOptions = {
  /** Keys of the item's drafts, deleted when it is stored; once it has arrived if only this page has it. */
  drafts?: string[];
  /** The id of the item that it replaces. */
  replaces?: string | undefined;
  /** Keeps the item in this page only, because the device is full. */
  inMemory?: boolean;
};

/**
 * Stores an item with its files, in one write, then reads it back. Rejects and stores nothing when
 * the device has no room. Resolves with the item, and whether it outlives the page.
 */
export async function insertItem(
  { files, ...given }: NewItem & Times,
  { drafts = [], replaces, inMemory = false }: InsertOptions = {},
): Promise<{ item: OutboxItem; isStored: boolean }> {
  const bytes = await Promise.all(files.map(({ file }) => readBytes(file)));
  const hashes = await Promise.all(bytes.map(hash));
  // Files that were uploaded for the replaced item are not uploaded again.
  const replaced = replaces === undefined ? undefined : await findItem(replaces);
  const findUploaded = (id: string) => replaced?.files.find((file) => file.id === id);
  const item: OutboxItem = {
    ...given,
    ...(replaced?.submittedFor && { username: replaced.username, submittedFor: replaced.submittedFor }),
    files: files.map(
      (
        { id, slot, section, file, key = findUploaded(id)?.key ?? newUuid(), upload = findUploaded(id)?.upload },
        index,
      ) => ({
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
  const isTaken = !isOnlyInMemory(item.id) && (await findItem(item.id).catch(() => undefined));
  if (isTaken) Object.assign(item, getFurtherItem());
  const isOnlyInPage = inMemory || !(await isPersistent());
  // An item only in memory is lost if the page closes, so keep its drafts until it has arrived.
  if (isOnlyInPage) item.drafts = [...(item.drafts ?? []), ...drafts];
  const records = [
    toRecord(itemKey(item.id), item),
    ...files.map(({ id }, index) => toRecord(fileKey(item.id, id), bytes[index])),
  ];
  const deleted = replaces ? getItemKeys(replaces) : [];
  if (replaces) await deleteBackup(replaces);
  if (isOnlyInPage) {
    writeToMemory({ put: records, delete: deleted });
    await writeRecords({ delete: deleted }).catch(() => undefined);
    return { item, isStored: false };
  }
  const changes = { put: records, delete: [...drafts, ...deleted] };
  await writeRecords(changes).catch(async (error: Error) => {
    if (error.name !== 'QuotaExceededError') throw error;
    // A new item is worth more than the backups of others.
    await deleteAllBackups();
    await writeRecords(changes);
  });
  await assertStored(item);
  void backUpItem(item.id);
  return { item, isStored: true };
}

/**
 * Of two tabs with the same draft, in a browser without locks, both may submit it, with different content: the
 * second item does not replace the first, and its user decides whether it is another one.
 */
const getFurtherItem = (): Pick<OutboxItem, 'id' | 'state' | 'error'> => {
  const message = 'Another tab has submitted this form, and what it submitted waits on this device.';
  return {
    id: newUuid(),
    state: 'refused',
    error: { step: 'submit', status: 409, code: 'KEY_REUSED', message, text: '', fields: {} },
  };
};

/**
 * Data that the browser says it has stored is read back and checked before the draft is deleted.
 */
async function assertStored(item: OutboxItem): Promise<void> {
  const isWhole = await isStoredWhole(item).catch(() => false);
  if (isWhole) return;
  await deleteItem(item.id);
  throw new Error('This browser did not store the data');
}

async function isStoredWhole({ id, files }: OutboxItem): Promise<boolean> {
  const stored = await findItem(id);
  const sizes = await Promise.all(files.map(async (file) => (await readFileBytes(id, file.id))?.byteLength));
  return stored !== undefined && files.every(({ size }, index) => sizes[index] === size);
}

const getItemKeys = (id: string) => [itemKey(id), getFilesRange(id)];

type ItemChanges = Partial<OutboxItem> | ((item: OutboxItem) => Partial<OutboxItem>);

export const withChanges = (item: OutboxItem, changes: ItemChanges): OutboxItem => ({
  ...item,
  ...(typeof changes === 'function' ? changes(item) : changes),
});

/** Stores an item without waiting, so that what was typed last is stored even if the page is being left. */
export const writeItemWithoutWaiting = (item: OutboxItem) =>
  writeWithoutWaiting({ put: [toRecord(itemKey(item.id), item)] });

/** Changes the stored item. Resolves with it, or undefined if it no longer exists. */
export async function updateItem(id: string, changes: ItemChanges): Promise<OutboxItem | undefined> {
  const changed = await changeRecord<StoredValue<OutboxItem>>(itemKey(id), (record) => ({
    ...record,
    value: withChanges(record.value, changes),
  }));
  return changed?.value;
}

export async function deleteItem(id: string): Promise<void> {
  await deleteBackup(id);
  await writeRecords({ delete: getItemKeys(id) });
}

/** Copies an item as it is now. Never rejects. */
export const backUpItem = (id: string) =>
  backUp(id, async () => {
    const item = await readRecord<StoredValue<OutboxItem>>(itemKey(id));
    const files = await readRecords<StoredValue<ArrayBuffer>>(`${filePrefix}${id}/`);
    // An item that is being deleted may still have some of its records.
    if (!item || files.length < item.value.files.length) return [];
    // A restored item is not shown in its form again.
    return [{ ...item, value: { ...item.value, isOnForm: false } }, ...files];
  });

/**
 * Backs up the waiting items that have no backup, because an older version stored them or the
 * device was full. Deletes backups of other items.
 */
export async function updateBackups(): Promise<void> {
  // Listed first, because an item may be added at the same time.
  const backups = await listBackups();
  if (!backups) return;
  const ids = (await readRecords(itemPrefix)).map(({ key }) => key.slice(itemPrefix.length));
  for (const id of backups) if (!ids.includes(id)) void deleteBackup(id);
  for (const id of ids) if (!backups.includes(id)) void backUpItem(id);
}

export const readFileBytes = async (itemId: string, fileId: string): Promise<ArrayBuffer | undefined> =>
  (await readRecord<StoredValue<ArrayBuffer>>(fileKey(itemId, fileId)))?.value;

export async function readFile(itemId: string, { id, name, type }: Pick<OutboxFile, 'id' | 'name' | 'type'>) {
  const bytes = await readFileBytes(itemId, id);
  return bytes && new File([bytes], name, { type });
}

/** Replaces an item by its receipt. Photos that the server could not read are kept with it. */
export async function replaceWithReceipt(item: OutboxItem, receipt: Receipt): Promise<void> {
  const isRejected = (id: string) => receipt.rejected.some((rejected) => rejected.id === id);
  const files = item.files.filter(({ id }) => !isRejected(id)).map(({ id }) => fileKey(item.id, id));
  // Changes that the other user's completion does not contain can still be copied from the draft.
  const drafts = receipt.completedBy ? [] : (item.drafts ?? []);
  const deleted = [itemKey(item.id), ...files, ...drafts];
  await deleteBackup(item.id);
  await writeRecords({ put: [toRecord(receiptKey(item.id), receipt)], delete: deleted }).catch(async () => {
    // On a full device the receipt fits once the item is deleted. If not, it is shown until the
    // page is closed.
    await writeRecords({ delete: deleted });
    await updateReceipt(receipt).catch(() => writeToMemory({ put: [toRecord(receiptKey(item.id), receipt)] }));
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
