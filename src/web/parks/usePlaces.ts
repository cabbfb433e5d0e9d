import { useQuery } from '@tanstack/react-query';
import type { Place } from '#shared/places/places.ts';
import { useUser } from '../client/session.ts';
import { signedOutUserId } from '../client/signedOutUserId.ts';
import { useUrlState } from '../ui/navigation/useUrlState.ts';
import { placesQuery } from './findPlaceId.ts';

export function usePlaces() {
  const user = useUser();
  return useQuery({ ...placesQuery, enabled: user.id !== signedOutUserId });
}

/** The place in the URL's `?place=`, which the buttons on a place's page set. */
export function usePlaceInUrl(): Place | undefined {
  const { get } = useUrlState();
  const { data } = usePlaces();
  const id = get('place');
  return data?.find((place) => place.id === id);
}
