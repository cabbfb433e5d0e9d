// That somebody signed out without a connection, where the service worker can read it too: local storage is out of its reach.
import { outboxPrefix, writeRecords } from '../drafts/database.ts';

export const pendingSignOutKey = `${outboxPrefix}pending-sign-out`;

export const storePendingSignOut = () => writeRecords({ put: [{ key: pendingSignOutKey }] }).catch(() => undefined);
export const deletePendingSignOut = () => writeRecords({ delete: [pendingSignOutKey] }).catch(() => undefined);
