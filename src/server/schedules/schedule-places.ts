// The places that schedules check.
import { canSeePark, type ParkViewer } from '#shared/access.ts';
import { splitList } from '../db/queries.ts';
import type { Database } from '../db/schema.ts';
import type { StoredSchedule } from './stored-schedules.ts';

/** A place chosen for a schedule; it may be retired. */
export type ChosenPlace = Awaited<ReturnType<typeof listChosenPlaces>>[number];

/** A place that a schedule checks; without id and name a park as a whole. */
export type CheckedPlace = { park: string; place_id: string; name: string };

const rowsPerInsert = 400;

const selectChosen = (db: Database) =>
  db
    .selectFrom('schedule_places')
    .innerJoin('places', 'places.id', 'schedule_places.place_id')
    .select(['schedule_id', 'places.id', 'places.park', 'places.name', 'places.retired_at']);

/** Returns the places chosen for a schedule, also those that are retired. */
export const listChosenPlaces = (db: Database, scheduleId: string) =>
  selectChosen(db).where('schedule_id', '=', scheduleId).orderBy('places.id').execute();

/** Returns the places chosen for each schedule, of one park or of all, by the schedule's id. */
export async function groupChosenPlaces(db: Database, park?: string) {
  const chosen = selectChosen(db)
    .$if(park !== undefined, (qb) => qb.where('places.park', '=', park ?? ''))
    .orderBy('places.id');
  return Map.groupBy(await chosen.execute(), ({ schedule_id }) => schedule_id);
}

/** Returns what a schedule checks. A park of which all chosen places are retired has no checks. */
export async function listCheckedPlaces(
  db: Database,
  { id, parks }: Pick<StoredSchedule, 'id' | 'parks'>,
): Promise<CheckedPlace[]> {
  return toCheckedPlaces(parks, await listChosenPlaces(db, id));
}

/** Returns what is checked at these parks, of a schedule with these chosen places. */
export function toCheckedPlaces(parks: string[], chosen: Omit<ChosenPlace, 'schedule_id'>[]): CheckedPlace[] {
  const byPark = Map.groupBy(chosen, ({ park }) => park);
  return parks.flatMap((park): CheckedPlace[] => {
    const places = byPark.get(park);
    if (!places) return [{ park, place_id: '', name: '' }];
    return places.flatMap(({ id, name, retired_at }) => (retired_at === null ? [{ park, place_id: id, name }] : []));
  });
}

/**
 * Sets the places of a schedule at the parks that the viewer sees, and removes those at parks that it no longer has. `before`
 * are those chosen until now.
 */
export async function setChosenPlaces(
  db: Database,
  { id, parks, before }: { id: string; parks: string[]; before: ChosenPlace[] },
  places: string[] | undefined,
  viewer: ParkViewer,
): Promise<void> {
  const chosen = new Set(places);
  const isKept = (place: ChosenPlace) =>
    parks.includes(place.park) && (places === undefined || !canSeePark(viewer, place.park) || chosen.has(place.id));
  const removed = before.filter((place) => !isKept(place)).map((place) => place.id);
  for (const ids of splitList(removed, rowsPerInsert))
    await db.deleteFrom('schedule_places').where('schedule_id', '=', id).where('place_id', 'in', ids).execute();
  const known = new Set(before.map((place) => place.id));
  const added = [...chosen].filter((place) => !known.has(place));
  for (const ids of splitList(added, rowsPerInsert))
    await db
      .insertInto('schedule_places')
      .values(ids.map((place_id) => ({ schedule_id: id, place_id })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
}
