// The one sender of a device: whichever tab, or the service worker, holds the lock. Oldest first; the trouble of one item does not
// stop the next.
import { nobodysId } from '../client/nobody.ts';
import { findItem, listItems, type OutboxItem, replaceWithReceipt, updateItem } from './items.ts';
import { type Outcome, type SendSettings, sendItem } from './sendItem.ts';

const lockName = 'outbox';
const shortestDelayMs = 5000;
const longestDelayMs = 5 * 60_000;
/** Nothing the server asks for is longer; a time beyond it is of a clock that was set back. */
const longestRetryAfterMs = 60 * 60_000;

export type Wake = {
  /** Items that wait for their next attempt are tried now. */
  isSoon?: boolean;
  /** Someone has signed in. */
  isSignedIn?: boolean;
  /** Only this one, whatever it waits for. */
  id?: string;
};

export type SenderSettings = SendSettings & {
  random(): number;
  /** Whose items can be sent; undefined where that is not known, and the server says. */
  getUserId(): string | undefined;
  /** An item was changed, sent or is being sent. */
  onChange(id: string, outcome?: Outcome): void;
  /** Lets one of all tabs and the service worker work at a time. */
  withLock?(work: () => Promise<void>): Promise<void>;
};

/** 5 s, doubling to 5 min, and up to a quarter more so that a park's devices do not all come at once. */
export const getDelayMs = (attempts: number, random: number) =>
  Math.min(longestDelayMs, shortestDelayMs * 2 ** Math.max(0, attempts - 1)) * (1 + random / 4);

export function createSender(settings: SenderSettings) {
  let pending: Wake[] = [];
  let isQueued = false;

  const isDue = (item: OutboxItem, wakes: Wake[]) => {
    if (item.userId === nobodysId) return false;
    if (wakes.some(({ id }) => id === item.id)) return true;
    const userId = settings.getUserId();
    if (userId !== undefined && item.userId !== userId) return false;
    if (item.state === 'signIn') return wakes.some(({ isSignedIn }) => isSignedIn);
    if (item.state !== 'waiting') return false;
    const leftMs = item.nextAttemptAt - settings.now();
    return leftMs <= 0 || leftMs > longestRetryAfterMs || wakes.some(({ isSoon, isSignedIn }) => isSoon || isSignedIn);
  };

  async function settle(item: OutboxItem, outcome: Outcome) {
    const attempts = item.attempts + 1;
    if (outcome.kind === 'sent') {
      // Whether its form still shows it may have changed while it was on its way.
      await replaceWithReceipt(item, { ...outcome.receipt, isOnForm: item.isOnForm });
    } else if (outcome.kind === 'signIn') await updateItem(item.id, { state: 'signIn', attempts });
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

  async function pass(wakes: Wake[]) {
    const tried = new Set<string>();
    for (;;) {
      // Listed again each time: another may have been added, or deleted.
      const item = (await listItems()).find((item) => !tried.has(item.id) && isDue(item, wakes));
      if (!item) return;
      tried.add(item.id);
      settings.onChange(item.id);
      const outcome = await sendItem(item, settings).catch(toOutcome);
      const latest = (await findItem(item.id)) ?? item;
      await settle(latest, outcome);
      // Without a connection the others wait, too.
      if (outcome.kind === 'waiting' && outcome.error.status === 0 && (await settings.isOffline())) return;
    }
  }

  return {
    /** Sends what is due; resolves when that was tried. A wake during a pass has it followed by another. */
    async wake(wake: Wake = {}): Promise<void> {
      pending.push(wake);
      if (isQueued) return;
      isQueued = true;
      await (settings.withLock ?? withLock)(async () => {
        isQueued = false;
        const wakes = pending;
        pending = [];
        await pass(wakes);
      });
    },
    /** How long until the next item is due, in milliseconds; undefined when none waits for its time. */
    async getNextDelay(): Promise<number | undefined> {
      const times = (await listItems())
        .filter(({ state, userId }) => state === 'waiting' && userId !== nobodysId)
        .map(({ nextAttemptAt }) => nextAttemptAt);
      return times.length > 0 ? Math.max(0, Math.min(...times) - settings.now()) : undefined;
    },
  };
}

/** What is no answer of the server's, such as a device that is full: said, and tried again. */
function toOutcome(error: unknown): Outcome {
  const message = error instanceof Error ? error.message : String(error);
  return { kind: 'waiting', error: { step: 'submit', status: -1, code: '', message, text: '', fields: {} } };
}

let queue: Promise<unknown> = Promise.resolve();

/** Where the browser has no locks (plain HTTP), each tab sends; the keys see to it that nothing is stored twice. */
async function withLock(work: () => Promise<void>): Promise<void> {
  const { locks } = globalThis.navigator ?? {};
  if (locks) return void (await locks.request(lockName, work));
  const result = queue.then(work);
  queue = result.catch(() => undefined);
  await result;
}
