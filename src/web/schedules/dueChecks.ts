// Today's checks: where a checklist is due, and what comes next on a round.
import type { Place } from '#shared/places/places.ts';
import type { Check, DueChecks, Readiness } from '#shared/schedules/schedules.ts';

/** What a form and its draft need to know of the place that they are for. */
export type CheckedPlace = Pick<Place, 'id' | 'name' | 'park'>;

/** Whether the reply has all rows of its parks. */
export const isComplete = ({ checks, ready, counts }: DueChecks) =>
  checks.length === counts.checks && ready.length === counts.ready;

/** A check as it is now, if the copy that has it is from before. */
export const asOf = (check: Check, now: string): Check =>
  check.state === 'upcoming' && check.opens_at <= now ? { ...check, state: 'due' } : check;

const { compare } = new Intl.Collator('en-GB', { numeric: true });

/** `Play area 2` before `Play area 10`. */
export const compareNames = (a: { name: string }, b: { name: string }) => compare(a.name, b.name);
export const comparePlaces = (a: { place: string }, b: { place: string }) => compare(a.place, b.place);

const getRank = ({ is_ready, not_in_use }: Readiness) => (is_ready ? 1 : not_in_use ? 2 : 0);

/** Returns places by park and name. Of more than are shown at first, those that are not ready come first. */
export const sortReady = (ready: Readiness[], shownAtFirst: number): Readiness[] =>
  ready.toSorted(
    (a, b) =>
      (ready.length > shownAtFirst ? getRank(a) - getRank(b) : 0) || compare(a.park, b.park) || comparePlaces(a, b),
  );

/** Whether filling in the checklist now answers the check. */
export const isOpen = ({ state }: Check) => state === 'due' || state === 'missed';

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

/** A submission on this device: of a checklist at a place, waiting or sent. `at` is the time by the server's clock. */
export type LocalSubmission = { checklistId: string; placeId: string | null; park: string; at: string };

/** Whether a submission that the server may not have yet answers the check. */
export const isAnsweredHere = (check: Check, submissions: LocalSubmission[]) =>
  submissions.some(
    ({ checklistId, placeId, park, at }) =>
      checklistId === check.checklist_id &&
      placeId === check.place_id &&
      // The form of a user of one park does not know it.
      (park === check.park || park === '') &&
      at >= check.opens_at,
  );

export type NextPlace = { place: CheckedPlace; number: number; total: number };

/**
 * Returns the place that follows on the round of which this submission was a part: the next one, in the order of
 * the list, that has an open check of the same schedule and window.
 */
export function findNextPlace(
  checks: Check[],
  last: LocalSubmission,
  submissions: LocalSubmission[],
): NextPlace | undefined {
  const answered = checks.findLast(
    ({ checklist_id, place_id, opens_at }) =>
      checklist_id === last.checklistId && place_id === last.placeId && place_id !== null && opens_at <= last.at,
  );
  if (!answered) return undefined;
  const round = checks
    .filter(
      ({ schedule_id, park, opens_at }) =>
        schedule_id === answered.schedule_id && park === answered.park && opens_at === answered.opens_at,
    )
    .sort(comparePlaces);
  const start = round.indexOf(answered) + 1;
  const open = [...round.slice(start), ...round.slice(0, start)].filter(
    (check) => check !== answered && isOpen(check) && !isAnsweredHere(check, submissions),
  );
  const [next] = open;
  if (!next?.place_id) return undefined;
  const place = { id: next.place_id, name: next.place, park: next.park };
  return { place, number: round.length - open.length + 1, total: round.length };
}
