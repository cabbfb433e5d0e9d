/** The browser's cache with the second copies of waiting items: never deleted with cached screens. */
export const backupsCache = 'outbox-backups';
