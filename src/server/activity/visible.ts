// Which entries of the activity log a user may read. Each kind of record says who reads those about it.
import { type ExpressionBuilder, sql } from 'kysely';
import { isAdminOfAllParks, type Viewer } from '#shared/access.ts';
import { getLogWord, type RecordKindName, recordKinds } from '#shared/record-kinds.ts';
import type { Tables } from '../db/schema.ts';
import type { RecordKind } from '../record-kind.ts';
import { kindEntries, kinds } from '../records/kinds.ts';
import { isOfVisiblePark, seesNoOtherPark } from '../user-parks.ts';

/** The kinds that the log has a word for. Entries about the others use the word of a report or a user. */
const loggedKinds = kindEntries.filter(([name]) => getLogWord(name) === name);

/**
 * The condition for entries that a user may read. An Admin of all parks reads every entry. Only Admins read about
 * sign-ins and rejected requests, and about users with a higher role than None.
 */
export const isVisibleTo = (viewer: Viewer) => (eb: ExpressionBuilder<Tables, 'activity'>) => {
  if (isAdminOfAllParks(viewer)) return eb.lit(true);
  const isAdmin = viewer.role === 'Admin';
  return eb.or([
    ...loggedKinds.map(([name]) => eb.and([eb('thing', '=', name), isKindVisible(name, viewer)])),
    ...(isAdmin ? [eb('thing', '=', 'session')] : []),
    eb.and([eb('thing', '=', 'park'), isParkVisible(viewer)]),
    eb.and([
      eb('thing', '=', 'user'),
      eb('thing_id', 'in', eb.selectFrom('users').select('id').where('role', '=', 'None')),
    ]),
  ]);
};

function isKindVisible(name: RecordKindName, viewer: Viewer) {
  const { table, park, parks = 'parks', log }: RecordKind = kinds[name];
  if (log.readers === 'Admins' && viewer.role !== 'Admin') return sql<boolean>`1 = 0`;
  if (viewer.parks === null || !('ofItsPark' in recordKinds[name])) return sql<boolean>`1 = 1`;
  const isVisible = park ? isOfVisiblePark(sql.raw(park), viewer) : seesNoOtherPark(parks, viewer);
  return sql<boolean>`thing_id in (select id from ${sql.table(table)} where ${isVisible})`;
}

/** Of settings, the id is the park itself; of closures, that of the closure. */
const isParkVisible = (viewer: Viewer) =>
  sql<boolean>`(${isOfVisiblePark('thing_id', viewer)}
    or thing_id in (select id from park_closures where ${isOfVisiblePark('park', viewer)}))`;
