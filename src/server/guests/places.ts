// Which labels lead to a form, and the telephone numbers of the parks.
import { isOpenPark } from '#shared/park-list.ts';
import { isStorable } from '#shared/text.ts';
import type { Database } from '../db/schema.ts';
import { parseCode } from '../places/labels.ts';
import { selectPlaceId } from '../places/links/place-links.ts';
import type { GuestPlace } from './html.ts';

/** Returns the place to which a label leads, unless the place is retired or its park accepts no messages from guests. */
export async function findPlaceOfLabel(db: Database, typed: string): Promise<GuestPlace | undefined> {
  const label = parseCode(typed);
  // PostgreSQL rejects a query with a character that cannot be stored.
  if (!isStorable(label)) return undefined;
  const row = await db
    .selectFrom('places')
    .leftJoin('park_settings', 'park_settings.park', 'places.park')
    .select(['places.id', 'places.park', 'places.name', 'guest_telephone as telephone'])
    .select(['gas_telephone as gasTelephone', 'guests_off'])
    .where('places.id', '=', selectPlaceId(db).where('named.label', '=', label))
    .where('retired_at', 'is', null)
    .executeTakeFirst();
  return row && !row.guests_off && isOpenPark(row.park) ? { ...row, label } : undefined;
}

export const listGuestNumbers = (db: Database) =>
  db.selectFrom('park_settings').select(['park', 'guest_telephone as telephone']).orderBy('park').execute();
