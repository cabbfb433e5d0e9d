/** What somebody has to know about how long this browser keeps what waits; empty when it keeps it. */
export async function getStorageWarning(): Promise<string> {
  if (!window.isSecureContext)
    return 'This address does not use HTTPS. What waits is sent only while a page of it is open.';
  const isPersisted = await navigator.storage?.persisted?.().catch(() => true);
  const isInstalled = window.matchMedia('(display-mode: standalone)').matches;
  // Safari deletes what a site has stored when it was not opened for seven days.
  const isEvicting = navigator.vendor.startsWith('Apple') && !isInstalled;
  return isEvicting && !isPersisted ? 'Open this page within 7 days, or add it to the home screen.' : '';
}
