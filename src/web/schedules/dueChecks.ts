// Today's checks: where a checklist is due.
import { type CheckedPlace, compare, comparePlaces, isOpen } from '#shared/schedules/next-place.ts';
import type { Check, DueChecks, Readiness } from '#shared/schedules/schedules.ts';

/** Whether the reply has all rows of its parks. */
export const isComplete = ({ checks, ready, counts }: DueChecks) =>
  checks.length === counts.checks && ready.length === counts.ready;

/** A check as it is now, if the copy that has it is from before. */
export const asOf = (check: Check, now: string): Check =>
  check.state === 'upcoming' && check.opens_at <= now ? { ...check, state: 'due' } : check;

const getRank = ({ is_ready, not_in_use }: Readiness) => (is_ready ? 1 : not_in_use ? 2 : 0);

/** Returns places by park and name. Of more than are shown at first, those that are not ready come first. */
export const sortReady = (ready: Readiness[], shownAtFirst: number): Readiness[] =>
  ready.toSorted(
    (a, b) =>
      (ready.length > shownAtFirst ? getRank(a) - getRank(b) : 0) || compare(a.park, b.park) || comparePlaces(a, b),
  );

/**
 * Returns the places at which a checklist is due or opens something, those with an open check first, and
 * whether it is due for a park as a whole.
 */
export function listCheckedPlaces({ checks, ready }: DueChecks, checklistId: string) {
  const places = new Map<string, CheckedPlace & { isOpen: boolean }>();
  const ofChecklist = checks.filter(({ checklist_id }) => checklist_id === checklistId);
  for (const check of ofChecklist) {
    if (check.place_id === null) continue;
    const { place_id: id, place: name, park } = check;
    places.set(id, { id, name, park, isOpen: isOpen(check) || places.get(id)?.isOpen === true });
  }
  for (const { place_id: id, place: name, park, not_in_use, checklists } of ready)
    if (!places.has(id) && not_in_use !== 'ended' && checklists.some((one) => one.id === checklistId))
      places.set(id, { id, name, park, isOpen: false });
  return { places: [...places.values()], hasPark: ofChecklist.some(({ place_id }) => place_id === null) };
}
