// Who may be notified of which events, by role and park: checked at the event, at sending and at
// reading.
import { isAllowed, type Role } from '#shared/access.ts';
import { type NotificationKind, notificationKinds } from '#shared/notifications.ts';

type Viewer = { role: string; park: string };

/** The kinds that a user may be notified of. */
const listKindsFor = ({ role, park }: Viewer) =>
  (Object.keys(notificationKinds) as NotificationKind[]).filter((kind) =>
    isAllowed(notificationKinds[kind].access, { role: role as Role, park }),
  );

/**
 * Returns the kinds and parks that a user may be notified of, for a query. `parks` is undefined for
 * all parks.
 */
export const getVisibleKindsAndParks = ({ role, park }: Viewer) => ({
  kinds: listKindsFor({ role, park }),
  parks: park === '' ? undefined : ['', park],
});

/**
 * Whether a user may see this notification now. After a change of role or park, earlier
 * notifications may no longer be visible.
 */
export function canSee(viewer: Viewer, { kind, park }: { kind: NotificationKind; park: string }): boolean {
  const { kinds, parks } = getVisibleKindsAndParks(viewer);
  return kinds.includes(kind) && (park === '' || (parks?.includes(park) ?? true));
}
