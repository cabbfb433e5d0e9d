// The places for which a checklist can be filled in.
import type { Place } from '#shared/places/places.ts';
import { type CheckedPlace, compareNames } from '#shared/schedules/next-place.ts';
import type { DueChecks } from '#shared/schedules/schedules.ts';
import { isComplete, listCheckedPlaces } from '../schedules/dueChecks.ts';
import type { PlaceId } from './checklistDrafts.ts';

export type PlaceChoices = {
  /** Those with a check that is due or was missed. */
  due: CheckedPlace[];
  others: CheckedPlace[];
  /** Whether it can be filled in for the park as a whole. */
  hasPark: boolean;
  /** Those for which the user has begun it on this device. */
  begun: PlaceId[];
  /** Whether today's checks are known. If not, all places of the park can be chosen. */
  isKnown: boolean;
};

type Sources = {
  /** Undefined if today's checks are not known, without a connection. */
  due: DueChecks | undefined;
  /** The places of the park, for when they are not. */
  places: Place[];
  /** The chosen park; '' if the user sees several. */
  park: string;
  begun: PlaceId[];
};

/** Undefined: the park must be chosen first, because its checks are not known before. */
export function listPlaceChoices(checklistId: string, { due, places, park, begun }: Sources): PlaceChoices | undefined {
  if (due) {
    const found = listCheckedPlaces(due, checklistId);
    if (park === '' && (found.places.length > 0 || !isComplete(due))) return undefined;
    const sorted = found.places.toSorted(compareNames);
    return {
      due: sorted.filter(({ isOpen }) => isOpen),
      others: sorted.filter(({ isOpen }) => !isOpen),
      hasPark: found.hasPark || found.places.length === 0,
      begun,
      isKnown: true,
    };
  }
  if (park === '' && places.length > 0) return undefined;
  const others = places.filter((place) => place.park === park && !place.isRetired).toSorted(compareNames);
  return { due: [], others, hasPark: true, begun, isKnown: false };
}

/** Returns the place to fill in without asking: the only one, or the park as a whole; undefined if it must be asked. */
export function findOnlyPlace({ due, others, hasPark }: PlaceChoices): CheckedPlace | null | undefined {
  const [first, ...more] = [...due, ...others];
  if (!first) return null;
  return more.length > 0 || hasPark ? undefined : first;
}
