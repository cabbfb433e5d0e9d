// The outbox for the screens: waiting, sending and sent items of all tabs, and the events that
// start the sender.
import { getServerTime, observeFetch, refreshScreen } from '../client/api.ts';
import { isSendingFiles, sendingUserId, waitingItems } from '../client/outboxPresence.ts';
import { signInRequired, waitForSignIn } from '../client/reauthentication.ts';
import { getSharedDevice } from '../client/sharedDevice.ts';
import { signedOutUserId } from '../client/signedOutUserId.ts';
import { createStore } from '../createStore.ts';
import { isPersistent, lateAnswers } from '../database/database.ts';
import { newUuid } from '../newUuid.ts';
import { checkConnection, connection, isOnline } from '../offline/connection.ts';
import { deleteBackup, restoreLostItems } from './backups.ts';
import {
  backUpItem,
  deleteItem,
  findItem,
  type InsertOptions,
  insertItem,
  listItems,
  listReceipts,
  type NewItem,
  type OutboxItem,
  type Receipt,
  readFile,
  updateBackups,
  updateItem,
  updateReceipt,
  writeItemWithoutWaiting,
} from './items.ts';
import { createSender, type Wake, whenNobodySends } from './sender.ts';
import type { Progress, SendOutcome } from './sendItem.ts';

export type OutboxState = {
  isLoaded: boolean;
  items: OutboxItem[];
  receipts: Receipt[];
  /** Progress of the items being sent, by id. */
  progress: Record<string, Progress>;
};

type Message = { type: 'changed' } | { type: 'progress'; id: string; progress: Progress | undefined };

export const outbox = createStore<OutboxState>({ isLoaded: false, items: [], receipts: [], progress: {} });
let timer: ReturnType<typeof setTimeout> | undefined;
const takeOverAfterMs = 5000;
const reloadAfterMs = 5000;
/** Messages to and from other tabs and the service worker. */
const channel = new BroadcastChannel('outbox');

const setState = (changes: Partial<OutboxState>) => outbox.set({ ...outbox.get(), ...changes });

async function load() {
  const found = await Promise.all([listItems(), listReceipts()]).catch(() => undefined);
  if (!found) {
    // Forms must open even if the items cannot be read.
    setTimeout(load, reloadAfterMs);
    return setState({ isLoaded: true });
  }
  const [items, receipts] = found;
  setState({ isLoaded: true, items, receipts });
  // If the database did not open, items may be waiting in it.
  if (items.length > 0 || (await isPersistent())) waitingItems.set(items.length > 0);
}

async function notifyListeners() {
  channel.postMessage({ type: 'changed' } satisfies Message);
  await load();
}

function setProgress(id: string, progress: Progress | undefined) {
  const { [id]: _, ...rest } = outbox.get().progress;
  const all = progress ? { ...rest, [id]: progress } : rest;
  setState({ progress: all });
  isSendingFiles.set(Object.keys(all).length > 0);
}

let isWaitingToClear = false;

/** A tab that is closed while it sends does not say that its items are no longer being sent. */
async function clearProgressAfterSending() {
  if (isWaitingToClear || Object.keys(outbox.get().progress).length === 0) return;
  isWaitingToClear = true;
  await whenNobodySends(() => {
    setState({ progress: {} });
    isSendingFiles.set(false);
  }).catch(() => undefined);
  isWaitingToClear = false;
}

channel.onmessage = ({ data }: MessageEvent<Message>) => {
  if (data.type === 'progress') {
    setProgress(data.id, data.progress);
    return void clearProgressAfterSending();
  }
  void load();
  // The other tab may be closed before it has sent everything.
  if (navigator.locks) void setTimer(takeOverAfterMs);
};

const sendProgress = (id: string, progress: Progress | undefined) => {
  setProgress(id, progress);
  channel.postMessage({ type: 'progress', id, progress } satisfies Message);
};

const sender = createSender({
  fetch: observeFetch,
  now: Date.now,
  random: Math.random,
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  isOffline: async () => !isOnline() || (await checkConnection()) === 'offline',
  getUserId: () => sendingUserId.get() ?? '',
  onProgress: sendProgress,
  onChange(id, outcome) {
    if (!outcome) return sendProgress(id, { sent: 0, total: 0 });
    void handleOutcome(id, outcome);
  },
});

async function handleOutcome(id: string, outcome: SendOutcome) {
  await notifyListeners();
  sendProgress(id, undefined);
  // The data on the screen may be out of date.
  if (outcome.kind === 'sent' || outcome.kind === 'refused') void refreshScreen();
  // The session has ended while the app is in use: ask for the password.
  if (outcome.kind === 'signIn' && (await findItem(id))?.isOnForm) void waitForSignIn();
}

export async function wakeSender(wake?: Wake): Promise<void> {
  if (sendingUserId.get() === undefined && !getSharedDevice()) return;
  // The browser's database may not answer, or the browser grant no lock: what waits is tried again.
  const isDone = await sender.wake(wake).then(
    () => true,
    () => false,
  );
  await setTimer(isDone ? 1000 : reloadAfterMs);
}

/** Wakes the sender when the next item is due, but not sooner than `shortestMs`. */
async function setTimer(shortestMs: number): Promise<void> {
  const delay = await sender.getNextDelay().catch(() => reloadAfterMs);
  clearTimeout(timer);
  if (delay !== undefined) timer = setTimeout(wakeSender, Math.max(delay, shortestMs));
}

async function restoreAndLoad() {
  const isRestored = await restoreLostItems().catch(() => undefined);
  await (isRestored ? notifyListeners() : load());
  if (isRestored) void wakeSender();
  // Assume that items are waiting, so that the next start of the app restores them.
  if (isRestored === undefined) waitingItems.set(true);
  await updateBackups().catch(() => undefined);
}

let hasStarted = false;

/** Reads all items and sends them, now and whenever sending may succeed. */
export function startSending() {
  if (hasStarted) return;
  hasStarted = true;
  void restoreAndLoad();
  const sendForUser = () => void wakeSender({ isSignedIn: true });
  sendForUser();
  lateAnswers.subscribe(restoreAndLoad);
  sendingUserId.subscribe(sendForUser);
  // Sends again when the same user has signed in again for any reason.
  signInRequired.subscribe(() => !signInRequired.get() && sendForUser());
  connection.subscribe(() => isOnline() && void wakeSender({ isImmediate: true }));
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void wakeSender({ isImmediate: true });
  });
}

/**
 * Stores an item on the device and starts sending it. A stored item arrives exactly once, even if this
 * page is closed. Resolves with its id. `isStored` is false if the device is full and only this page has the
 * item; without a connection, it rejects instead.
 */
export async function submit(
  newItem: NewItem,
  options: InsertOptions = {},
): Promise<{ id: string; isStored: boolean }> {
  const now = Date.now();
  const sharedDevice = newItem.userId === signedOutUserId ? undefined : getSharedDevice();
  const item = {
    ...newItem,
    createdAt: now,
    capturedAt: new Date(getServerTime()).toISOString(),
    ...(sharedDevice && { fromDevice: sharedDevice.name }),
  };
  const {
    item: { id },
    isStored,
  } = await insertItem(item, options).catch(async (error: unknown) => {
    if (!isOnline()) throw error;
    return insertItem(item, { ...options, inMemory: true });
  });
  await notifyListeners();
  if (isStored) void navigator.storage?.persist?.().catch(() => undefined);
  void registerBackgroundSync();
  void wakeSender();
  return { id, isStored };
}

/** Asks Chromium to send waiting items even if no tab is open. */
async function registerBackgroundSync() {
  const registration = await navigator.serviceWorker?.getRegistration();
  const { sync } = (registration ?? {}) as { sync?: { register(tag: string): Promise<void> } };
  await sync?.register('outbox').catch(() => undefined);
}

/** Assigns an item that was started without a session to the user who says that it is theirs. */
export async function claimItem(id: string, { id: userId, username }: { id: string; username: string }): Promise<void> {
  // If the item were restored without its user, someone else could claim it.
  await deleteBackup(id);
  await updateItem(id, { userId, username, state: 'waiting', nextAttemptAt: 0, isOnForm: false });
  void backUpItem(id);
  await notifyListeners();
  await sendNow(id);
}

/** A reviewer sends an item of a deleted user; the server records both. */
export async function sendForFormerUser(
  { id, userId, username, submittedFor }: OutboxItem,
  reviewer: { id: string; username: string },
): Promise<void> {
  await updateItem(id, {
    userId: reviewer.id,
    // The server's records name both users like this.
    username: `${reviewer.username} for ${username.split(' for ').at(-1)}`,
    // If that reviewer was deleted too, the item still belongs to the first user.
    submittedFor: submittedFor ?? userId,
    nextAttemptAt: 0,
    fromDevice: undefined,
  });
  await notifyListeners();
  await sendNow(id);
}

/** Submits a rejected item again with these changes. Changed content needs a new key. */
export async function submitAgain(item: OutboxItem, changes: Partial<NewItem>): Promise<void> {
  const stored = await Promise.all(item.files.map((info) => readFile(item.id, info)));
  const files = item.files.flatMap(({ id, slot, section }, index) => {
    const file = stored[index];
    return file ? [{ id, slot, file, ...(section !== undefined && { section }) }] : [];
  });
  const { state: _, attempts: __, nextAttemptAt: ___, error: ____, isOnForm: _____, ...kept } = item;
  await submit({ ...kept, ...changes, id: newUuid(), files }, { replaces: item.id });
}

export const sendNow = (id: string) => wakeSender({ id, isImmediate: true });

export async function deleteFromOutbox(id: string): Promise<void> {
  await deleteItem(id);
  await notifyListeners();
}

/** Stores the unfinished correction of a rejected item, so that it survives a reload. */
export function saveCorrection(id: string, body: OutboxItem['body']): void {
  const item = outbox.get().items.find((item) => item.id === id);
  if (item?.state !== 'refused') return;
  const changed = { ...item, body };
  setState({ items: outbox.get().items.map((other) => (other === item ? changed : other)) });
  writeItemWithoutWaiting(changed);
}

/** Opens a rejected item in its form, to be corrected. */
export async function openForCorrection(item: OutboxItem): Promise<void> {
  const shown = outbox.get().items.filter(({ form, isOnForm, id }) => isOnForm && form === item.form && id !== item.id);
  await Promise.all(shown.map(({ id }) => updateItem(id, { isOnForm: false })));
  await updateItem(item.id, { isOnForm: true });
  await notifyListeners();
}

/** Stops showing an item, or its receipt, in its form; sending continues. */
export async function leaveForm(id: string): Promise<void> {
  await updateItem(id, { isOnForm: false });
  const receipt = outbox.get().receipts.find((receipt) => receipt.id === id);
  if (receipt) await updateReceipt({ ...receipt, isOnForm: false });
  await notifyListeners();
}
