// Whether a user signed out offline. Not in local storage, which the service worker cannot read.
import { outboxPrefix, writeRecords } from './database.ts';

export const pendingSignOutKey = `${outboxPrefix}pending-sign-out`;

export const storePendingSignOut = () => writeRecords({ put: [{ key: pendingSignOutKey }] }).catch(() => undefined);
export const deletePendingSignOut = () => writeRecords({ delete: [pendingSignOutKey] }).catch(() => undefined);
