// Runs the same sender in the service worker, for Background Sync: Chromium starts it when there is
// a connection, even without a tab.
import { backgroundHeaders } from '#shared/client.ts';
import { readRecord, writeRecords } from '../database/database.ts';
import { pendingSignOutKey } from '../database/pendingSignOut.ts';
import { createSender } from './sender.ts';

type SyncEvent = Event & { tag: string; waitUntil(work: Promise<unknown>): void };
type Worker = {
  addEventListener(type: 'sync', listener: (event: SyncEvent) => void): void;
  registration: { sync: { register(tag: string): Promise<void> } };
};

const syncTag = 'outbox';

export function registerBackgroundSender(worker: Worker) {
  worker.addEventListener('sync', (event) => {
    if (event.tag === syncTag) event.waitUntil(send(worker));
  });
}

async function send({ registration }: Worker): Promise<void> {
  const tabs = new BroadcastChannel('outbox');
  try {
    await settleSignOut();
    const sender = createSender({
      fetch: (input, init) => fetch(input, init),
      now: Date.now,
      random: Math.random,
      wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
      // After one request without a response it stops until the browser starts it again.
      isOffline: async () => true,
      // Each request names its user: the server rejects it in another user's session.
      getUserId: () => undefined,
      onProgress: (id, progress) => tabs.postMessage({ type: 'progress', id, progress }),
      onChange(id, outcome) {
        if (outcome) tabs.postMessage({ type: 'progress', id, progress: undefined });
        tabs.postMessage({ type: 'changed' });
      },
    });
    await sender.wake({ isImmediate: true });
    // A browser repeats a failed sync event only a few times.
    if ((await sender.getNextDelay()) !== undefined) await registration.sync.register(syncTag);
  } finally {
    tabs.close();
  }
}

/** Sends a pending offline sign-out before any item. Rejects until it succeeds. */
async function settleSignOut(): Promise<void> {
  if (!(await readRecord(pendingSignOutKey))) return;
  const { ok } = await fetch('/api/logout', {
    method: 'POST',
    credentials: 'same-origin',
    headers: backgroundHeaders,
  });
  if (!ok) throw new Error('The sign-out could not be sent');
  await writeRecords({ delete: [pendingSignOutKey] });
}
