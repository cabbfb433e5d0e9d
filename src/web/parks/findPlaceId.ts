import { api } from '#shared/api.ts';
import { getNameKey } from '#shared/text.ts';
import { queryClient, queryFor } from '../client/api.ts';
import { withOfflineCopy } from '../drafts/offlineCopies.ts';

/** The places of the user's parks, which location fields suggest, also offline. */
export const placesQuery = { ...withOfflineCopy('user', queryFor(api.listPlaces)), staleTime: 10 * 60_000 };

/** Returns the request's field for the place whose name is the location; empty if the park has none. */
export function findPlaceId(park: string, location: string): { placeId?: string } {
  const key = getNameKey(location);
  const place = queryClient
    .getQueryData(placesQuery.queryKey)
    ?.find((one) => one.park === park && !one.isRetired && getNameKey(one.name) === key);
  return place ? { placeId: place.id } : {};
}
