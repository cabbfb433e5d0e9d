// The device's only active sender: whichever tab, or the service worker, holds the lock. Oldest
// item first; an error of one item does not stop the next.
import { signedOutUserId } from '../client/signedOutUserId.ts';
import { findItem, listItems, type OutboxItem, replaceWithReceipt, updateItem } from './items.ts';
import { type SendOutcome, type SendSettings, sendItem } from './sendItem.ts';

const lockName = 'outbox';
const shortestDelayMs = 5000;
const longestDelayMs = 5 * 60_000;
/**
 * The server never asks for a longer delay. A later time was stored before the clock was set back.
 */
const longestRetryAfterMs = 60 * 60_000;

export type Wake = {
  /** Tries items that wait for their next attempt now. */
  isImmediate?: boolean;
  /** Also tries items that wait for a sign-in, because a user has signed in. */
  isSignedIn?: boolean;
  /** Also sends this item, even if its next attempt is not due yet. */
  id?: string;
};

type SenderSettings = SendSettings & {
  random(): number;
  /** The user whose items can be sent; undefined if unknown, in which case the server decides. */
  getUserId(): string | undefined;
  /** An item was changed, is being sent, or was sent. */
  onChange(id: string, outcome?: SendOutcome): void;
  /** Lets only one of all tabs and the service worker work at a time. */
  withLock?(work: () => Promise<void>): Promise<void>;
};

/**
 * Returns 5 s, doubling with each attempt up to 5 min, plus up to a quarter by `random` (0 to 1), so that
 * a park's devices do not all retry at once.
 */
export const getDelayMs = (attempts: number, random: number) =>
  Math.min(longestDelayMs, shortestDelayMs * 2 ** Math.max(0, attempts - 1)) * (1 + random / 4);

export function createSender(settings: SenderSettings) {
  let pending: Wake[] = [];
  let isQueued = false;
  /** Next attempts that a full device could not store. */
  const postponedUntil = new Map<string, number>();

  const getNextAttemptAt = ({ id, nextAttemptAt }: OutboxItem) => Math.max(nextAttemptAt, postponedUntil.get(id) ?? 0);
  const isOfCurrentUser = ({ userId, fromDevice }: OutboxItem) => {
    const current = settings.getUserId();
    if (userId === signedOutUserId) return false;
    return fromDevice !== undefined || current === undefined || userId === current;
  };

  const isDue = (item: OutboxItem, wakes: Wake[]) => {
    if (item.userId === signedOutUserId) return false;
    if (wakes.some(({ id }) => id === item.id)) return true;
    if (!isOfCurrentUser(item)) return false;
    if (item.state === 'signIn') return wakes.some(({ isSignedIn }) => isSignedIn);
    if (item.state !== 'waiting') return false;
    const leftMs = getNextAttemptAt(item) - settings.now();
    return (
      leftMs <= 0 ||
      leftMs > longestRetryAfterMs ||
      wakes.some(({ isImmediate, isSignedIn }) => isImmediate || isSignedIn)
    );
  };

  async function storeOutcome(item: OutboxItem, outcome: SendOutcome) {
    const attempts = item.attempts + 1;
    if (outcome.kind === 'sent') {
      // The form may have stopped showing it during sending.
      await replaceWithReceipt(item, { ...outcome.receipt, isOnForm: item.isOnForm });
    } else if (outcome.kind === 'signIn')
      // A device that is no longer shared leaves it to the item's user.
      await updateItem(item.id, { state: 'signIn', attempts, fromDevice: undefined });
    else if (outcome.kind === 'refused')
      await updateItem(item.id, { state: 'refused', attempts, error: outcome.error });
    else if (outcome.kind === 'waiting') {
      const delay = Math.max(getDelayMs(attempts, settings.random()), outcome.retryAfterMs ?? 0);
      await updateItem(item.id, {
        state: 'waiting',
        attempts,
        error: outcome.error,
        nextAttemptAt: settings.now() + Math.min(delay, longestRetryAfterMs),
      });
    }
    settings.onChange(item.id, outcome);
  }

  async function runPass(wakes: Wake[]) {
    const tried = new Set<string>();
    for (;;) {
      // Listed again each time, because items may have been added or deleted.
      const item = (await listItems()).find((item) => !tried.has(item.id) && isDue(item, wakes));
      if (!item) return;
      tried.add(item.id);
      settings.onChange(item.id);
      const outcome = await sendItem(item, settings).catch(toOutcome);
      const latestItem = (await findItem(item.id)) ?? item;
      await storeOutcome(latestItem, outcome).catch(() => {
        postponedUntil.set(item.id, settings.now() + longestDelayMs);
        settings.onChange(item.id, outcome);
      });
      // Without a connection the other items wait too.
      if (outcome.kind === 'waiting' && outcome.error.status === 0 && (await settings.isOffline())) return;
    }
  }

  return {
    /**
     * Sends items that are due; resolves after the attempt. A wake during a pass starts another
     * pass afterwards.
     */
    async wake(wake: Wake = {}): Promise<void> {
      pending.push(wake);
      if (isQueued) return;
      isQueued = true;
      await (settings.withLock ?? withLock)(async () => {
        isQueued = false;
        const wakes = pending;
        pending = [];
        await runPass(wakes);
      }).catch((error: unknown) => {
        // The browser granted no lock: the next wake asks for it again.
        isQueued = false;
        throw error;
      });
    },
    /**
     * How long until the next item is due, in milliseconds; undefined when none waits for its time.
     */
    async getNextDelay(): Promise<number | undefined> {
      const times = (await listItems())
        .filter((item) => item.state === 'waiting' && isOfCurrentUser(item))
        .map(getNextAttemptAt);
      return times.length > 0 ? Math.max(0, Math.min(...times) - settings.now()) : undefined;
    },
  };
}

/** Returns the outcome of an error on this device, such as full storage: the item is tried again. */
function toOutcome(error: unknown): SendOutcome {
  const message = error instanceof Error ? error.message : String(error);
  return { kind: 'waiting', error: { step: 'submit', status: -1, code: '', message, text: '', fields: {} } };
}

/** Calls `work` as soon as no tab or service worker sends: a closed one has released its lock too. */
export const whenNobodySends = async (work: () => void): Promise<void> =>
  globalThis.navigator?.locks?.request(lockName, { mode: 'shared' }, work);

let queue: Promise<unknown> = Promise.resolve();

/**
 * If the browser has no locks (plain HTTP), each tab sends; the idempotency keys prevent
 * duplicates.
 */
async function withLock(work: () => Promise<void>): Promise<void> {
  const { locks } = globalThis.navigator ?? {};
  if (locks) return void (await locks.request(lockName, work));
  const result = queue.then(work);
  queue = result.catch(() => undefined);
  await result;
}
