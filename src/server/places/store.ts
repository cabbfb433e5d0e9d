// Places in the database, and the locations typed in records that are linked to no place.
import { sql } from 'kysely';
import type { ParkViewer } from '#shared/access.ts';
import { getLocationKey, type Locations, type Place } from '#shared/places/places.ts';
import { getNameKey } from '#shared/text.ts';
import { parseData } from '../db/audit-data.ts';
import type { Database, Tables } from '../db/schema.ts';
import { nextSlice } from '../event-loop.ts';
import { updateComingChecks } from '../schedules/due-checks.ts';
import { keepClosed } from '../schedules/readiness.ts';
import { setRetired } from '../schedules/retired-places.ts';
import { isOfVisiblePark } from '../user-parks.ts';
import { insertLinks, selectPlaceId } from './links/place-links.ts';

const alphabet = new Intl.Collator('en-GB', { numeric: true });

const selectPlaces = (db: Database, viewer: ParkViewer) =>
  db.selectFrom('places').select(['id', 'park', 'name', 'retired_at', 'label']).where(isOfVisiblePark('park', viewer));

type PlaceRow = Pick<Tables['places'], 'id' | 'park' | 'name' | 'retired_at' | 'label'>;

const toPlace = ({ retired_at, label, ...place }: PlaceRow): Place => ({
  ...place,
  isRetired: retired_at !== null,
  ...(label && { label }),
});

/** Returns the places of the viewer's parks in alphabetical order. */
export async function listPlaces(db: Database, viewer: ParkViewer, park?: string): Promise<Place[]> {
  const rows = await selectPlaces(db, viewer)
    .where('joined_into', 'is', null)
    .$if(park !== undefined, (query) => query.where('park', '=', park ?? ''))
    .execute();
  return rows.map(toPlace).sort((a, b) => alphabet.compare(a.park, b.park) || alphabet.compare(a.name, b.name));
}

/** Finds a place by its id, or by the code on its label. For a joined place, that is the one into which it was joined. */
export async function findPlace(db: Database, viewer: ParkViewer, id: string): Promise<Place | undefined> {
  const row = await selectPlaces(db, viewer)
    .where(
      'id',
      '=',
      selectPlaceId(db).where((eb) => eb.or([eb('named.id', '=', id), eb('named.label', '=', id)])),
    )
    .executeTakeFirst();
  return row && toPlace(row);
}

/** Renames a place, retires it or brings it back. */
export async function updatePlace(
  db: Database,
  { id, park }: Pick<Place, 'id' | 'park'>,
  { name, isRetired }: Pick<Place, 'name' | 'isRetired'>,
  changed: { by: string; now: Date },
): Promise<void> {
  const before = await db.selectFrom('places').select('retired_at').where('id', '=', id).executeTakeFirst();
  await db
    .updateTable('places')
    .set({ name, name_key: getNameKey(name) })
    .where('id', '=', id)
    .execute();
  await setRetired(db, { id, park, retired_at: before?.retired_at ?? null }, isRetired, changed);
}

/** Replaces the label of a place, with those of the places that were joined into it. */
export async function setLabel(db: Database, id: string, label: string | null): Promise<void> {
  await db.updateTable('places').set({ label: null }).where('joined_into', '=', id).execute();
  await db.updateTable('places').set({ label }).where('id', '=', id).execute();
}

type PlaceKey = Pick<Place, 'id' | 'park'>;

/**
 * Joins a place, with those that were joined into it, into another, which gets its links, messages, schedules and coming
 * checks. Checks that have opened keep their place.
 */
export async function joinPlaces(
  db: Database,
  { id, park }: PlaceKey,
  { id: into }: PlaceKey,
  now: Date,
): Promise<void> {
  const places = [id, into];
  await keepClosed(db, { places }, { what: 'Another place was joined into it', joinedInto: into, now }, async () => {
    await db.updateTable('place_links').set({ place_id: into }).where('place_id', '=', id).execute();
    await db.updateTable('guest_messages').set({ place_id: into }).where('place_id', '=', id).execute();
    await moveSchedules(db, id, into);
    await db
      .updateTable('places')
      .set({ joined_into: into })
      .where((eb) => eb.or([eb('id', '=', id), eb('joined_into', '=', id)]))
      .execute();
    await updateComingChecks(db, { park, places }, now);
  });
}

/** Moves the schedules of a place, and the passes that it needs, to another place. */
async function moveSchedules(db: Database, from: string, to: string): Promise<void> {
  await sql`insert into schedule_places (schedule_id, place_id)
    select schedule_id, ${to} from schedule_places where place_id = ${from} on conflict do nothing`.execute(db);
  await sql`insert into passes_needed (place_id, checklist_id, arrival, at, what)
    select ${to}, checklist_id, arrival, at, what from passes_needed where place_id = ${from}
    on conflict (place_id, checklist_id) do update set arrival = excluded.arrival, at = excluded.at, what = excluded.what
    where excluded.arrival > passes_needed.arrival`.execute(db);
  for (const table of ['schedule_places', 'passes_needed'] as const)
    await db.deleteFrom(table).where('place_id', '=', from).execute();
}

type TypedLocation = { thing: 'report' | 'audit'; thing_id: string; location: string };

/** Returns the typed locations of a park's reports and audits that have no place. */
async function readTypedLocations(db: Database, park: string): Promise<TypedLocation[]> {
  const reports = await db
    .selectFrom('reports')
    .leftJoin('place_links', 'place_links.thing_id', 'reports.id')
    .select(['reports.id', 'reports.location'])
    .where('reports.selectedPlace', '=', park)
    .where('reports.deletion_id', 'is', null)
    .where('place_links.thing_id', 'is', null)
    .execute();
  await nextSlice();
  const audits = await db
    .selectFrom('audits')
    .innerJoin('folders', 'folders.id', 'audits.folder_id')
    .leftJoin('place_links', 'place_links.thing_id', 'audits.id')
    .select(['audits.id', 'audits.data'])
    .where('folders.park', '=', park)
    .where('audits.deletion_id', 'is', null)
    .where('place_links.thing_id', 'is', null)
    .execute();
  await nextSlice();
  return [
    ...reports.map(({ id, location }) => ({ thing: 'report' as const, thing_id: id, location })),
    ...audits.map(({ id, data }) => ({
      ...{ thing: 'audit' as const, thing_id: id, location: parseData(data).data.location },
    })),
  ].filter(({ location }) => getLocationKey(location) !== '');
}

/** Returns a park's typed locations without a place, most frequent first, and what was linked to places since. */
export async function listLocations(db: Database, park: string): Promise<Locations> {
  const groups = Map.groupBy(await readTypedLocations(db, park), ({ location }) => getLocationKey(location));
  const typed = [...groups].map(([key, records]) => {
    const bySpelling = Map.groupBy(records, ({ location }) => location);
    const spellings = [...bySpelling]
      .sort(([one, a], [other, b]) => b.length - a.length || alphabet.compare(one, other))
      .map(([spelling]) => spelling);
    return { key, spellings, count: records.length };
  });
  const linked = await db
    .selectFrom('place_links')
    .innerJoin('places', 'places.id', 'place_links.place_id')
    .innerJoin('users', 'users.id', 'place_links.linked_by')
    .select(['place_id as placeId', 'linked_at as at', 'users.username as by'])
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('places.park', '=', park)
    .where('is_later', '=', 1)
    .groupBy(['place_id', 'linked_at', 'users.username'])
    .orderBy('linked_at', 'desc')
    .execute();
  return {
    typed: typed.sort((a, b) => b.count - a.count || alphabet.compare(a.spellings[0] ?? '', b.spellings[0] ?? '')),
    linked,
  };
}

/** Links the records whose typed location has this key; returns how many. */
export async function linkLocation(
  db: Database,
  { park, key, placeId, by, now }: { park: string; key: string; placeId: string; by: { id: string }; now: Date },
): Promise<number> {
  const records = (await readTypedLocations(db, park)).filter(({ location }) => getLocationKey(location) === key);
  const links = records.map(({ thing, thing_id }) => ({ thing, thing_id, is_later: 1 as const }));
  await insertLinks(db, placeId, links, { by, now });
  return links.length;
}

/** Removes the links to a place that `linkLocation` made at this time; returns how many. */
export async function unlinkLocation(db: Database, placeId: string, at: string): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('place_links')
    .where('place_id', '=', placeId)
    .where('linked_at', '=', at)
    .where('is_later', '=', 1)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
