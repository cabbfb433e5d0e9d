// "Find any part of a word", kept quick: trigrams in FTS5 on SQLite, pg_trgm on PostgreSQL. A table that can be searched has
// `search_text` (folded, see shared/text.ts) and `position` (a unique integer that orders it).
import { type ExpressionBuilder, type Kysely, type SelectQueryBuilder, sql } from 'kysely';
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

/** The reports that hold every one of the words (folded), anywhere. */
export function findReports(db: Database, words: string[]): Reports {
  // An index of trigrams cannot help with one or two letters; those are compared with each row that the others leave.
  const indexed = words.filter((word) => [...word].length >= 3);
  const query: Reports =
    engineOf(db) === 'sqlite' && indexed.length > 0
      ? matchedBy(db, indexed)
      : (db.selectFrom('reports') as unknown as Reports);
  const compared = engineOf(db) === 'sqlite' ? words.filter((word) => !indexed.includes(word)) : words;
  return query.where((eb: ExpressionBuilder<Tables, 'reports'>) =>
    eb.and(
      compared.map((word) => sql<boolean>`search_text like ${`%${word.replace(/[\\%_]/g, '\\$&')}%`} escape '\\'`),
    ),
  );
}

function matchedBy(db: Database, words: string[]): Reports {
  const phrase = words.map((word) => `"${word.replaceAll('"', '""')}"`).join(' ');
  return db
    .selectFrom(sql<{ rowid: number }>`reports_search`.as('reports_search'))
    .innerJoin('reports', (join) => join.onRef('reports.position', '=', sql.ref('reports_search.rowid')))
    .where(sql<boolean>`reports_search match ${phrase}`) as unknown as Reports;
}
