// Rows of a test's database, read and changed directly: what no endpoint says or does.
import type { Selectable } from 'kysely';
import type { Database, Tables } from '../db/schema.ts';

type Table = keyof Tables;
type Row<T extends Table> = Selectable<Tables[T]>;

/** Returns the rows with these values, in the order of a column. */
export function readRows<T extends Table>(
  db: Database,
  table: T,
  where: Partial<Row<T>> = {},
  order?: keyof Row<T>,
): Promise<Row<T>[]> {
  const rows = db
    .selectFrom(table as 'users')
    .selectAll()
    .where((is) => is.and(where));
  return (order ? rows.orderBy(order as 'id') : rows).execute() as Promise<never[]>;
}

/** Returns the first row with these values. Throws if there is none. */
export async function readRow<T extends Table>(db: Database, table: T, where: Partial<Row<T>> = {}): Promise<Row<T>> {
  const [row] = await readRows(db, table, where);
  if (!row) throw new Error(`No row of ${table} has ${JSON.stringify(where)}`);
  return row;
}

/** Changes all rows with these values. */
export const changeRows = <T extends Table>(db: Database, table: T, where: Partial<Row<T>>, changes: Partial<Row<T>>) =>
  db
    .updateTable(table as 'users')
    .set(changes as object)
    .where((is) => is.and(where))
    .execute();

const batchSize = 400;

/** Inserts rows, some hundred at a time. Columns that are left out are empty. */
export async function insertRows<T extends Table>(db: Database, table: T, rows: Partial<Row<T>>[]): Promise<void> {
  const empty = await getEmptyRow(db, table);
  for (let start = 0; start < rows.length; start += batchSize) {
    const batch = rows.slice(start, start + batchSize).map((row) => ({ ...empty, ...row }));
    await db
      .insertInto(table as 'users')
      .values(batch as never)
      .execute();
  }
}

export const insertRow = <T extends Table>(db: Database, table: T, row: Partial<Row<T>>) =>
  insertRows(db, table, [row]);

const emptyRows = new WeakMap<Database, Promise<Map<string, object>>>();

/** Returns null, '' or 0 for each column without a default. */
async function getEmptyRow(db: Database, table: string): Promise<object> {
  const read = async () =>
    new Map(
      (await db.introspection.getTables()).map(({ name, columns }) => [
        name,
        Object.fromEntries(
          columns
            .filter(({ hasDefaultValue, isNullable }) => !hasDefaultValue && !isNullable)
            .map((column) => [column.name, column.dataType.toLowerCase() === 'text' ? '' : 0]),
        ),
      ]),
    );
  const known = emptyRows.get(db) ?? read();
  emptyRows.set(db, known);
  return (await known).get(table) ?? {};
}
