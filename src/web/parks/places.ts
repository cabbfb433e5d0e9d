// The places of the user's parks, which location fields suggest, also offline.
import { useQuery } from '@tanstack/react-query';
import { api } from '#shared/api.ts';
import type { Place } from '#shared/places.ts';
import { getNameKey } from '#shared/text.ts';
import { queryClient, queryFor } from '../client/api.ts';
import { useUser } from '../client/session.ts';
import { signedOutUserId } from '../client/signedOutUserId.ts';
import { withOfflineCopy } from '../drafts/offlineCopies.ts';
import { useUrlState } from '../ui/navigation/useUrlState.ts';

const placesQuery = { ...withOfflineCopy('user', queryFor(api.listPlaces)), staleTime: 10 * 60_000 };

export function usePlaces() {
  const user = useUser();
  return useQuery({ ...placesQuery, enabled: user.id !== signedOutUserId });
}

/** The place that the address names, `?place=`, as the buttons on the page of a place do. */
export function useGivenPlace(): Place | undefined {
  const { get } = useUrlState();
  const { data } = usePlaces();
  const id = get('place');
  return data?.find((place) => place.id === id);
}

/** For a request: the place whose name is the location, if the park has it. */
export function findPlaceId(park: string, location: string): { placeId?: string } {
  const key = getNameKey(location);
  const place = queryClient
    .getQueryData(placesQuery.queryKey)
    ?.find((one) => one.park === park && !one.isRetired && getNameKey(one.name) === key);
  return place ? { placeId: place.id } : {};
}
