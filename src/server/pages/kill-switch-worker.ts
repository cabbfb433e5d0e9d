/**
 * A service worker that keeps nothing and stands between nothing: sent in place of the product's when that must go from people's devices.
 * It takes over as soon as the browser lets it, at the latest when somebody presses 'Update now'.
 * It listens for fetches without answering any: Chromium hangs on a page that passes from a worker that listens to one that does not.
 */
export const killSwitchWorker = `
self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('message', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(empty()));
self.addEventListener('fetch', () => {});
async function empty() {
  for (const name of await caches.keys()) await caches.delete(name);
}
`;
