import { sql } from 'kysely';
import type { Viewer } from '#shared/access.ts';
import { type Activity, type ActivityQuery, type EntityType, readingActions } from '#shared/activity.ts';
import { getNextDay, getStartOfDay } from '#shared/dates.ts';
import { getSearchWords } from '#shared/text.ts';
import { isReader } from '../db/reader.ts';
import type { Database } from '../db/schema.ts';
import { containsText } from '../db/search.ts';
import { nextSlice } from '../event-loop.ts';
import { isVisibleTo } from './visible.ts';

const page = 50;

type ActivitySearch = Omit<ActivityQuery, 'thing'> & { thing?: EntityType | undefined };

/** Every matching entry of the log, newest first, page by page. */
export async function* readActivityPages(
  db: Database,
  viewer: Viewer,
  search: ActivitySearch,
): AsyncGenerator<Activity[]> {
  const size = 500;
  let before: number | undefined;
  for (;;) {
    const lines = await listActivity(db, viewer, { ...search, before, limit: size });
    yield lines;
    if (lines.length < size) return;
    before = lines.at(-1)?.seq;
    await nextSlice();
  }
}

/** Returns entries this user may read and that match the filters, newest first, older than `before`. */
export async function listActivity(
  db: Database,
  viewer: Viewer,
  { q = '', thing, thing_id, changes, from, to, before, limit = page }: ActivitySearch,
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
  if (changes !== undefined) query = query.where('action', 'not in', readingActions);
  if (from !== undefined) query = query.where('at', '>=', getStartOfDay(from));
  if (to !== undefined) query = query.where('at', '<', getStartOfDay(getNextDay(to)));
  if (isReader(db)) query = query.where(sql<boolean>`may_go_on(seq)`);
  for (const word of getSearchWords(q)) query = query.where(containsText('search_text', word));
  const rows = await query.execute();
  return rows.map((row) => ({ ...row, changes: row.changes === null ? null : JSON.parse(row.changes) }));
}
