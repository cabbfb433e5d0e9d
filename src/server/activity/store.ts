import { sql } from 'kysely';
import type { Viewer } from '#shared/access.ts';
import { type Activity, type ActivityQuery, type EntityType, readingActions } from '#shared/activity.ts';
import { getNextDay, getStartOfDay } from '#shared/dates.ts';
import { getErasureText } from '#shared/people/name-erasure.ts';
import { getSearchWords } from '#shared/text.ts';
import { pageSize } from '../db/page-size.ts';
import { readPages } from '../db/queries.ts';
import { isReader } from '../db/reader.ts';
import type { Database } from '../db/schema.ts';
import { containsText } from '../db/search.ts';
import { isWithoutErasedName, mayContainName } from '../names/erased-names.ts';
import { listUsersNamed } from '../names/user-names.ts';
import { isVisibleTo } from './visible.ts';

const defaultLimit = 50;

type ActivitySearch = Omit<ActivityQuery, 'thing'> & { thing?: EntityType | undefined };

/** Yields every matching entry of the log, newest first, page by page. */
export const readActivityPages = (db: Database, viewer: Viewer, search: ActivitySearch) =>
  readPages<Activity>((last) => listActivity(db, viewer, { ...search, before: last?.seq, limit: pageSize }));

/** Returns entries this user may read and that match the filters, newest first, older than `before`. */
export async function listActivity(
  db: Database,
  viewer: Viewer,
  { q = '', thing, thing_id, changes, from, to, before, limit = defaultLimit }: ActivitySearch,
): Promise<Activity[]> {
  let query = db
    .selectFrom('activity')
    .select(['seq', 'at', 'actor', 'action', 'thing', 'thing_id', 'label', 'changes'])
    .where(isVisibleTo(viewer))
    .orderBy('seq', 'desc')
    .limit(limit);
  if (before !== undefined) query = query.where('seq', '<', before);
  if (thing !== undefined) query = query.where('thing', '=', thing);
  if (thing_id !== undefined) query = query.where('thing_id', '=', thing_id);
  if (changes !== undefined)
    query = query.where('action', 'not in', readingActions).where('action', 'not like', 'failed %');
  if (from !== undefined) query = query.where('at', '>=', getStartOfDay(from));
  if (to !== undefined) query = query.where('at', '<', getStartOfDay(getNextDay(to)));
  if (isReader(db)) query = query.where(sql<boolean>`should_continue(seq)`);
  const words = getSearchWords(q);
  const named = await listUsersNamed(db, words);
  for (const word of words) {
    const usernames = named.filter(({ otherWords }) => !otherWords.includes(word)).map(({ username }) => username);
    query = query.where((eb) =>
      eb.or([containsText('search_text', word), ...(usernames.length > 0 ? [eb('actor', 'in', usernames)] : [])]),
    );
  }
  if (words.length > 0) query = query.where(isWithoutErasedName);
  const rows = await query.execute();
  return hideErasedNames(
    db,
    rows.map((row) => ({ ...row, changes: row.changes === null ? null : JSON.parse(row.changes) })),
  );
}

/** Hides titles and texts that entries had before a name in their record was erased. */
async function hideErasedNames(db: Database, lines: Activity[]): Promise<Activity[]> {
  const ids = lines.flatMap((line) => (mayContainName(line) && line.thing_id ? line.thing_id : []));
  if (ids.length === 0) return lines;
  const erasures = await db
    .selectFrom('blanked')
    .select(['thing_id', (eb) => eb.fn.max('blanked_at').as('at')])
    .where('thing_id', 'in', [...new Set(ids)])
    .groupBy('thing_id')
    .execute();
  const times = new Map(erasures.map(({ thing_id, at }) => [thing_id, at]));
  return lines.map((line) => {
    const at = mayContainName(line) ? times.get(line.thing_id ?? '') : undefined;
    return at && line.at <= at ? { ...line, label: getErasureText(new Date(at)), changes: null } : line;
  });
}
