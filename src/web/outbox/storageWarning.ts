/** Says for how long this browser keeps waiting items; empty if it keeps them. */
export async function getStorageWarning(): Promise<string> {
  if (!window.isSecureContext)
    return 'This address does not use HTTPS. What waits is sent only while a page of it is open.';
  const isPersisted = await navigator.storage?.persisted?.().catch(() => true);
  const isInstalled = window.matchMedia('(display-mode: standalone)').matches;
  // Safari deletes what a site has stored when it was not opened for seven days.
  const isEvicting = navigator.vendor.startsWith('Apple') && !isInstalled;
  return isEvicting && !isPersisted ? 'Open this page within 7 days, or add it to the home screen.' : '';
}
