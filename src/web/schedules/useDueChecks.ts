// Today's checks, also from the copy on this device.
import { useQuery } from '@tanstack/react-query';
import { api } from '#shared/api.ts';
import type { SessionUser } from '#shared/users.ts';
import { queryFor } from '../client/api.ts';
import { useUser } from '../client/session.ts';
import { signedOutUserId } from '../client/signedOutUserId.ts';
import { getCopiedAt, withOfflineCopy } from '../drafts/offlineCopies.ts';
import { connection } from '../offline/connection.ts';
import { findParks } from '../ui/forms/parkChoices.ts';
import { useStore } from '../useStore.ts';

const refreshMs = 60_000;

/** The checks of a user's parks, or of some of them. A park named alone is complete; of several, the reply is limited. */
export const dueChecksQuery = (park: string | undefined) => ({
  ...withOfflineCopy('user', queryFor(api.listDueChecks, { query: { park } })),
  // A copy must not be taken for the reply that it is equal to.
  structuralSharing: false,
});

/** The parks for which a device of this user keeps today's checks; undefined for all of the user's parks. */
export const listCopiedParks = ({ parks }: Pick<SessionUser, 'parks'>): (string | undefined)[] =>
  parks && parks.length > 1 ? [findParks('', parks).join(), ...parks] : [undefined];

/** `park` may be several, or '' for all. Staff of one park share one query. */
export function useDueChecks(park: string) {
  const user = useUser();
  const hasOnePark = user.role === 'None' && user.parks?.length === 1;
  return useQuery({
    ...dueChecksQuery(hasOnePark ? undefined : park || undefined),
    refetchInterval: refreshMs,
    enabled: user.id !== signedOutUserId,
  });
}

type ShownQuery = { data: object | undefined; dataUpdatedAt: number; isError: boolean };

/** Returns since when the data may have changed unnoticed, in milliseconds; undefined while it comes from the server. */
export function useCopiedAt({ data, dataUpdatedAt, isError }: ShownQuery): number | undefined {
  const isOnline = useStore(connection) === 'online';
  return getCopiedAt(data) ?? (data && (isError || !isOnline) ? dataUpdatedAt : undefined);
}
