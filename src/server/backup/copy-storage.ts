// Copies data from SQLite to PostgreSQL and from a folder to a bucket. It compares the copies,
// deletes nothing, and can be run again.
import { sql } from 'kysely';
import { getEngine } from '../db/connect.ts';
import { everyRow } from '../db/every-row.ts';
import type { Database, Tables } from '../db/schema.ts';
import { listBackedUpTables } from '../db/tables.ts';
import type { FileStore } from '../files/store.ts';
import { getFilePath } from '../files/upload-path.ts';
import { sha256 } from '../hash.ts';
import { guestAccountId } from '../names/guest-account.ts';

const pageSize = 200;

/**
 * Copies all rows into an empty database of the same version, in one transaction, and compares each
 * table. Copies nothing into a database that is a copy already. Returns the number of rows.
 */
export async function copyRows(from: Database, to: Database): Promise<number> {
  const tables = await listTables(from);
  if (getEngine(to) !== 'postgres') throw new Error('Rows can be copied to PostgreSQL only.');
  return to.transaction().execute(async (to) => {
    const { seq: entryCount } = await to.selectFrom('activity_head').select('seq').executeTakeFirstOrThrow();
    const targetHashes = await hashRows(to, tables);
    const hashesBefore = await hashRows(from, tables);
    if (targetHashes.text === hashesBefore.text) return hashesBefore.rows;
    if (entryCount > 0)
      throw new Error('The PostgreSQL database is not empty, and is not a copy of this one. Name an empty one.');
    // Migrations have inserted these, so they are in the copied rows too.
    await to.deleteFrom('activity_head').where(everyRow).execute();
    await to.deleteFrom('users').where('id', '=', guestAccountId).execute();
    for (const [table, key] of tables)
      for await (const rows of readPages(from, table, key))
        await to
          .insertInto(table)
          .values(rows as never)
          .execute();
    const hashesAfter = await hashRows(to, tables);
    if (hashesAfter.text !== hashesBefore.text)
      throw new Error('The copy differs from the original, so it was discarded. Stop the server and try again.');
    return hashesAfter.rows;
  });
}

type Table = keyof Tables;

/** Returns the tables of a SQLite database with their primary keys, parents before children for the foreign keys. */
async function listTables(db: Database): Promise<Map<Table, string[]>> {
  const { rows: columns } = await sql<{ table: string; column: string }>`
    select tables.name as "table", columns.name as "column"
    from sqlite_master as tables, pragma_table_info(tables.name) as columns where pk > 0 order by pk`.execute(db);
  const { rows: links } = await sql<{ child: string; parent: string }>`
    select tables.name as child, links."table" as parent
    from sqlite_master as tables, pragma_foreign_key_list(tables.name) as links where parent <> child`.execute(db);
  const keys = Map.groupBy(columns, ({ table }) => table);
  const tables = new Map<Table, string[]>();
  const names = await listBackedUpTables(db);
  const add = (name: string) => {
    for (const { parent } of links.filter(({ child }) => child === name)) {
      if (!names.includes(parent)) throw new Error(`${name} refers to ${parent}, which must not be copied.`);
      add(parent);
    }
    tables.set(name as Table, keys.get(name)?.map(({ column }) => column) ?? []);
  };
  for (const name of names) add(name);
  return tables;
}

/**
 * Returns all rows in pages, ordered by the whole primary key, so that no row is on two pages or
 * none. Nothing else writes during this time.
 */
async function* readPages(db: Database, table: Table, key: string[]): AsyncGenerator<object[]> {
  const order = sql.join(key.map((column) => sql.ref(column)));
  for (let offset = 0; ; offset += pageSize) {
    const { rows } =
      await sql<object>`select * from ${sql.ref(table)} order by ${order} limit ${pageSize} offset ${offset}`.execute(
        db,
      );
    if (rows.length === 0) return;
    yield rows;
  }
}

/**
 * Hashes every value of every row of each table; the order of rows does not matter. Returns also
 * the number of rows.
 */
async function hashRows(db: Database, tables: Map<Table, string[]>) {
  let rows = 0;
  const hashByTable: Record<string, string> = {};
  for (const [table, key] of tables) {
    let sum = 0n;
    for await (const part of readPages(db, table, key))
      for (const row of part) {
        rows += 1;
        const values = JSON.stringify(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1)));
        sum = (sum + BigInt(`0x${sha256(values)}`)) % 2n ** 256n;
      }
    hashByTable[table] = sum.toString(16);
  }
  return { rows, text: JSON.stringify(hashByTable) };
}

/**
 * Copies every file that a row names and that is missing, and reads each back. Returns the number
 * of files.
 */
export async function copyFiles(db: Database, from: FileStore, to: FileStore): Promise<number> {
  const uploads = await db.selectFrom('uploads').select(['path', 'sha256_stored']).execute();
  const isCopied = async (path: string, hash: string) => {
    const bytes = await to.read(path);
    return bytes !== undefined && sha256(bytes) === hash;
  };
  for (const { path, sha256_stored } of uploads) {
    const name = getFilePath(path);
    if (await isCopied(name, sha256_stored)) continue;
    const bytes = await from.read(name);
    if (!bytes || sha256(bytes) !== sha256_stored) throw new Error(`The file ${path} is missing or damaged.`);
    await to.write(name, bytes);
    if (!(await isCopied(name, sha256_stored)))
      throw new Error(`The copy of the file ${path} differs from the original.`);
  }
  return uploads.length;
}
