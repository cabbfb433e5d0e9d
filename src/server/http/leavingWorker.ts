/** A service worker that keeps nothing and stands between nothing: sent in place of the product's when that must go from people's devices. */
export const leavingWorker = `
self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(empty()));
async function empty() {
  for (const name of await caches.keys()) await caches.delete(name);
}
`;
