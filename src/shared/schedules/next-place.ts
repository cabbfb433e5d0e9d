// What comes next on a round: places at which one checklist is due in the same window.
import type { Place } from '../places/places.ts';
import type { Check } from './schedules.ts';

/** What a form and its draft need to know of the place that they are for. */
export type CheckedPlace = Pick<Place, 'id' | 'name' | 'park'>;

export const { compare } = new Intl.Collator('en-GB', { numeric: true });

/** `Play area 2` before `Play area 10`. */
export const compareNames = (a: { name: string }, b: { name: string }) => compare(a.name, b.name);
export const comparePlaces = (a: { place: string }, b: { place: string }) => compare(a.place, b.place);

/** Whether filling in the checklist now answers the check. */
export const isOpen = ({ state }: Check) => state === 'due' || state === 'missed';

/** A submission of a checklist at a place, as a device knows it. `at` is the time by the server's clock. */
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

/** `Play area 3, 3 of 4`. */
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
