// The service worker: caches the screens so that they open offline, those of reviewers after one
// signed in. Never caches data: API requests and uploads do not pass through it. A newer worker waits
// until the user agrees (updates.ts).
import { type PrecacheEntry, Serwist, type SerwistPlugin } from 'serwist';
import { registerMessages } from './notifications/showFromWorker.ts';
import { registerReviewerScreens, reviewerRevision } from './offline/reviewerScreens.ts';
import { registerBackgroundSender } from './outbox/sendFromWorker.ts';

type InstallEvent = Event & { waitUntil(work: Promise<unknown>): void };

declare const self: {
  __SW_MANIFEST: PrecacheEntry[];
  addEventListener(type: 'install', listener: (event: InstallEvent) => void): void;
} & Parameters<typeof registerReviewerScreens>[0] &
  Parameters<typeof registerBackgroundSender>[0] &
  Parameters<typeof registerMessages>[0];

/** Server routes and file names are not pages. */
const nonPagePaths = [/^\/+(?:api|uploads|healthz|metrics|operator-logo)(?:[/?]|$)/i, /^[^?]*\.\w+(?:\?|$)/];

/**
 * Rejects when a file cannot be cached during the installation. Serwist 9.5 would keep the browser
 * waiting (github.com/serwist/serwist/issues/367), so updates.ts could not try again.
 */
const { promise: installationFailure, reject: failInstallation } = Promise.withResolvers<never>();

self.addEventListener('install', (event) => {
  const waitUntil = event.waitUntil.bind(event);
  event.waitUntil = (work) => waitUntil(Promise.race([work, installationFailure]));
});

const failInstallationOnError: SerwistPlugin = {
  async handlerDidError({ event, error }) {
    if (event.type === 'install') failInstallation(error);
    return undefined;
  },
};

const files = self.__SW_MANIFEST;
const isForReviewers = ({ revision }: PrecacheEntry) => revision === reviewerRevision;
const reviewerFiles = new Set(files.filter(isForReviewers).map(({ url }) => `/${url}`));

const worker = new Serwist({
  precacheEntries: files.filter((file) => !isForReviewers(file)),
  precacheOptions: {
    navigateFallback: '/index.html',
    navigateFallbackDenylist: nonPagePaths,
    plugins: [failInstallationOnError],
  },
  // Otherwise each request of the page would wake it, and a request at the wrong moment can delay a
  // newer worker in Chromium for minutes (github.com/w3c/ServiceWorker/issues/1295).
  requestRules: ['/api/*', '/uploads/*'].map((pathname) => ({
    condition: { urlPattern: { pathname } },
    source: 'network',
  })),
  runtimeCaching: [
    {
      matcher: ({ url, sameOrigin }) => sameOrigin && reviewerFiles.has(url.pathname),
      handler: registerReviewerScreens(self, reviewerFiles),
    },
  ],
  // From the first visit on, so that screens not yet loaded are available offline.
  clientsClaim: true,
});

// Also handles the message from updates.ts that activates a waiting worker.
worker.addEventListeners();

registerBackgroundSender(self);
registerMessages(self);
