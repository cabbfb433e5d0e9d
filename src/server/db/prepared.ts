// Queries used by nearly every request: built and compiled once per engine, then run with different
// values.
import type { Compilable, CompiledQuery } from 'kysely';
import { type Engine, getEngine } from './connect.ts';
import type { Database, Tables } from './schema.ts';

class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

export type PreparedQuery<Values, Row> = (db: Database, values: Values) => Promise<Row[]>;

/**
 * `build` uses members of its second argument as placeholders: `.where('id', '=', value.id)`. Each
 * must be a single value, never a list.
 */
export function prepare<Values extends Record<string, unknown>, Row>(
  build: (db: Database, value: Values) => Compilable<Row>,
): PreparedQuery<Values, Row> {
  const known = new Map<Engine, CompiledQuery<Row>>();
  const placeholders = new Proxy({} as Values, { get: (_, name) => new Placeholder(String(name)) });
  return async (db, values) => {
    const engine = getEngine(db);
    const compiled = known.get(engine) ?? build(db, placeholders).compile();
    known.set(engine, compiled);
    const parameters = compiled.parameters.map((part) => (part instanceof Placeholder ? values[part.name] : part));
    return (await db.executeQuery<Row>({ ...compiled, parameters })).rows;
  };
}

const inserts = new Map<string, CompiledQuery>();

/** Inserts one row with a value for every column. */
export async function insertRow<T extends keyof Tables>(db: Database, table: T, row: Tables[T]): Promise<void> {
  const key = `${getEngine(db)} ${table} ${Object.keys(row)}`;
  const compiled =
    inserts.get(key) ??
    db
      .insertInto(table)
      .values(row as never)
      .compile();
  inserts.set(key, compiled);
  await db.executeQuery({ ...compiled, parameters: Object.values(row) });
}
