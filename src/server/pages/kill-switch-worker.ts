import { backupsCache } from '#shared/caches.ts';

/**
 * Kill switch (`OFFLINE=0`): a service worker that clears the cached screens and handles no requests. It
 * takes over when the browser allows, at the latest at 'Update Now'. It has a fetch listener
 * because Chromium hangs on a page that moves from a worker with a fetch listener to one without.
 */
export const killSwitchWorker = `
self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('message', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(empty()));
self.addEventListener('fetch', () => {});
async function empty() {
  for (const name of await caches.keys()) if (name !== '${backupsCache}') await caches.delete(name);
}
`;
