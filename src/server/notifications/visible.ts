// Who may be told of what: by role and park, when it happens, when it is sent and when they look.
import { isAllowed, type Role } from '#shared/access.ts';
import { type NotificationKind, notificationKinds } from '#shared/notifications.ts';

type Reader = { role: string; park: string };

/** The kinds that a role may be told of. */
const listKindsFor = (role: string) =>
  (Object.keys(notificationKinds) as NotificationKind[]).filter((kind) =>
    isAllowed(notificationKinds[kind].access, role as Role),
  );

/** The kinds and parks that a user may be told of, for a query; `parks` is undefined for all. */
export const getVisible = ({ role, park }: Reader) => ({
  kinds: listKindsFor(role),
  parks: park === '' ? undefined : ['', park],
});

/** The same for one notice. A user whose role or park changed no longer sees what they were told before. */
export function maySee(reader: Reader, { kind, park }: { kind: NotificationKind; park: string }): boolean {
  const { kinds, parks } = getVisible(reader);
  return kinds.includes(kind) && (park === '' || (parks?.includes(park) ?? true));
}
