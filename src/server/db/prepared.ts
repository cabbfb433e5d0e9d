// Queries used by nearly every request: built and compiled once per engine, then run with different
// values.
import type { Compilable, CompiledQuery } from 'kysely';
import { getEngine } from './connect.ts';
import type { Database, Tables } from './schema.ts';
import { nameStatement } from './statement-names.ts';

class Placeholder {
  readonly name: string;
  /** The index in the list, if the placeholder stands for one value of a list. */
  readonly at: number | undefined;

  constructor(name: string, at?: number) {
    this.name = name;
    this.at = at;
  }
}

export type PreparedQuery<Values, Row> = (db: Database, values: Values) => Promise<Row[]>;

/**
 * Prepares a query that `build` creates. `build` uses the members of its second argument as
 * placeholders: `.where('id', '=', value.id)`. A member may be a list; then one query is compiled
 * for each length.
 */
export function prepare<Values extends Record<string, unknown>, Row>(
  build: (db: Database, value: Values) => Compilable<Row>,
): PreparedQuery<Values, Row> {
  const compiledQueries = new Map<string, CompiledQuery<Row>>();
  return async (db, values) => {
    const key = [getEngine(db), ...Object.values(values).map((value) => Array.isArray(value) && value.length)].join();
    const compiled = compiledQueries.get(key) ?? nameStatement(build(db, createPlaceholders(values)).compile());
    compiledQueries.set(key, compiled);
    const parameters = compiled.parameters.map((part) => (part instanceof Placeholder ? getValue(values, part) : part));
    return (await db.executeQuery<Row>({ ...compiled, parameters })).rows;
  };
}

const createPlaceholders = <Values extends Record<string, unknown>>(values: Values) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map((_, at) => new Placeholder(name, at)) : new Placeholder(name),
    ]),
  ) as Values;

const getValue = (values: Record<string, unknown>, { name, at }: Placeholder) =>
  at === undefined ? values[name] : (values[name] as unknown[])[at];

const insertQueries = new Map<string, CompiledQuery>();

/** Inserts one row with a value for every column. */
export const insertRow = <T extends keyof Tables>(db: Database, table: T, row: Tables[T]): Promise<void> =>
  insertRows(db, table, [row]);

/** Inserts rows with a value for every column, all in the same order. */
export async function insertRows<T extends keyof Tables>(db: Database, table: T, rows: Tables[T][]): Promise<void> {
  const key = `${getEngine(db)} ${table} ${rows.length} ${Object.keys(rows[0] ?? {})}`;
  const compiled =
    insertQueries.get(key) ??
    nameStatement(
      db
        .insertInto(table)
        .values(rows as never)
        .compile(),
    );
  insertQueries.set(key, compiled);
  await db.executeQuery({ ...compiled, parameters: rows.flatMap((row) => Object.values(row)) });
}
