// Who may be notified of which events, by role and park: checked at the event, at sending and at
// reading.
import { isAllowed, type Viewer } from '#shared/access.ts';
import { type NotificationKind, notificationKinds } from '#shared/notifications.ts';

/** The kinds that a user may be notified of. */
const listKindsFor = (viewer: Viewer) =>
  (Object.keys(notificationKinds) as NotificationKind[]).filter((kind) =>
    isAllowed(notificationKinds[kind].access, viewer),
  );

/** Returns the `park` of a notification that is about all of these parks together. */
export const joinParks = (parks: readonly string[]): string => parks.join(', ');

/**
 * Returns the kinds of notifications that a user may see, and the values of their `park`; undefined if any will
 * do.
 */
export const getVisibleKindsAndParks = (viewer: Viewer) => ({
  kinds: listKindsFor(viewer),
  parks: viewer.parks === null ? undefined : ['', ...viewer.parks, joinParks(viewer.parks)],
});

/**
 * Whether a user may see this notification now. After a change of role or park, earlier
 * notifications may no longer be visible.
 */
export function canSee(viewer: Viewer, { kind, park }: { kind: NotificationKind; park: string }): boolean {
  const { kinds, parks } = getVisibleKindsAndParks(viewer);
  return kinds.includes(kind) && (parks?.includes(park) ?? true);
}
