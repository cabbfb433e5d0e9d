/**
 * The name of the browser's cache with second copies of unsent items. It must not be deleted with
 * the cached screens.
 */
export const backupsCache = 'outbox-backups';
