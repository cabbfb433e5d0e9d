// The service worker: keeps the screens themselves on the device, so that they open without a signal. What the screens show is never
// kept: calls and uploads do not pass through here at all. A newer worker waits until somebody agrees to it (updates.ts).
import { type PrecacheEntry, Serwist } from 'serwist';

declare const self: { __SW_MANIFEST: PrecacheEntry[] };

/** The server's own addresses, and whatever looks like a file, are no screens. */
const notPages = [/^\/+(?:api|uploads|healthz|metrics|operator-logo)(?:[/?]|$)/i, /^[^?]*\.\w+(?:\?|$)/];

const worker = new Serwist({
  precacheEntries: self.__SW_MANIFEST,
  precacheOptions: { navigateFallback: '/index.html', navigateFallbackDenylist: notPages },
  // From the first visit on: what a page has not loaded yet is there when the signal goes.
  clientsClaim: true,
});

// Also answers updates.ts when it asks the waiting worker to take over.
worker.addEventListeners();
