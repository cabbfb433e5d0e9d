// "Find any part of a word", kept quick: trigrams in FTS5 on SQLite, pg_trgm on PostgreSQL. A table that can be searched has
// `search_text` (folded, see shared/text.ts) and `position` (a unique integer that orders it).
import { type Kysely, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { engineOf } from './connect.ts';
import type { Database, Tables } from './schema.ts';

/** Builds the index behind `findText`. For migrations. */
export async function indexText(db: Kysely<unknown>, table: string): Promise<void> {
  if (engineOf(db) === 'postgres') {
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

type Reports = SelectQueryBuilder<Tables, 'reports', unknown>;

/** What was found, and the column to order it by and to go on from: the index's own, so that it is read in order and no further than asked. */
type Found = { found: Reports; position: RawBuilder<number> };

/** The reports that hold every one of the words (folded), anywhere. */
export function findReports(db: Database, words: string[]): Found {
  // An index of trigrams cannot help with one or two letters; those are compared with each row that the others leave.
  const indexed = engineOf(db) === 'sqlite' ? words.filter((word) => [...word].length >= 3) : [];
  const compared = words.filter((word) => !indexed.includes(word));
  const { found, position } = indexed.length > 0 ? matchedBy(db, indexed) : everyReport(db);
  return { found: found.where((eb) => eb.and(compared.map(holds))), position };
}

const holds = (word: string) =>
  sql<boolean>`reports.search_text like ${`%${word.replace(/[\\%_]/g, '\\$&')}%`} escape '\\'`;

const everyReport = (db: Database): Found => ({
  found: db.selectFrom('reports') as unknown as Reports,
  position: sql<number>`reports.position`,
});

/** A cross join, because SQLite keeps its order: the index is read first, newest first, and stops when there are enough. */
function matchedBy(db: Database, words: string[]): Found {
  const phrases = words.map((word) => `"${word.replaceAll('"', '""')}"`).join(' ');
  const position = sql<number>`reports_search.rowid`;
  const found = db
    .selectFrom(sql`reports_search`.as('reports_search'))
    .crossJoin('reports')
    .where(sql<boolean>`reports.position = ${position}`)
    .where(sql<boolean>`reports_search match ${phrases}`);
  return { found: found as unknown as Reports, position };
}
