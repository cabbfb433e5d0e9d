// Links of records to places, and places by id and by name; other queries of places are in places/store.ts. Links are rows
// of their own, so that a link never changes a record.
import { sql } from 'kysely';
import type { ParkViewer } from '#shared/access.ts';
import { noPlace } from '#shared/places/places.ts';
import { getNameKey } from '#shared/text.ts';
import { splitList } from '../../db/queries.ts';
import type { Database, Tables } from '../../db/schema.ts';
import { newId } from '../../ids.ts';
import { isOfVisiblePark } from '../../user-parks.ts';

type Link = Pick<Tables['place_links'], 'thing' | 'thing_id' | 'is_later'>;
type LinkedBy = { by: { id: string }; now: Date };

/**
 * Links a record to the place chosen in its form, in the caller's transaction. A place that is unknown,
 * retired or of another park is ignored: the record has its typed location.
 */
export async function linkToPlace(
  db: Database,
  placeId: string | undefined,
  { park, by, now, ...record }: Omit<Link, 'is_later'> & LinkedBy & { park: string },
): Promise<void> {
  if (!placeId) return;
  const place = await followPlace(db, placeId);
  if (place?.park === park && place.retired_at === null)
    await insertLinks(db, place.id, [{ ...record, is_later: 0 }], { by, now });
}

const maxLinksAtOnce = 500;

/** Links records that have no place; others keep theirs. */
export async function insertLinks(db: Database, place_id: string, links: Link[], { by, now }: LinkedBy): Promise<void> {
  for (const some of splitList(links, maxLinksAtOnce))
    await db
      .insertInto('place_links')
      .values(some.map((link) => ({ ...link, place_id, linked_by: by.id, linked_at: now.toISOString() })))
      .onConflict((conflict) => conflict.column('thing_id').doNothing())
      .execute();
}

/** Deletes the links of records that are permanently deleted, or whose location was changed. */
export async function deleteLinksOf(db: Database, ids: string[]): Promise<void> {
  await db.deleteFrom('place_links').where('thing_id', 'in', ids).execute();
}

/** Deletes the links of a folder's audits, because the folder moves to another park. */
export async function deleteLinksOfFolder(db: Database, folderId: string): Promise<void> {
  const audits = db.selectFrom('audits').select('id').where('folder_id', '=', folderId);
  await db.deleteFrom('place_links').where('thing_id', 'in', audits).execute();
}

/**
 * The condition for records that belong to the place, or with `noPlace` to none; `column` has the
 * records' ids.
 */
export const isAtPlace = (column: string, placeId: string) =>
  placeId === noPlace
    ? sql<boolean>`not exists (select 1 from place_links where thing_id = ${sql.ref(column)})`
    : sql<boolean>`${sql.ref(column)} in (select thing_id from place_links where place_id = ${placeId})`;

/** Returns the places of records by the records' ids, without places of parks that the user does not see. */
export async function findPlacesOf(db: Database, viewer: ParkViewer, ids: string[]) {
  if (ids.length === 0) return new Map<string, { id: string; name: string }>();
  const places = await db
    .selectFrom('place_links')
    .innerJoin('places', 'places.id', 'place_links.place_id')
    .select(['thing_id', 'places.id', 'places.name'])
    .where('thing_id', 'in', ids)
    .where(isOfVisiblePark('places.park', viewer))
    .execute();
  return new Map(places.map(({ thing_id, ...place }) => [thing_id, place]));
}

/** Selects the id of a place `named`; for a joined one, the id of the place into which it was joined. */
export const selectPlaceId = (db: Database) =>
  db.selectFrom('places as named').select(sql<string>`coalesce(named.joined_into, named.id)`.as('id'));

/** Returns a place; for a joined one, the place into which it was joined. */
export const followPlace = (db: Database, id: string) =>
  db
    .selectFrom('places')
    .select(['id', 'park', 'name', 'retired_at'])
    .where('id', '=', selectPlaceId(db).where('named.id', '=', id))
    .executeTakeFirst();

export const findPlaceNamed = (db: Database, park: string, name: string) =>
  db
    .selectFrom('places')
    .select(['id', 'name', 'retired_at'])
    .where('park', '=', park)
    .where('name_key', '=', getNameKey(name))
    .where('joined_into', 'is', null)
    .executeTakeFirst();

/** Inserts a place unless its park has one of this name. Returns its id if it is new. */
export async function insertPlace(db: Database, park: string, name: string): Promise<string | undefined> {
  const row = await db
    .insertInto('places')
    .values({ id: newId(), park, name, name_key: getNameKey(name), retired_at: null, label: null, joined_into: null })
    .onConflict((conflict) => conflict.columns(['park', 'name_key']).where('joined_into', 'is', null).doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}
