/**
 * Warns that the site has no HTTPS, or that this browser may delete waiting items; '' if neither is
 * the case.
 */
export async function getStorageWarning(): Promise<string> {
  if (!window.isSecureContext)
    return 'This site does not use HTTPS. Waiting items are sent only while one of its pages is open.';
  return getEvictionWarning();
}

/**
 * Safari deletes what a site has stored when it was not opened for seven days, unless it is
 * installed.
 */
export async function getEvictionWarning(): Promise<string> {
  const isInstalled = window.matchMedia('(display-mode: standalone)').matches;
  if (!navigator.vendor.startsWith('Apple') || isInstalled) return '';
  const isPersisted = await navigator.storage?.persisted?.().catch(() => false);
  return isPersisted ? '' : 'Open this page within 7 days, or add it to the home screen.';
}
