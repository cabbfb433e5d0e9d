import type { Actor } from '../db/activity-log.ts';

/** The account to which the uploads of guests belong. A migration inserted it as a deleted user. */
export const guestAccountId = 'guests';

/** The actor of what guests do. Nothing about their device is logged. */
export const guestActor: Actor = { id: guestAccountId, name: 'a guest', ip: '', requestId: 'guest' };
