// Fast substring search: trigrams with FTS5 on SQLite, pg_trgm on PostgreSQL. A searchable table
// has `search_text` (folded, see shared/text.ts) and `position` (a unique integer for its order).
import { type Kysely, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { nextSlice } from '../event-loop.ts';
import { getEngine } from './connect.ts';
import { isReader } from './reader.ts';
import type { Database, Tables } from './schema.ts';

/** Creates the index for `searchRows`. For migrations. */
export async function createSearchIndex(db: Kysely<unknown>, table: string): Promise<void> {
  if (getEngine(db) === 'postgres') {
    await sql`create extension if not exists pg_trgm`.execute(db);
    await sql`create index ${sql.ref(`${table}_search`)} on ${sql.ref(table)} using gin (search_text gin_trgm_ops)`.execute(
      db,
    );
    return;
  }
  const index = sql.ref(`${table}_search`);
  await sql`create virtual table ${index} using fts5 (text, content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1')`.execute(
    db,
  );
  const [name, indexed, removed] = [sql.ref(table), sql.ref(`${table}_indexed`), sql.ref(`${table}_removed`)];
  await sql`create trigger ${indexed} after insert on ${name} begin insert into ${index} (rowid, text) values (new.position, new.search_text); end`.execute(
    db,
  );
  await sql`create trigger ${removed} after delete on ${name} begin delete from ${index} where rowid = old.position; end`.execute(
    db,
  );
}

/**
 * Rebuilds the index of a filled table after `update` has rewritten `search_text`. From then on
 * SQLite's index follows updates, as PostgreSQL's does. For migrations.
 */
export async function rebuildSearchIndex(
  db: Kysely<unknown>,
  table: Searchable,
  update: () => Promise<void> = async () => {},
): Promise<void> {
  const index = sql.ref(`${table}_search`);
  if (getEngine(db) === 'postgres') {
    await sql`drop index ${index}`.execute(db);
    await update();
    return createSearchIndex(db, table);
  }
  await update();
  const name = sql.ref(table);
  await sql`insert into ${index} (${index}) values ('delete-all')`.execute(db);
  await sql`insert into ${index} (rowid, text) select position, search_text from ${name} order by position`.execute(db);
  await sql`create trigger if not exists ${sql.ref(`${table}_changed`)} after update of position, search_text on ${name} begin
    delete from ${index} where rowid = old.position;
    insert into ${index} (rowid, text) values (new.position, new.search_text); end`.execute(db);
}

/** Pages that one step of a merge writes: about 5 ms. */
const pagesPerMergeStep = 64;

/**
 * Merges the parts of SQLite's indexes that inserts have left, in short steps between other work:
 * a search reads each part. `isWhole` merges all of them into one, which leaves out deleted texts.
 * Does nothing on PostgreSQL.
 */
export async function mergeSearchIndexes(db: Database, { isWhole = false } = {}): Promise<void> {
  if (getEngine(db) === 'postgres') return;
  for (const table of searchable) {
    const index = sql.ref(`${table}_search`);
    const run = (command: string, value: number, db: Database) =>
      sql`insert into ${index} (${index}, rank) values (${command}, ${sql.lit(value)})`.execute(db);
    // Merges any two parts of similar size, not only four.
    await run('usermerge', 2, db);
    const mergeParts = () =>
      db.transaction().execute(async (db) => {
        const before = await countChanges(db);
        await run('merge', pagesPerMergeStep, db);
        // https://sqlite.org/fts5.html#the_merge_command
        return (await countChanges(db)) - before >= 2;
      });
    if (isWhole) await run('merge', -pagesPerMergeStep, db);
    while (await mergeParts()) await nextSlice();
  }
}

async function countChanges(db: Database): Promise<number> {
  const { rows } = await sql<{ changes: number }>`select total_changes() as changes`.execute(db);
  return rows[0]?.changes ?? 0;
}

const searchable = ['reports', 'submissions', 'audits'] as const;
type Searchable = (typeof searchable)[number];
type RowQuery<Table extends Searchable> = SelectQueryBuilder<Tables, Table, unknown>;

/**
 * The matching rows, and the column to sort and page by. The column belongs to the index, so SQLite
 * reads the rows in order and only as many as needed.
 */
type SearchResult<Table extends Searchable> = { matches: RowQuery<Table>; position: RawBuilder<number> };

/** Whether a trigram index cannot find the word, because it has only one or two letters. */
export const isShortWord = (word: string): boolean => [...word].length < 3;

/** Returns the rows that contain all words (folded) as substrings. */
export function searchRows<Table extends Searchable>(db: Database, table: Table, words: string[]): SearchResult<Table> {
  // Short words are compared with the remaining rows.
  const indexableWords = getEngine(db) === 'sqlite' ? words.filter((word) => !isShortWord(word)) : [];
  const selectiveParts = indexableWords.map(getSelectivePart);
  const shortWords = words.filter((word) => !selectiveParts.includes(word));
  const { matches, position } =
    selectiveParts.length > 0 ? selectMatches(db, table, selectiveParts) : selectAllRows(db, table);
  const cancellableMatches = isReader(db) ? matches.where(sql<boolean>`should_continue(${position})`) : matches;
  return {
    matches: cancellableMatches.where((eb) =>
      eb.and(shortWords.map((word) => containsText(`${table}.search_text`, word))),
    ),
    position,
  };
}

/**
 * Returns the part of a word that the fewest rows contain, to look up first: the last digits of a
 * report or phone number, but no year; otherwise the whole word. Looking up "acc-2015-" would take
 * a hundred times longer.
 */
function getSelectivePart(word: string): string {
  // For a date use its day and month, because most texts contain a year.
  const day = /^(\d{1,2}\/\d{1,2}\/)(?:\d\d|(?:19|20)\d\d)$/.exec(word)?.[1];
  if (day) return day;
  const ending = /\d{3,4}$/.exec(word)?.[0] ?? '';
  return ending === '' || /^(?:19|20)\d\d$/.test(ending) ? word : ending;
}

export const containsText = (column: string, word: string) =>
  sql<boolean>`${sql.ref(column)} like ${`%${word.replace(/[\\%_]/g, '\\$&')}%`} escape '\\'`;

const selectAllRows = <Table extends Searchable>(db: Database, table: Table): SearchResult<Table> => ({
  matches: db.selectFrom(table as Searchable) as unknown as RowQuery<Table>,
  position: sql<number>`${sql.ref(`${table}.position`)}`,
});

/**
 * A cross join, because SQLite keeps its order: it reads the index first, newest first, and stops
 * when there are enough.
 */
function selectMatches<Table extends Searchable>(db: Database, table: Table, words: string[]): SearchResult<Table> {
  const phrases = words.map((word) => `"${word.replaceAll('"', '""')}"`).join(' ');
  const index = sql.ref(`${table}_search`);
  const position = sql<number>`${sql.ref(`${table}_search.rowid`)}`;
  const matches = db
    // Kysely's types accept one table at a time, so one search table stands for all.
    .selectFrom(sql`${index}`.as(`${table}_search` as 'reports_search'))
    .crossJoin(table as 'reports')
    .where(sql<boolean>`${sql.ref(`${table}.position`)} = ${position}`)
    .where(sql<boolean>`${index} match ${phrases}`);
  return { matches: matches as unknown as RowQuery<Table>, position };
}
