// Places that are retired and brought back, with their checks.
import type { Database, Tables } from '../db/schema.ts';
import { findPlaceNamed, insertPlace } from '../places/links/place-links.ts';
import { updateComingChecks } from './due-checks.ts';
import { keepClosed } from './readiness.ts';
import { placeRetired } from './store.ts';

type By = { by: string; now: Date };

/** Retires a place, or brings it back, and changes its coming checks. */
export async function setRetired(
  db: Database,
  { id, park, retired_at }: Pick<Tables['places'], 'id' | 'park' | 'retired_at'>,
  isRetired: boolean,
  { by, now }: By,
): Promise<void> {
  if (isRetired === (retired_at !== null)) return;
  await keepClosed(db, { places: [id] }, { what: 'The place was retired and brought back', now }, async () => {
    if (retired_at !== null) await storeRetirement(db, { id, retired_at }, { by, now });
    const change = { retired_at: isRetired ? now.toISOString() : null };
    await db.updateTable('places').set(change).where('id', '=', id).execute();
    await updateComingChecks(db, { park, places: [id] }, now);
  });
}

/** Stores why checks of a place were missed while it was retired, before it is in use again. */
const storeRetirement = (db: Database, place: { id: string; retired_at: string }, { by, now }: By) =>
  db
    .updateTable('due_checks')
    .set({ reason: placeRetired, reason_by_name: by, reason_at: now.toISOString() })
    .where('place_id', '=', place.id)
    .where('closes_at', '>', place.retired_at)
    .where('closes_at', '<=', now.toISOString())
    .where('filled_in_at', 'is', null)
    .where('reason', 'is', null)
    .execute();

/**
 * Returns the places of this name at these parks. Inserts missing ones and brings retired ones back; `onChange` is called for
 * both.
 */
export async function findOrCreatePlaces(
  db: Database,
  parks: string[],
  name: string,
  by: By,
  onChange: (place: { id: string; name: string }, isNew: boolean) => void,
): Promise<string[]> {
  const ids: string[] = [];
  for (const park of parks) {
    const newId = await insertPlace(db, park, name);
    const place = newId ? { id: newId, name, retired_at: null } : await findPlaceNamed(db, park, name);
    if (!place) continue;
    if (newId || place.retired_at !== null) onChange(place, newId !== undefined);
    await setRetired(db, { ...place, park }, false, by);
    ids.push(place.id);
  }
  return ids;
}
