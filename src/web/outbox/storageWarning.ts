/** Returns a warning if the site has no HTTPS, or this browser may delete waiting items; otherwise ''. */
export async function getStorageWarning(): Promise<string> {
  if (!window.isSecureContext)
    return 'This address does not use HTTPS. Waiting items are sent only while one of its pages is open.';
  return getEvictionWarning();
}

/**
 * Returns a warning if this browser may delete waiting items; otherwise ''. Safari deletes what a site
 * that is not installed has stored if the site was not opened for seven days.
 */
export async function getEvictionWarning(): Promise<string> {
  const isInstalled = window.matchMedia('(display-mode: standalone)').matches;
  if (!navigator.vendor.startsWith('Apple') || isInstalled) return '';
  const isPersisted = await navigator.storage?.persisted?.().catch(() => false);
  return isPersisted
    ? ''
    : 'Open this page within 7 days, or add it to the home screen. Otherwise this browser may delete what is waiting.';
}
