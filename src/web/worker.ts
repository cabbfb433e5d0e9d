// The service worker: caches the screens so that they open offline. Never caches data: API requests
// and uploads do not pass through it. A newer worker waits until the user agrees (updates.ts).
import { type PrecacheEntry, Serwist } from 'serwist';
import { registerMessages } from './notifications/showFromWorker.ts';
import { registerBackgroundSender } from './outbox/sendFromWorker.ts';

declare const self: { __SW_MANIFEST: PrecacheEntry[] } & Parameters<typeof registerBackgroundSender>[0] &
  Parameters<typeof registerMessages>[0];

/** Server routes and file names are not pages. */
const nonPagePaths = [/^\/+(?:api|uploads|healthz|metrics|operator-logo)(?:[/?]|$)/i, /^[^?]*\.\w+(?:\?|$)/];

const worker = new Serwist({
  precacheEntries: self.__SW_MANIFEST,
  precacheOptions: { navigateFallback: '/index.html', navigateFallbackDenylist: nonPagePaths },
  // From the first visit on, so that screens not yet loaded are available offline.
  clientsClaim: true,
});

// Also handles the message from updates.ts that activates a waiting worker.
worker.addEventListeners();

registerBackgroundSender(self);
registerMessages(self);
